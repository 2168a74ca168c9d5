// Setting values that are entered and not yet saved. They survive leaving the page, until they are saved or discarded.
import type { SettingName, SettingValue } from '@cloudoc/contract'
import { createStore } from 'zustand/vanilla'

export type Drafts = Readonly<Partial<Record<SettingName, SettingValue>>>

export const draftStore = createStore<{ readonly drafts: Drafts }>(() => ({ drafts: {} }))

export const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Records a new value. A value equal to the saved one is not a change. */
export function draftSetting(name: SettingName, value: SettingValue, saved: SettingValue): void {
  draftStore.setState(({ drafts: { [name]: _, ...others } }) => ({
    drafts: sameValue(value, saved) ? others : { ...others, [name]: value },
  }))
}

/** Discards the drafts of these settings. */
export function dropDrafts(names: readonly SettingName[]): void {
  draftStore.setState(({ drafts }) => ({
    drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => !names.includes(name as SettingName))),
  }))
}

/** Asks for confirmation before the page is closed with unsaved drafts. */
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
