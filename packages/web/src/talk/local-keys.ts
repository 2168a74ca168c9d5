/*
 * The documented keys of the browser's storage that chat programs read ([R305]). The token is not among them: the session
 * of the page is in a cookie that no script can read.
 */
import { noticePreferencesStore } from '../core/notices/notice-preferences.ts'
import { store, stored } from '../core/storage/storage.ts'
import { hidesForScreenshots, setHidesForScreenshots } from './state/screenshots.ts'
import { newUuid } from './state/uuid.ts'

/** This server, as its own pages name it. */
const ownServer = '0'

/** Writes the keys and keeps them current until the returned function is called. */
export function keepLocalKeys(): () => void {
  store('serverID', ownServer)
  store('im__mainServerId', ownServer)
  store('mainHost', location.host)
  // Names this browser; made once.
  if (stored('machineID') === undefined) store('machineID', newUuid())
  // Whether screenshots hide the window is chosen in the chat.
  setHidesForScreenshots(hidesForScreenshots())
  const tell = (): void => store('im__msgNotice', String(noticePreferencesStore.getState().desktop))
  tell()
  return noticePreferencesStore.subscribe(tell)
}
