// How this browser tells of notices beyond their list: the panel, the desktop, a sound, and when not.
import { createStore } from 'zustand/vanilla'
import { store, stored } from '../storage/storage.ts'

export interface Choices {
  /** Notifications of the desktop while no tab is looked at; the browser has to allow them as well. */
  readonly desktop: boolean
  readonly sound: boolean
  readonly quiet: boolean
  /** Minutes after midnight. Where it ends before it begins, it goes over midnight. */
  readonly quietFrom: number
  readonly quietTo: number
}

const key = 'noticeChoices'
const usual: Choices = { desktop: false, sound: false, quiet: false, quietFrom: 22 * 60, quietTo: 8 * 60 }

function read(): Choices {
  try {
    return { ...usual, ...(JSON.parse(stored(key) ?? '{}') as Partial<Choices>) }
  } catch {
    return usual
  }
}

export const choicesStore = createStore<Choices>(() => read())

/** Changes a choice, here and in every tab. */
export function choose(change: Partial<Choices>): void {
  choicesStore.setState(change)
  store(key, JSON.stringify(choicesStore.getState()))
}

/** Follows what is chosen in another tab. */
export function followChoices(): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) choicesStore.setState(read())
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Whether nothing is to pop up or sound at that moment; what comes is in the list all the same. */
export function isQuiet({ quiet, quietFrom, quietTo }: Choices, at: Date): boolean {
  if (!quiet) return false
  const minute = at.getHours() * 60 + at.getMinutes()
  return quietFrom <= quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo
}
