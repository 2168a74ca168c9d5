// The keys of a folder page: each does what it asks for, or says why not.
import type { ItemRecord } from '@cloudoc/contract'
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useEffectEvent } from 'react'
import { goBack, goForward } from '../../core/page/navigation-history.ts'
import type { Action } from '../actions/actions.ts'
import { useClipboard } from '../actions/clipboard.ts'
import { tellRefusal } from '../actions/refusals.ts'
import { redoLast, undoLast } from '../actions/undo.ts'
import { refreshDrive } from '../lists/lists.ts'
import { type Selection, selectOnly } from '../lists/selection.ts'
import { actionOf, inFolder, isTyping, type KeyAction, pageActions } from './files-keys.ts'
import type { ViewMode } from './grid/view-mode.ts'
import type { Able } from './menus.tsx'

interface Shown {
  readonly root: RefObject<HTMLElement | null>
  readonly able: Able
  readonly chosen: readonly ItemRecord[]
  readonly folder: ItemRecord | undefined
  readonly selection: Selection
  readonly setSelection: Dispatch<SetStateAction<Selection>>
  readonly onUp: () => void
  readonly onView: (mode: ViewMode) => void
  readonly onPanel: () => void
  readonly onPath: () => void
}

interface PageKeys {
  /** Runs an action, or says why it cannot be. */
  readonly attempt: (action: Action) => void
  readonly onKeyDown: (event: React.KeyboardEvent) => void
}

/** Answers keys on the folder page, and those that concern the folder anywhere outside of it. */
export function usePageKeys(shown: Shown): PageKeys {
  const { root, able, chosen, folder, selection, setSelection, onUp, onView, onPanel, onPath } = shown
  const { verdict, run } = able
  const clipboard = useClipboard()
  const here = folder === undefined ? [] : [folder]

  const onlyOne = selection.focus === undefined ? [...selection.keys].slice(0, 1) : [selection.focus]
  /** Runs what a key asks for, or says why not. */
  const attempt = (action: Action): void => {
    const { enabled, reason } = verdict(action)
    if (enabled) run[action]()
    else if (reason !== undefined) {
      const items = inFolder.includes(action) ? here : chosen
      tellRefusal({ action, reason, items, selectOne: () => setSelection(selectOnly(onlyOne)) })
    }
  }

  /** Does what a key asks for; true when it was one of ours. */
  const pressed = (action: KeyAction): boolean => {
    switch (action) {
      case 'up':
        onUp()
        break
      case 'back':
        goBack()
        break
      case 'forward':
        goForward()
        break
      case 'refresh':
        refreshDrive()
        break
      case 'undo':
        undoLast()
        break
      case 'redo':
        redoLast()
        break
      case 'list':
      case 'grid':
      case 'gallery':
        onView(action)
        break
      case 'panel':
        onPanel()
        break
      case 'path':
        onPath()
        break
      case 'filter':
        root.current?.querySelector<HTMLInputElement>('.dr-filter input')?.focus()
        break
      case 'open':
        if (chosen.length !== 1) return false
        attempt(action)
        break
      case 'preview':
        if (chosen.length !== 1 || chosen[0]?.fType === 2) return false
        attempt(action)
        break
      case 'paste':
        // Without items of ours the browser pastes, files from the desktop too.
        if (clipboard.items.length === 0) return false
        attempt(action)
        break
      default:
        attempt(action)
    }
    return true
  }

  const onKeyDown = (event: React.KeyboardEvent): void => {
    const { target } = event
    if (isTyping(target)) return
    // Enter and Space press the button that has the focus.
    if ((event.key === 'Enter' || event.key === ' ') && target instanceof HTMLButtonElement) return
    const action = actionOf(event)
    if (action !== undefined && pressed(action)) event.preventDefault()
  }

  // What concerns the folder works from the tree and from nowhere as well.
  const onPageKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target } = event
    if (event.defaultPrevented || isTyping(target) || !(target instanceof Element)) return
    if (root.current?.contains(target) || target.closest('[role=dialog], [role=menu]') !== null) return
    const action = actionOf(event)
    if (action !== undefined && pageActions.includes(action) && pressed(action)) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onPageKey)
    return () => window.removeEventListener('keydown', onPageKey)
  }, [])

  return { attempt, onKeyDown }
}
