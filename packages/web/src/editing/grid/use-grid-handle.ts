// The handle of a grid, through which its editor and the changes of other users reach it.
import { type RefObject, useImperativeHandle } from 'react'
import { type Selection } from './grid-model.ts'
import type { CellEdit } from './use-cell-edit.ts'
import type { Copies } from './use-grid-clipboard.ts'
import type { GridCursor } from './use-grid-cursor.ts'

/** The interface of a grid to its editor. */
export interface GridHandle {
  readonly focus: () => void
  readonly go: (selection: Selection) => void
  readonly selection: () => Selection
  /** Commits the typed text to the table. */
  readonly commit: () => void
  /**
   * Another user has applied a structure operation: moves the selection and the active edit to where `placeOf` returns.
   * Returns the text of the active edit if its cell no longer exists.
   */
  readonly turned: (placeOf: PlaceOf, moved: (formula: string) => string) => string | undefined
}

type PlaceOf = (row: number, column: number) => { readonly row: number; readonly column: number } | undefined

interface GridParts {
  readonly cursor: GridCursor
  readonly cellEdit: CellEdit
  readonly copies: Copies
  readonly focus: () => void
}

export function useGridHandle(
  handle: RefObject<GridHandle | null>,
  { cursor, cellEdit, copies, focus }: GridParts,
): void {
  const { selection, here, select } = cursor
  const { edit, setEdit, commit } = cellEdit
  useImperativeHandle(handle, () => ({
    focus,
    go: (next) => select(next),
    selection: () => selection,
    commit,
    turned(placeOf, moved) {
      const from = placeOf(selection.row, selection.column) ?? selection
      const to = placeOf(selection.toRow, selection.toColumn) ?? from
      const typedInto = placeOf(here.row, here.column)
      copies.forget()
      cursor.rebase({ row: from.row, column: from.column, toRow: to.row, toColumn: to.column }, typedInto)
      if (edit === undefined) return undefined
      if (typedInto !== undefined) setEdit({ ...edit, text: moved(edit.text), pointed: undefined })
      else setEdit(undefined)
      return typedInto === undefined ? edit.text : undefined
    },
  }))
}
