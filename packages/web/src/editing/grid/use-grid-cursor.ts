// The cursor of a grid: the active cell within the selection, and how keys move it.
import type { Area } from '@cloudoc/office/workbook'
import { useRef, useState } from 'react'
import { cellSelection, type GridModel, mergeAt, nextWithin, type Selection, selected, stepped } from './grid-model.ts'

interface Cell {
  readonly row: number
  readonly column: number
}

export interface GridCursor {
  readonly selection: Selection
  readonly area: Area
  /** The active cell, and its area if it is merged. */
  readonly here: Cell
  readonly active: Area
  /** The selection is just the active cell. */
  readonly isOne: boolean
  readonly select: (next: Selection, isShown?: boolean) => void
  readonly move: (rows: number, columns: number, how?: { readonly extend?: boolean; readonly far?: boolean }) => void
  /** Enter moves down, Tab moves right. Enter after Tab moves to the next row, in the column of the first Tab. */
  readonly goOn: (key: 'Enter' | 'Tab', isBack: boolean) => void
  /** Another user has changed the structure: the selection, and where the active cell is now. */
  readonly rebase: (next: Selection, active: Cell | undefined) => void
  readonly rowsOf: (row: number, toRow: number) => Selection
  readonly columnsOf: (column: number, toColumn: number) => Selection
  readonly everything: () => Selection
}

interface CursorOptions {
  readonly model: GridModel
  readonly extent: { readonly rows: number; readonly columns: number }
  readonly selection: Selection
  readonly setSelection: (next: Selection) => void
  readonly onSelect: (selection: Selection) => void
  readonly show: (row: number, column: number) => void
}

export function useGridCursor({ model, extent, selection, setSelection, onSelect, show }: CursorOptions): GridCursor {
  /** The active cell, after Enter or Tab has moved it inside the selection. */
  const [inner, setInner] = useState<Cell>()
  /** The row that Tab moves along, its start column, and its current column. */
  const line = useRef<{ readonly row: number; readonly from: number; readonly at: number }>(undefined)
  const area = selected(model, selection)
  const here = inner ?? selection
  const active = mergeAt(model, here.row, here.column) ?? {
    top: here.row,
    bottom: here.row,
    left: here.column,
    right: here.column,
  }
  const isOne =
    area.top === active.top && area.left === active.left && area.bottom === active.bottom && area.right === active.right
  const [lastRow, lastColumn] = [Math.max(0, extent.rows - 1), Math.max(0, extent.columns - 1)]

  const select = (next: Selection, isShown = true): void => {
    setSelection(next)
    setInner(undefined)
    onSelect(next)
    if (isShown) requestAnimationFrame(() => show(next.toRow, next.toColumn))
  }
  const move: GridCursor['move'] = (rowsBy, columnsBy, { extend = false, far = false } = {}) => {
    const from = extend ? { row: selection.toRow, column: selection.toColumn } : here
    const to = stepped(model, from, rowsBy, columnsBy, far)
    select(extend ? { ...selection, toRow: to.row, toColumn: to.column } : cellSelection(to.row, to.column))
  }
  const goOn: GridCursor['goOn'] = (key, isBack) => {
    if (!isOne) {
      const next = nextWithin(model, area, here, key, isBack)
      setInner(next)
      requestAnimationFrame(() => show(next.row, next.column))
      return
    }
    const before = line.current
    const isAlong = before !== undefined && before.row === selection.row && before.at === selection.column
    if (key === 'Enter') {
      if (isAlong && !isBack) return select(cellSelection(Math.min(model.maxRows - 1, selection.row + 1), before.from))
      return move(isBack ? -1 : 1, 0)
    }
    const to = stepped(model, selection, 0, isBack ? -1 : 1, false)
    select(cellSelection(to.row, to.column))
    line.current = { row: to.row, from: isAlong ? before.from : selection.column, at: to.column }
  }
  return {
    selection,
    area,
    here,
    active,
    isOne,
    select,
    move,
    goOn,
    rebase(next, cell) {
      select(next, false)
      if (inner !== undefined && cell !== undefined) setInner(cell)
    },
    rowsOf: (row, toRow) => ({ row, column: 0, toRow, toColumn: lastColumn }),
    columnsOf: (column, toColumn) => ({ row: 0, column, toRow: lastRow, toColumn }),
    everything: () => ({ row: 0, column: 0, toRow: lastRow, toColumn: lastColumn }),
  }
}
