// Shifts cells, areas and formula references after rows or columns are inserted or deleted.
import { type Area, areaOf, columnName, maxColumns, maxRows, parseRef, refOf } from './cells.ts'

/** An insertion of rows or columns before an index, or a deletion from an index on. */
export interface Shift {
  readonly axis: 'rows' | 'columns'
  readonly at: number
  /** Positive: the number inserted. Negative: the number deleted. */
  readonly by: number
}

/** The new index of a row or column; undefined if it was deleted. */
export function shiftedIndex({ at, by }: Shift, index: number): number | undefined {
  if (index < at) return index
  return by < 0 && index < at - by ? undefined : index + by
}

/** The new range of a span; undefined if nothing is left. */
export function shiftedSpan(move: Shift, from: number, to: number): readonly [from: number, to: number] | undefined {
  const { at } = move
  const first = shiftedIndex(move, from) ?? at
  const most = move.axis === 'rows' ? maxRows : maxColumns
  const last = Math.min(shiftedIndex(move, to) ?? at - 1, most - 1)
  return first > last ? undefined : [first, last]
}

/** The area after the move; undefined if nothing is left. */
export function shiftedArea(move: Shift, area: Area): Area | undefined {
  const [from, to] = move.axis === 'rows' ? [area.top, area.bottom] : [area.left, area.right]
  const span = shiftedSpan(move, from, to)
  if (span === undefined) return undefined
  return move.axis === 'rows' ? { ...area, top: span[0], bottom: span[1] } : { ...area, left: span[0], right: span[1] }
}

/** Moves `A1`, `A1:B2` or several of them separated by spaces; empty if nothing is left. */
export function shiftedRefs(move: Shift, refs: string): string {
  return refs
    .split(/\s+/)
    .flatMap((ref) => {
      const area = areaOf(ref)
      if (area === undefined) return [ref]
      const made = shiftedArea(move, area)
      if (made === undefined) return []
      const [from, to] = [refOf(made.top, made.left), refOf(made.bottom, made.right)]
      if (!ref.includes(':')) return [from]
      // Whole columns remain whole columns.
      return [/\d/.test(ref) ? `${from}:${to}` : `${columnName(made.left)}:${columnName(made.right)}`]
    })
    .join(' ')
}

const sheetName = String.raw`(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!`
const corner = String.raw`\$?[A-Za-z]{1,3}\$?\d{1,7}`
const pieces = new RegExp(
  [
    '"(?:[^"]|"")*"',
    // References to another file.
    String.raw`\[[^\]]*\](?:[\p{L}\p{N}_. ]*!)?(?:${corner}(?::${corner})?)?`,
    String.raw`(?<sheet>${sheetName})?(?<ref>${corner}(?::${corner})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d{1,7}:\$?\d{1,7})(?![\p{L}\p{N}_(.!:])`,
    String.raw`'(?:[^']|'')*'!?`,
    String.raw`[\p{L}_\\][\p{L}\p{N}_.]*`,
    String.raw`\d+\.?\d*(?:[eE][+-]?\d+)?`,
  ].join('|'),
  'gu',
)

/** Rewrites a formula of the sheet `home` after rows or columns of the sheet `on` have moved. */
export function shiftedFormula(move: Shift, formula: string, home: string, on: string): string {
  return formula.replace(pieces, (whole, ...rest) => {
    const { sheet = '', ref } = rest.at(-1) as { readonly sheet?: string; readonly ref?: string }
    if (ref === undefined) return whole
    const name =
      sheet === ''
        ? home
        : sheet
            .replace(/!$/, '')
            .replace(/^'(.*)'$/s, '$1')
            .replaceAll("''", "'")
    if (name.toLowerCase() !== on.toLowerCase()) return whole
    const made = shiftedReference(move, ref)
    return sheet + made
  })
}

function shiftedReference(move: Shift, ref: string): string {
  const [from = '', to = from] = ref.split(':')
  const own = /^(\$?)([A-Za-z]*)(\$?)(\d*)$/
  const [a, b] = [own.exec(from), own.exec(to)]
  if (a === null || b === null) return ref
  const isRows = move.axis === 'rows'
  const index = (found: RegExpExecArray): number => {
    if (isRows) return found[4] === '' ? -1 : Number(found[4]) - 1
    return found[2] === '' ? -1 : (parseRef(`${found[2]}1`)?.column ?? -1)
  }
  const [first, last] = [index(a), index(b)]
  // A whole column has no rows, and a whole row has no columns.
  if (first < 0 || last < 0) return ref
  const span = shiftedSpan(move, Math.min(first, last), Math.max(first, last))
  if (span === undefined) return '#REF!'
  const at = (found: RegExpExecArray, n: number): string => {
    const [, fixed = '', letters = '', fixedRow = '', digits = ''] = found
    return isRows ? `${fixed}${letters}${fixedRow}${n + 1}` : `${fixed}${columnName(n)}${fixedRow}${digits}`
  }
  const [start, end] = first <= last ? [span[0], span[1]] : [span[1], span[0]]
  return ref.includes(':') ? `${at(a, start)}:${at(b, end)}` : at(a, start)
}
