// How this browser announces notices outside their list: the panel, desktop notifications, a sound, and quiet hours.
import { createStore } from 'zustand/vanilla'
import { store, stored } from '../storage/storage.ts'

export interface NoticePreferences {
  /** Desktop notifications while no tab is visible. The browser must permit them as well. */
  readonly desktop: boolean
  readonly sound: boolean
  readonly quiet: boolean
  /** Minutes after midnight. If the end is before the start, the quiet hours span midnight. */
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

/** Changes a choice in all tabs. */
export function setNoticePreferences(change: Partial<NoticePreferences>): void {
  noticePreferencesStore.setState(change)
  store(key, JSON.stringify(noticePreferencesStore.getState()))
}

/** Follows changes in other tabs. */
export function followNoticePreferences(): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) noticePreferencesStore.setState(read())
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Whether popups and sounds are off at that time. Notices still appear in the list. */
export function isQuietTime({ quiet, quietFrom, quietTo }: NoticePreferences, at: Date): boolean {
  if (!quiet) return false
  const minute = at.getHours() * 60 + at.getMinutes()
  return quietFrom <= quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo
}
