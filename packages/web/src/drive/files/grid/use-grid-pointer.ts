// Pointer handling of a grid: clicks select, a rubber band selects what it covers, the right button opens the menu, and
// names, icons and the selection can be dragged.
import { type Dispatch, type RefObject, type SetStateAction, useRef } from 'react'
import type { FolderList } from '../../../items/lists/folder-list.ts'
import {
  clearSelection,
  clickRow,
  knownItems,
  type Modifiers,
  orderOf,
  type Selection,
  selectBand,
  selectSpan,
  toggleRow,
} from '../../../items/lists/selection.ts'
import { startDrag } from '../../drag/drag.ts'
import { dragGhost } from '../../drag/drag-ghost.ts'
import type { ListSource } from './list-source.ts'
import { type Band, useRubberBand } from './rubber-band.ts'
import type { GridFocus } from './use-grid-focus.ts'
import { modifiersOf } from './use-grid-keys.ts'
import type { GridLayout } from './use-grid-layout.ts'
import { useSecondClick } from './use-second-click.ts'

interface Pointed {
  readonly scroller: RefObject<HTMLElement | null>
  readonly list: FolderList
  readonly place: Pick<GridLayout, 'layout' | 'coveredBy'>
  readonly focus: Pick<GridFocus, 'wantFocus' | 'focusGround'>
  readonly selection: Selection
  readonly onSelect: Dispatch<SetStateAction<Selection>>
  /** Moves to a row that may not be loaded yet. */
  readonly goTo: (index: number, modifiers: Modifiers) => void
  readonly onOpen: ListSource['onOpen']
  /** The user wants to rename the selected row. */
  readonly onRenameKey: () => void
  readonly onMenu: (at: { x: number; y: number }, selected: Selection) => void
}

type Handlers = Pick<
  React.DOMAttributes<HTMLElement>,
  'onClick' | 'onPointerDown' | 'onDoubleClick' | 'onContextMenu' | 'onDragStart'
>

/** Returns the position of the row at an event target. -1 for none. */
export function rowOf(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row === null ? -1 : Number(row.dataset.index)
}

const isOnCheck = (target: EventTarget): boolean => target instanceof Element && target.closest('[data-check]') !== null

/** Returns the handlers for the element around the rows, and the current rubber band. */
export function useGridPointer(pointed: Pointed): { band: Band | undefined; handlers: Handlers } {
  const { scroller, list, place, focus, selection, onSelect, goTo, onOpen, onRenameKey, onMenu } = pointed
  const before = useRef(selection)
  const { band, endedRef, onPointerDown } = useRubberBand(scroller, {
    begin: () => {
      before.current = selection
      focus.focusGround()
    },
    cover: (over, modifiers) => onSelect(selectBand(before.current, orderOf(list), place.coveredBy(over), modifiers)),
    cancel: () => onSelect(before.current),
  })
  const secondClick = useSecondClick(onRenameKey)
  /** Returns the selection after a menu or drag starts on a row: the row alone, unless it is already selected. */
  const chosenWith = (index: number): Selection => {
    const key = list.keyAt(index)
    return key === undefined || selection.keys.has(key) ? selection : clickRow(selection, orderOf(list), index)
  }

  const onClick = (event: React.MouseEvent): void => {
    if (endedRef.current) return
    const head = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-group]') : null
    const group = head === null ? undefined : place.layout.ofGroup(head.dataset.group ?? '')
    const modifiers = modifiersOf(event)
    if (group !== undefined) return onSelect(selectSpan(selection, orderOf(list), group, modifiers.toggle ?? false))
    const index = rowOf(event.target)
    const key = list.keyAt(index)
    if (key === undefined && index >= 0) return goTo(index, modifiers)
    if (key === undefined) {
      onSelect(clearSelection(selection))
      focus.focusGround()
      return
    }
    focus.wantFocus()
    if (isOnCheck(event.target) && !event.shiftKey) onSelect(toggleRow(selection, key))
    else {
      secondClick.clicked(event, key, selection.keys.size === 1)
      onSelect(clickRow(selection, orderOf(list), index, modifiers))
    }
  }

  const onContextMenu = (event: React.MouseEvent): void => {
    event.preventDefault()
    const index = rowOf(event.target)
    const after = list.keyAt(index) === undefined ? clearSelection(selection) : chosenWith(index)
    if (after !== selection) onSelect(after)
    // The menu key has no pointer position: the menu opens at the row.
    const box = (event.target as Element).getBoundingClientRect()
    const byKey = event.button !== 2
    onMenu(byKey ? { x: box.left + 44, y: box.bottom } : { x: event.clientX, y: event.clientY }, after)
  }

  return {
    band,
    handlers: {
      onClick,
      onContextMenu,
      onPointerDown(event) {
        // A press outside a drag handle starts a rubber band.
        const grip = event.target instanceof Element && event.target.closest('[draggable=true], input, [data-check]')
        if (!grip) onPointerDown(event)
        else endedRef.current = false
      },
      onDoubleClick(event) {
        secondClick.stop()
        const item = list.snapshot().items[rowOf(event.target)]
        if (item !== undefined && !isOnCheck(event.target)) onOpen?.(item)
      },
      onDragStart(event) {
        const index = rowOf(event.target)
        if (list.keyAt(index) === undefined) return
        const chosen = chosenWith(index)
        if (chosen !== selection) onSelect(chosen)
        const items = knownItems(chosen, list)
        startDrag(event, items, dragGhost(items))
      },
    },
  }
}
