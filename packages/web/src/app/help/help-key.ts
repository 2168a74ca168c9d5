// "?" shows the keyboard shortcuts. A single-character shortcut can conflict with speech input and similar programs, so
// it can be switched off in the help.
import { useSyncExternalStore } from 'react'
import { store, stored } from '../../core/storage/storage.ts'
import { openWindow, windowStore } from '../../core/windows/index.ts'

const storageKey = 'helpKey'
const changed = new Set<() => void>()

const isOn = (): boolean => stored(storageKey) !== 'off'

/** Whether "?" shows the help, and a function to change that. */
export function useHelpKey(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore((tell) => {
    changed.add(tell)
    return () => changed.delete(tell)
  }, isOn)
  return [
    on,
    (next) => {
      store(storageKey, next ? undefined : 'off')
      for (const tell of changed) tell()
    },
  ]
}

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable=true]'

/** Handles the "?" key while the page is shown. It runs before the list, which would treat it as type-ahead. */
export function answerHelpKey(): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || !isOn()) return
    if (event.target instanceof Element && event.target.closest(typing) !== null) return
    if (windowStore.getState().open.length > 0) return
    event.preventDefault()
    event.stopPropagation()
    void openWindow('cloudoc-shortcuts', {})
  }
  window.addEventListener('keydown', onKeyDown, true)
  return () => window.removeEventListener('keydown', onKeyDown, true)
}
