// The keys of a grid, during an edit and outside of one.
import type { Entry } from '@cloudoc/office/workbook'
import type { KeyboardEvent } from 'react'
import { filledFromEdge } from './fill.ts'
import { cellSelection, type GridModel, type Selection } from './grid-model.ts'
import type { CellEdit, Edit } from './use-cell-edit.ts'
import type { GridClipboard } from './use-grid-clipboard.ts'
import type { GridCursor } from './use-grid-cursor.ts'
import { rowHeight, type Viewport } from './use-viewport.ts'

interface GridKeys {
  readonly model: GridModel
  readonly extent: { readonly rows: number; readonly columns: number }
  readonly viewport: Viewport
  readonly cursor: GridCursor
  readonly cellEdit: CellEdit
  readonly clipboard: GridClipboard
  readonly focus: () => void
  readonly put: (entries: readonly Entry[]) => void
  readonly undo: () => void
  readonly redo: () => void
  /** Handles keys that the grid does not use; returns true if it used the key. */
  readonly onOther: ((event: KeyboardEvent<HTMLElement>) => boolean) | undefined
}

export function onGridKey(event: KeyboardEvent<HTMLElement>, grid: GridKeys): void {
  if (event.nativeEvent.isComposing || event.key === 'Process') return
  const { edit } = grid.cellEdit
  if (edit === undefined) {
    if (onIdleKey(event, grid)) event.preventDefault()
  } else if (onEditKey(event, edit, grid)) {
    event.preventDefault()
    event.stopPropagation()
  }
}

/** A key during an edit; returns whether it is used up, and not a key of the field. */
function onEditKey(event: KeyboardEvent<HTMLElement>, edit: Edit, { cellEdit, cursor, focus }: GridKeys): boolean {
  const withControl = event.ctrlKey || event.metaKey
  const { key, shiftKey: extend } = event
  const arrow = arrows[key]
  if (key === 'Escape') {
    cellEdit.setEdit(undefined)
    focus()
  } else if (key === 'Enter' && event.altKey && !edit.inBar) cellEdit.insertLineBreak(edit)
  else if (key === 'Enter' && withControl) cellEdit.commitToAll()
  else if (key === 'Enter' || key === 'Tab') {
    cellEdit.commit()
    focus()
    cursor.goOn(key, extend)
  } else if (key === 'F4') cellEdit.cycleReference(edit)
  else if (arrow !== undefined && !edit.stays && !edit.inBar) {
    if (cellEdit.pointOn(edit, arrow, extend, withControl)) return true
    if (withControl) return false
    cellEdit.commit()
    cursor.move(...arrow)
  } else return false
  return true
}

/** A key outside of an edit; returns whether it is used up. */
function onIdleKey(event: KeyboardEvent<HTMLElement>, grid: GridKeys): boolean {
  const { model, cursor, cellEdit, clipboard, put, undo, redo } = grid
  const { area, here, select } = cursor
  const withControl = event.ctrlKey || event.metaKey
  const { key, shiftKey: extend } = event
  const letter = withControl ? key.toLowerCase() : undefined
  if (isMoved(event, grid)) return true
  if (key === 'F2') cellEdit.begin(model.typed(here.row, here.column), { stays: true })
  else if (key === 'Delete' || key === 'Backspace') clipboard.clear()
  else if (key === 'Escape' && clipboard.copies.area !== undefined) clipboard.copies.forget()
  else if (key === ' ' && extend !== withControl) {
    select(extend ? cursor.rowsOf(area.top, area.bottom) : cursor.columnsOf(area.left, area.right), false)
  } else if (!extend && (letter === 'd' || letter === 'r')) {
    put(filledFromEdge(model, area, letter === 'd' ? 'down' : 'right'))
  } else if (withControl && event.code === 'Semicolon') cellEdit.begin(nowAs(extend ? 'time' : 'day'), { stays: true })
  else if (letter === 'a') select(cursor.everything(), false)
  else if (letter === 'z') {
    if (extend) redo()
    else undo()
  } else if (letter === 'y') redo()
  else {
    clipboard.pasteNext(extend && letter === 'v' ? 'values' : 'whole')
    return grid.onOther?.(event) === true
  }
  return true
}

/** A key that moves the active cell, or the end of the selection with Shift. */
function isMoved(event: KeyboardEvent<HTMLElement>, { cursor, extent, viewport }: GridKeys): boolean {
  const { selection, select, move } = cursor
  const withControl = event.ctrlKey || event.metaKey
  const { key, shiftKey: extend } = event
  const arrow = arrows[key]
  const reach = (row: number, column: number): Selection =>
    extend ? { ...selection, toRow: row, toColumn: column } : cellSelection(row, column)
  if (arrow !== undefined) move(...arrow, { extend, far: withControl })
  else if (key === 'Enter' || key === 'Tab') cursor.goOn(key, extend)
  else if ((key === 'PageDown' || key === 'PageUp') && !withControl) {
    const by = Math.max(1, Math.floor(viewport.place.height / (rowHeight * viewport.scale)) - 2)
    move(key === 'PageDown' ? by : -by, 0, { extend })
  } else if (key === 'Home') select(reach(withControl ? 0 : selection.toRow, 0))
  else if (key === 'End') {
    const row = withControl ? Math.max(0, extent.rows - 1) : selection.toRow
    select(reach(row, Math.max(0, extent.columns - 1)))
  } else return false
  return true
}

/** The current date or time as typed text. */
function nowAs(what: 'day' | 'time'): string {
  const now = new Date()
  return what === 'day'
    ? `${now.getFullYear()}/${now.getMonth() + 1}/${now.getDate()}`
    : `${now.getHours()}:${String(now.getMinutes()).padStart(2, '0')}`
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}
