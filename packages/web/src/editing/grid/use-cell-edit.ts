// The edit of a cell of a grid: the typed text, in the cell or in the formula bar, and the references in it.
import type { Entry } from '@cloudoc/office/workbook'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../core/i18n/i18n.ts'
import { spanOf } from './axis.ts'
import { cycleAbsolute, mayPoint, type Pointed, pointedAt } from './formula-pointing.ts'
import { cellSelection, type GridModel, type Selection, stepped } from './grid-model.ts'
import type { GridCursor } from './use-grid-cursor.ts'
import type { Viewport } from './use-viewport.ts'

export interface Edit {
  readonly text: string
  readonly inBar: boolean
  /** The arrow keys move in the text instead of to the next cell. */
  readonly stays: boolean
  /** The reference that was last inserted into the formula by selecting cells. */
  readonly pointed?: Pointed | undefined
}

export interface CellEdit {
  readonly edit: Edit | undefined
  readonly setEdit: (edit: Edit | undefined) => void
  /** The field of the cell, which receives all keys, and the one in the formula bar. */
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly bar: RefObject<HTMLInputElement | null>
  /** Begins to edit the active cell; returns false if it is read-only. */
  readonly begin: (text: string, how?: Partial<Edit>) => boolean
  readonly commit: () => void
  /** Writes the typed text to all selected cells; a formula is shifted as if copied from the first cell. */
  readonly commitToAll: () => void
  readonly insertLineBreak: (edit: Edit) => void
  readonly cycleReference: (edit: Edit) => void
  /** Inserts a cell reference into the typed formula, if one is valid at the caret. */
  readonly point: (edit: Edit, to: Selection) => boolean
  /** An arrow key inserts the next cell into a formula where a reference is valid. */
  readonly pointOn: (edit: Edit, arrow: readonly [number, number], extend: boolean, far: boolean) => boolean
}

interface CellEditOptions {
  readonly model: GridModel
  readonly isEditable: boolean
  readonly cursor: GridCursor
  readonly viewport: Viewport
  readonly put: (entries: readonly Entry[]) => void
  readonly onBegin: () => void
  readonly onRefused: (why: string) => void
}

export function useCellEdit({
  model,
  isEditable,
  cursor,
  viewport,
  put,
  onBegin,
  onRefused,
}: CellEditOptions): CellEdit {
  const field = useRef<HTMLTextAreaElement>(null)
  const bar = useRef<HTMLInputElement>(null)
  const caret = useRef<number>(undefined)
  const [edit, setEdit] = useState<Edit>()
  const { area, here, active } = cursor
  const { rows, columns, show } = viewport
  const fieldOf = (one: Edit): HTMLInputElement | HTMLTextAreaElement | null =>
    one.inBar ? bar.current : field.current

  // Places the field over the cell during an edit; before an edit it waits there.
  useLayoutEffect(() => {
    const own = field.current
    if (own === null || edit === undefined || edit.inBar) return
    own.style.width = 'auto'
    own.style.height = 'auto'
    own.style.width = `${Math.max(spanOf(columns, active.left, active.right), own.scrollWidth + 4)}px`
    own.style.height = `${Math.max(spanOf(rows, active.top, active.bottom), own.scrollHeight + 4)}px`
  })

  useLayoutEffect(() => {
    if (caret.current === undefined || edit === undefined) return
    fieldOf(edit)?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })

  const point: CellEdit['point'] = (one, to) => {
    const place = fieldOf(one)?.selectionStart ?? one.text.length
    const before = one.pointed !== undefined && one.pointed.to === place ? one.pointed : undefined
    if (before === undefined && !mayPoint(one.text, place)) return false
    const made = pointedAt(one.text, before ?? { from: place, to: fieldOf(one)?.selectionEnd ?? place }, to)
    caret.current = made.pointed.to
    setEdit({ ...one, ...made })
    requestAnimationFrame(() => show(to.toRow, to.toColumn))
    return true
  }
  return {
    edit,
    setEdit,
    field,
    bar,
    begin(text, how = {}) {
      const why = isEditable ? model.whyFixed(here.row, here.column) : t('grid.readOnly')
      if (why !== undefined) {
        onRefused(why)
        return false
      }
      onBegin()
      setEdit({ text, inBar: false, stays: false, ...how })
      return true
    },
    commit() {
      if (edit === undefined) return
      setEdit(undefined)
      put([{ row: here.row, column: here.column, text: edit.text }])
    },
    commitToAll() {
      if (edit === undefined) return
      setEdit(undefined)
      const entries: Entry[] = []
      for (let row = area.top; row <= area.bottom; row++) {
        for (let column = area.left; column <= area.right; column++) {
          entries.push({ row, column, text: model.relocated(edit.text, row - here.row, column - here.column) })
        }
      }
      put(entries)
    },
    insertLineBreak(one) {
      const own = field.current
      own?.setRangeText('\n', own.selectionStart, own.selectionEnd, 'end')
      setEdit({ ...one, text: own?.value ?? one.text, stays: true })
    },
    cycleReference(one) {
      const next = cycleAbsolute(one.text, fieldOf(one)?.selectionStart ?? one.text.length)
      if (next === undefined) return
      caret.current = next.caret
      setEdit({ ...one, text: next.text, pointed: undefined })
    },
    point,
    pointOn(one, [down, across], extend, far) {
      const last = one.pointed?.selection ?? cellSelection(here.row, here.column)
      const to = stepped(model, { row: last.toRow, column: last.toColumn }, down, across, far)
      return point(
        one,
        extend && one.pointed !== undefined
          ? { ...last, toRow: to.row, toColumn: to.column }
          : cellSelection(to.row, to.column),
      )
    },
  }
}
