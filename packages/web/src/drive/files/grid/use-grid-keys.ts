// Keyboard control of a list of rows: arrows, Page Up and Down, Home and End, select all, select none, and type-ahead
// by name.
import type { Dispatch, SetStateAction } from 'react'
import { beginsWith } from '../../../items/item/type-ahead.ts'
import type { FolderList } from '../../../items/lists/folder-list.ts'
import type { ListLayout } from '../../../items/lists/list-layout.ts'
import {
  clearSelection,
  countOf,
  invertSelection,
  type Modifiers,
  moveFocus,
  orderOf,
  type Selection,
  selectAll,
  toggleRow,
} from '../../../items/lists/selection.ts'
import { type Typed, useTypeAhead } from '../../../kit/use-type-ahead.ts'

interface GridKeyOptions {
  readonly list: FolderList
  readonly layout: ListLayout
  /** Whether a line holds several tiles. */
  readonly areTiles: boolean
  readonly focusIndex: number
  readonly selection: Selection
  readonly onSelect: Dispatch<SetStateAction<Selection>>
  /** Scrolls the row into view and focuses it. */
  readonly reveal: (index: number) => void
  /** The number of lines on a screen. */
  readonly pageLines: () => number
}

/** Returns the modifier keys of a click or key event. */
export function modifiersOf(event: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): Modifiers {
  return { toggle: event.ctrlKey || event.metaKey, extend: event.shiftKey }
}

/** Handles the keys and moves to rows that may not be loaded yet. */
export function useGridKeys(options: GridKeyOptions): {
  goTo: (index: number, modifiers: Modifiers) => void
  onKeyDown: (event: React.KeyboardEvent) => void
} {
  const { list, layout, areTiles, focusIndex, selection, onSelect, reveal, pageLines } = options
  const total = list.length

  const goTo = (index: number, modifiers: Modifiers): void => {
    const target = Math.max(0, Math.min(total - 1, index))
    const go = (): void => {
      onSelect((before) => moveFocus(before, orderOf(list), target, modifiers))
      reveal(Math.min(target, list.length - 1))
    }
    if (list.keyAt(target) !== undefined) go()
    else void list.ensure(target).then(go)
  }

  const typeAhead = useTypeAhead()
  const goToTyped = ({ text, fromFocus }: Typed): void => {
    void list.find(text, Math.max(0, fromFocus ? focusIndex : focusIndex + 1), beginsWith).then((index) => {
      if (index >= 0) goTo(index, {})
    })
  }

  const step = (lines: number): number =>
    focusIndex < 0 ? (lines > 0 ? 0 : total - 1) : layout.step(focusIndex, lines)
  const jumps: Partial<Record<string, () => number>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ...(areTiles && { ArrowRight: () => focusIndex + 1, ArrowLeft: () => focusIndex - 1 }),
    Home: () => 0,
    End: () => total - 1,
    PageDown: () => step(pageLines()),
    PageUp: () => step(-pageLines()),
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement || event.altKey) return
    const modifiers = modifiersOf(event)
    const command = modifiers.toggle === true
    const jump = jumps[event.key]
    const typed = typeAhead(event)
    if (jump !== undefined) {
      if (total > 0) goTo(jump(), modifiers)
    } else if (command && event.key.toLowerCase() === 'a') {
      onSelect(event.shiftKey ? invertSelection(selection, orderOf(list)) : selectAll(selection, orderOf(list)))
    } else if (command && event.key === ' ' && selection.focus !== undefined) {
      onSelect(toggleRow(selection, selection.focus))
    } else if (event.key === 'Escape' && countOf(selection) > 0) onSelect(clearSelection(selection))
    else if (typed !== undefined) goToTyped(typed)
    else return
    event.preventDefault()
    // Other Esc handlers of the page run in addition to clearing the selection.
    if (event.key !== 'Escape') event.stopPropagation()
  }
  return { goTo, onKeyDown }
}
