// What somebody has entered and not saved yet. It outlives the page it was entered on, until it is saved or let go.
import type { SettingName, SettingValue } from '@cloudoc/contract'
import { createStore } from 'zustand/vanilla'

export type Drafts = Readonly<Partial<Record<SettingName, SettingValue>>>

export const draftStore = createStore<{ readonly drafts: Drafts }>(() => ({ drafts: {} }))

export const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Notes another value; one that is what is saved is no change. */
export function draftSetting(name: SettingName, value: SettingValue, saved: SettingValue): void {
  draftStore.setState(({ drafts: { [name]: _, ...others } }) => ({
    drafts: sameValue(value, saved) ? others : { ...others, [name]: value },
  }))
}

/** Lets go of what was entered for these. */
export function dropDrafts(names: readonly SettingName[]): void {
  draftStore.setState(({ drafts }) => ({
    drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => !names.includes(name as SettingName))),
  }))
}

/** Asks before the page is closed with something that is not saved. */
export function watchDrafts(): () => void {
  const ask = (event: BeforeUnloadEvent): void => {
    if (Object.keys(draftStore.getState().drafts).length > 0) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => {
    window.removeEventListener('beforeunload', ask)
    draftStore.setState({ drafts: {} })
  }
}
