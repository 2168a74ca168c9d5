// What somebody prefers in this browser, beside skin, language and notices; the setting window changes it. It is written
// down a moment after the last change ([R087]) and followed by other tabs.
import { createStore } from 'zustand/vanilla'
import { store, stored } from './storage.ts'

export interface Preferences {
  /** Where the page begins: with the files, or where it was left. */
  readonly startup: 'files' | 'last'
  /** What an upload does with names that are taken; empty asks each time. */
  readonly clashes: '' | 'version' | 'keepBoth' | 'skip'
  /** How many files are transferred at the same time. */
  readonly transfers: number
  /** Bytes of opened files that are kept to be read while the server is away ([R067]); 0 keeps none. */
  readonly offlineBytes: number
  /** Whether leaving the page asks while something is transferred. */
  readonly warnLeaving: boolean
  /** The black skin wherever the system is dark. */
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
const saving = { afterMs: 200, mostMs: 500 }

function read(): Preferences {
  try {
    return { ...usual, ...(JSON.parse(stored(key) ?? '{}') as Partial<Preferences>) }
  } catch {
    return usual
  }
}

export const preferencesStore = createStore<Preferences>(() => read())

let timer: ReturnType<typeof setTimeout> | undefined
let since = 0

/** Changes a preference; it holds at once. */
export function prefer(change: Partial<Preferences>): void {
  preferencesStore.setState(change)
  const now = performance.now()
  if (timer === undefined) since = now
  clearTimeout(timer)
  timer = setTimeout(savePreferences, Math.max(0, Math.min(saving.afterMs, since + saving.mostMs - now)))
}

/** Writes down what has changed and is not written yet. */
export function savePreferences(): void {
  if (timer === undefined) return
  clearTimeout(timer)
  timer = undefined
  const value = preferencesStore.getState()
  store(key, JSON.stringify(value))
  // By its documented name ([R305]).
  store('startup', value.startup)
}

/** Follows what is preferred in another tab, and writes down before the page goes. */
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
