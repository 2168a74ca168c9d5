// Whether pictures of the screen are taken without the chat window ([R305]). Stored under the documented name.
import { store, stored } from '../../core/storage/storage.ts'

const key = 'im__screenshotsHideWindow'

/** Whether the window hides while a picture of the screen is taken. */
export const hidesForScreenshots = (): boolean => stored(key) === 'true'

/** Chooses whether the window hides. */
export const setHidesForScreenshots = (hides: boolean): void => store(key, String(hides))
