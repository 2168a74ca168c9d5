// The grid model of a CSV file; rows that were not edited are written unchanged.
import {
  commonLineEnd,
  type DelimitedRow,
  delimiterOf,
  fieldOf,
  fieldText,
  readDelimited,
  splitLines,
  writeDelimited,
} from '@cloudoc/domain'
import { maxColumns, maxRows } from '@cloudoc/office/workbook'
import type { GridModel } from '../grid/grid-model.ts'

/** A replacement of rows. */
interface Splice {
  readonly at: number
  readonly removed: readonly DelimitedRow[]
  readonly added: readonly DelimitedRow[]
}

export interface TableModel extends GridModel {
  /** The table as CSV text. */
  readonly text: () => string
  /** Restores a draft as one undo step. */
  readonly restore: (text: string) => void
  /** Reverts the last step; returns its row. */
  readonly undo: () => number | undefined
  readonly redo: () => number | undefined
  readonly delimiter: () => string
}

const numbers = { align: 'end' } as const
const nothing: ReadonlyMap<number, number> = new Map()

/** Parses a number cell, for alignment and sums. */
const numberOf = (text: string): number | undefined =>
  /^\s*[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?(?:e[-+]?\d+)?%?\s*$/i.test(text) && /\d/.test(text)
    ? Number(text.replace(/[,%\s]/g, '')) / (text.includes('%') ? 100 : 1)
    : undefined

/** The widths of columns that need more than the default, from their first rows. */
function widthsOf(rows: readonly DelimitedRow[]): ReadonlyMap<number, number> {
  const widths = new Map<number, number>()
  for (const { fields } of rows.slice(0, 200)) {
    for (const [column, field] of fields.entries()) {
      // A Chinese character is as wide as two Latin letters.
      const letters = field.length + (field.match(/[\u2e80-\uffdc]/g)?.length ?? 0)
      const width = Math.min(320, letters * 7 + 16)
      if (width > (widths.get(column) ?? 88)) widths.set(column, width)
    }
  }
  return widths
}

/** Opens a CSV text. */
export function openTable(text: string, ext: string): TableModel {
  const delimiter = delimiterOf(text, ext)
  const end = commonLineEnd(splitLines(text).ends)
  let rows = readDelimited(text, delimiter)
  const widths = widthsOf(rows)
  let columns: number | undefined
  let revision = 0
  const [undone, done]: [Splice[][], Splice[][]] = [[], []]
  const listeners = new Set<() => void>()
  const width = (): number => (columns ??= rows.reduce((most, { fields }) => Math.max(most, fields.length), 0))
  const changed = (): void => {
    columns = undefined
    revision++
    for (const listener of listeners) listener()
  }
  const splice = (step: readonly Splice[], to: 'removed' | 'added'): void => {
    for (const one of to === 'added' ? step : step.toReversed()) {
      const [from, by] = to === 'added' ? [one.removed, one.added] : [one.added, one.removed]
      rows = [...rows.slice(0, one.at), ...by, ...rows.slice(one.at + from.length)]
    }
    changed()
  }
  const take = (step: Splice[]): void => {
    if (step.length === 0) return
    done.push(step)
    undone.length = 0
    splice(step, 'added')
  }
  const typed = (row: number, column: number): string => fieldText(rows[row]?.fields[column] ?? '')
  const withFields = (row: DelimitedRow, entries: readonly { readonly column: number; readonly text: string }[]) => {
    const fields = [...row.fields]
    for (const { column, text: own } of entries) {
      if (own === fieldText(fields[column] ?? '')) continue
      while (fields.length < column) fields.push('')
      fields[column] = fieldOf(own, delimiter, fields[column])
    }
    return { ...row, fields }
  }
  const isOther = (a: DelimitedRow, b: DelimitedRow): boolean =>
    a.end !== b.end || a.fields.length !== b.fields.length || a.fields.some((field, n) => field !== b.fields[n])

  return {
    revision: () => revision,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    extent: () => ({ rows: rows.length, columns: width() }),
    maxRows: maxRows,
    maxColumns: maxColumns,
    heights: nothing,
    widths,
    merges: [],
    frozen: { rows: 0, columns: 0 },
    displayed(row, column) {
      const own = typed(row, column)
      const isNumber = numberOf(own) !== undefined
      return { text: own, style: isNumber ? numbers : {}, isNumber }
    },
    typed,
    number: (row, column) => numberOf(typed(row, column)),
    type(entries) {
      const byRow = Map.groupBy(
        entries.filter(({ row, column, text: own }) => own !== typed(row, column)),
        ({ row }) => row,
      )
      const step: Splice[] = []
      const inside = [...byRow].filter(([row]) => row < rows.length)
      for (const [row, own] of inside) {
        const before = rows[row]
        if (before === undefined) continue
        const after = withFields(before, own)
        if (isOther(before, after)) step.push({ at: row, removed: [before], added: [after] })
      }
      const last = Math.max(-1, ...[...byRow.keys()].filter((row) => row >= rows.length))
      if (last >= 0) {
        // A text without a final line end still has none after rows are appended.
        const before = rows.at(-1)
        const isOpen = before?.end === ''
        const own = before && (step.find(({ at }) => at === rows.length - 1)?.added[0] ?? before)
        if (isOpen && own !== undefined) {
          step.push({ at: rows.length - 1, removed: [own], added: [{ ...own, end }] })
        }
        const empty = { fields: Array.from({ length: Math.max(1, width()) }, () => ''), end }
        const added = Array.from({ length: last + 1 - rows.length }, (_, n) => {
          const made = withFields(empty, byRow.get(rows.length + n) ?? [])
          return isOpen && rows.length + n === last ? { ...made, end: '' } : made
        })
        step.push({ at: rows.length, removed: [], added })
      }
      take(step)
      return undefined
    },
    whyFixed: () => undefined,
    relocated: (own) => own,
    text: () => writeDelimited(rows, delimiter),
    restore: (kept) => take([{ at: 0, removed: rows, added: readDelimited(kept, delimiter) }]),
    undo() {
      const step = done.pop()
      if (step === undefined) return undefined
      undone.push(step)
      splice(step, 'removed')
      return step[0]?.at
    },
    redo() {
      const step = undone.pop()
      if (step === undefined) return undefined
      done.push(step)
      splice(step, 'added')
      return step[0]?.at
    },
    delimiter: () => delimiter,
  }
}
