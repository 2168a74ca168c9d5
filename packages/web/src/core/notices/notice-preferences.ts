// How this browser tells of notices beyond their list: the panel, the desktop, a sound, and when not.
import { createStore } from 'zustand/vanilla'
import { store, stored } from '../storage/storage.ts'

export interface NoticePreferences {
  /** Notifications of the desktop while no tab is looked at; the browser has to allow them as well. */
  readonly desktop: boolean
  readonly sound: boolean
  readonly quiet: boolean
  /** Minutes after midnight. Where it ends before it begins, it goes over midnight. */
  readonly quietFrom: number
  readonly quietTo: number
}

const key = 'noticeChoices'
const usual: NoticePreferences = { desktop: false, sound: false, quiet: false, quietFrom: 22 * 60, quietTo: 8 * 60 }

function read(): NoticePreferences {
  try {
    return { ...usual, ...(JSON.parse(stored(key) ?? '{}') as Partial<NoticePreferences>) }
  } catch {
    return usual
  }
}

export const noticePreferencesStore = createStore<NoticePreferences>(() => read())

/** Changes a choice, here and in every tab. */
export function setNoticePreferences(change: Partial<NoticePreferences>): void {
  noticePreferencesStore.setState(change)
  store(key, JSON.stringify(noticePreferencesStore.getState()))
}

/** Follows what is chosen in another tab. */
export function followNoticePreferences(): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) noticePreferencesStore.setState(read())
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Whether nothing is to pop up or sound at that moment; what comes is in the list all the same. */
export function isQuietTime({ quiet, quietFrom, quietTo }: NoticePreferences, at: Date): boolean {
  if (!quiet) return false
  const minute = at.getHours() * 60 + at.getMinutes()
  return quietFrom <= quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo
}
