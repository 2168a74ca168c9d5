// User preferences stored in this browser, other than skin, language and notices. Changed in the settings window. They
// are saved shortly after the last change ([R087]), and other tabs follow.
import { createStore } from 'zustand/vanilla'
import { debounced, settingsWait } from './debounced.ts'
import { store, stored } from './storage.ts'

export interface Preferences {
  /** The start page: the files or the last visited page. */
  readonly startup: 'files' | 'last'
  /** How an upload resolves name conflicts; empty asks each time. */
  readonly clashes: '' | 'version' | 'keepBoth' | 'skip'
  /** The maximum number of files transferred at the same time. */
  readonly transfers: number
  /** The maximum total size of offline copies in bytes ([R067]); 0 stores none. */
  readonly offlineBytes: number
  /** Whether leaving the page during a transfer asks for confirmation. */
  readonly warnLeaving: boolean
  /** Use the black skin while the system is in dark mode. */
  readonly followDark: boolean
  readonly calm: boolean
}

const key = 'preferences'
const usual: Preferences = {
  startup: 'files',
  clashes: '',
  transfers: 3,
  offlineBytes: 200 * 1024 ** 2,
  warnLeaving: true,
  followDark: false,
  calm: false,
}

function read(): Preferences {
  try {
    return { ...usual, ...(JSON.parse(stored(key) ?? '{}') as Partial<Preferences>) }
  } catch {
    return usual
  }
}

export const preferencesStore = createStore<Preferences>(() => read())

const saving = debounced(() => {
  const value = preferencesStore.getState()
  store(key, JSON.stringify(value))
  // Under its documented name ([R305]).
  store('startup', value.startup)
}, settingsWait)

/** Changes a preference. It takes effect at once. */
export function prefer(change: Partial<Preferences>): void {
  preferencesStore.setState(change)
  saving.later()
}

/** Saves pending changes. */
export const savePreferences = saving.flush

/** Follows changes in other tabs, and saves pending changes before the page unloads. */
export function followPreferences(): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) preferencesStore.setState(read())
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener('pagehide', savePreferences)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('pagehide', savePreferences)
  }
}
