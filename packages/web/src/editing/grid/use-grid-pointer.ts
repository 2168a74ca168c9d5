// The pointer on a grid: selects cells, inserts them into a formula, and drags the fill handle and the edges of rows and
// columns.
import type { Area } from '@cloudoc/office/workbook'
import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { doubleClickFillArea, dragFillArea } from './fill.ts'
import { cellSelection, type GridModel, mergeAt } from './grid-model.ts'
import type { CellEdit } from './use-cell-edit.ts'
import type { GridCursor } from './use-grid-cursor.ts'
import type { EdgeDrag } from './use-resizing.ts'
import type { Viewport } from './use-viewport.ts'

interface GridPointer {
  /** The area that the fill handle has been dragged over. */
  readonly filling: Area | undefined
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLDivElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLDivElement>) => void
    readonly onPointerUp: (event: PointerEvent<HTMLDivElement>) => void
    readonly onContextMenu: (event: MouseEvent<HTMLDivElement>) => void
    readonly onDoubleClick: (event: MouseEvent<HTMLDivElement>) => void
  }
}

interface GridPointerOptions {
  readonly model: GridModel
  readonly viewport: Viewport
  readonly cursor: GridCursor
  readonly cellEdit: CellEdit
  readonly edges: EdgeDrag
  readonly fill: (from: Area, to: Area, isCopied: boolean) => void
  readonly focus: () => void
  readonly menuEntries: () => readonly MenuEntry[]
}

export function useGridPointer({
  model,
  viewport,
  cursor,
  cellEdit,
  edges,
  fill,
  focus,
  menuEntries,
}: GridPointerOptions): GridPointer {
  const drag = useRef<'cells' | 'rows' | 'columns' | 'pointing' | 'filling'>(undefined)
  /** Whether the last pointer press was on the fill handle; the grid then captures the pointer. */
  const isAtHandle = useRef(false)
  const [filling, setFilling] = useState<Area>()
  const { cellAt, head, side } = viewport
  const { selection, area, here, select } = cursor
  const { edit } = cellEdit

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0 || (event.target as Element).closest('textarea, button') !== null) return
    const room = event.currentTarget
    // Ignores the scroll bars.
    const box = room.getBoundingClientRect()
    if (event.clientX - box.left > room.clientWidth || event.clientY - box.top > room.clientHeight) return
    event.preventDefault()
    const { row, column, where } = cellAt(event)
    if (edit !== undefined && where === 'cell' && cellEdit.point(edit, cellSelection(row, column))) {
      drag.current = 'pointing'
      room.setPointerCapture(event.pointerId)
      return
    }
    cellEdit.commit()
    isAtHandle.current = (event.target as Element).closest('.gr-handle') !== null
    if (isAtHandle.current) {
      drag.current = 'filling'
      room.setPointerCapture(event.pointerId)
      return
    }
    const edge = edges.edgeAt(event)
    if (edge !== undefined) {
      edges.begin(edge)
      room.setPointerCapture(event.pointerId)
      return
    }
    if (where === 'corner') select(cursor.everything(), false)
    else if (where === 'head') select(cursor.columnsOf(event.shiftKey ? selection.column : column, column), false)
    else if (where === 'side') select(cursor.rowsOf(event.shiftKey ? selection.row : row, row), false)
    else {
      const around = mergeAt(model, row, column)
      if (event.shiftKey) select({ ...selection, toRow: row, toColumn: column }, false)
      else select(cellSelection(around?.top ?? row, around?.left ?? column), false)
    }
    if (where !== 'corner') {
      drag.current = where === 'head' ? 'columns' : where === 'side' ? 'rows' : 'cells'
      room.setPointerCapture(event.pointerId)
    }
    focus()
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (edges.drag(event)) return
    if (drag.current === undefined) {
      const edge = edges.edgeAt(event)
      event.currentTarget.style.cursor = edge === undefined ? '' : edge.axis === 'columns' ? 'col-resize' : 'row-resize'
      return
    }
    const { row, column } = cellAt(event)
    if (drag.current === 'filling') {
      setFilling(dragFillArea(area, row, column))
      viewport.show(row, column)
    } else if (drag.current === 'pointing') {
      const from = edit?.pointed?.selection
      if (edit === undefined || from === undefined || (from.toRow === row && from.toColumn === column)) return
      cellEdit.point(edit, { ...from, toRow: row, toColumn: column })
    } else if (drag.current === 'columns') select(cursor.columnsOf(selection.column, column), false)
    else if (drag.current === 'rows') select(cursor.rowsOf(selection.row, row), false)
    else if (row !== selection.toRow || column !== selection.toColumn)
      select({ ...selection, toRow: row, toColumn: column })
  }
  const onPointerUp = (event: PointerEvent<HTMLDivElement>): void => {
    const what = drag.current
    drag.current = undefined
    if (what === 'filling') {
      setFilling(undefined)
      if (filling !== undefined && isBeyond(filling, area)) fill(area, filling, event.ctrlKey)
      focus()
    }
    if (edges.end(event)) focus()
  }
  const onContextMenu = (event: MouseEvent<HTMLDivElement>): void => {
    event.preventDefault()
    const { row, column, where } = cellAt(event)
    const isInside = row >= area.top && row <= area.bottom && column >= area.left && column <= area.right
    if (where === 'cell' && !isInside) flushSync(() => select(cellSelection(row, column), false))
    // Closing the menu restores the focus to the element that has it now.
    focus()
    void showMenu(menuEntries(), { x: event.clientX, y: event.clientY })
  }
  const onDoubleClick = (event: MouseEvent<HTMLDivElement>): void => {
    if (isAtHandle.current) {
      const to = doubleClickFillArea(model, area)
      if (to.bottom > area.bottom) fill(area, to, false)
      return
    }
    const edge = edges.edgeAt(event)
    if (edge !== undefined) {
      edges.fit(edge, getComputedStyle(event.currentTarget).fontFamily)
      return
    }
    const box = event.currentTarget.getBoundingClientRect()
    if (event.clientY - box.top > head && event.clientX - box.left > side && edit === undefined)
      cellEdit.begin(model.typed(here.row, here.column), { stays: true })
  }
  return { filling, handlers: { onPointerDown, onPointerMove, onPointerUp, onContextMenu, onDoubleClick } }
}

const isBeyond = (one: Area, area: Area): boolean =>
  one.bottom > area.bottom || one.right > area.right || one.top < area.top || one.left < area.left
