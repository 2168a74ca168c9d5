// Cell references, and parsing of the text that the user types into a cell.
import { format, parseValue } from 'numfmt'

/** Returns the name of a column: A, B, … Z, AA and so on. */
export function columnName(column: number): string {
  const rest = String.fromCharCode(65 + (column % 26))
  return column < 26 ? rest : columnName(Math.floor(column / 26) - 1) + rest
}

/** Returns the reference, for example `B7`, of a row and a column, both counted from 0. */
export const refOf = (row: number, column: number): string => `${columnName(column)}${row + 1}`

/** Parses `B7` or `$B$7` into a row and a column, both counted from 0. */
export function parseRef(ref: string): { readonly row: number; readonly column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(ref) ?? []
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  const row = Number(digits) - 1
  return row < 0 || row >= maxRows || column > maxColumns ? undefined : { row, column: column - 1 }
}

export const maxRows = 1_048_576
export const maxColumns = 16_384

/** A rectangle of cells; both corners are inclusive. */
export interface Area {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** Parses `B7:C9`, `B:C` or `B7` into an area. */
export function areaOf(ref: string): Area | undefined {
  const [, first, last] = /^\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})$/.exec(ref) ?? []
  if (first !== undefined) {
    const [a, b] = [parseRef(`${first}1`), parseRef(`${last}${maxRows}`)]
    return a && b && between(a.row, a.column, b.row, b.column)
  }
  const [from = '', to = from] = ref.split(':')
  const [a, b] = [parseRef(from), parseRef(to)]
  return a && b && between(a.row, a.column, b.row, b.column)
}

/** Returns the area between two corner cells in any order. */
export function between(row: number, column: number, otherRow: number, otherColumn: number): Area {
  return {
    top: Math.min(row, otherRow),
    left: Math.min(column, otherColumn),
    bottom: Math.max(row, otherRow),
    right: Math.max(column, otherColumn),
  }
}

export const isIn = ({ top, left, bottom, right }: Area, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

/** Whether two areas overlap. */
export const intersects = (a: Area, b: Area): boolean =>
  a.top <= b.bottom && a.bottom >= b.top && a.left <= b.right && a.right >= b.left

/** The content of a cell. The `text` of a formula is its last computed result. */
export type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'error'; readonly value: string }
  | { readonly kind: 'text'; readonly value: string }

/** An edit of a cell by the user. */
export interface Entry {
  readonly row: number
  readonly column: number
  readonly text: string
  /** The cell whose style and number format are copied. */
  readonly like?: { readonly row: number; readonly column: number }
}

/** The parsed input: a content, a formula without its `=`, and the number of the matching built-in number format. */
export interface Typed {
  readonly content: Content
  readonly formula?: string
  readonly format?: number
}

const isDate = (code: string): boolean => /[ymdhs]/i.test(code.replace(/"[^"]*"|\[(?!h|m|s)[^\]]*\]|\\./gi, ''))

/**
 * Parses the text typed into a cell with the number format `code`. Dates are day counts since 1900 or, in some
 * workbooks, since 1904.
 */
export function readTyped(text: string, code: string, since1904 = false): Typed {
  if (text === '') return { content: { kind: 'empty' } }
  if (text.startsWith('=') && text.length > 1) return { content: { kind: 'empty' }, formula: text.slice(1) }
  if (text.startsWith("'")) return { content: { kind: 'text', value: text.slice(1) } }
  const asText: Typed = { content: { kind: 'text', value: text } }
  if (code === '@') return asText
  if (/^(true|false)$/i.test(text)) return { content: { kind: 'boolean', value: text.toLowerCase() === 'true' } }
  const trimmed = text.trim()
  // Long digit strings are identifiers. A number would lose their last digits.
  if (/^\d{16,}$/.test(trimmed) || /^0\d/.test(trimmed)) return asText
  const found = parseValue(chineseDate(trimmed), { locale: 'zh-CN' })
  if (typeof found?.value !== 'number' || !Number.isFinite(found.value)) return asText
  const { value, formatId: format } = found
  if (format === undefined) {
    return { content: { kind: 'number', value: code.includes('%') ? percentOf(value) : value } }
  }
  const isDay = dayFormats.has(format)
  const content: Content = { kind: 'number', value: since1904 && isDay ? value - 1462 : value }
  // A number format that the user has chosen is retained, unless it would display a date as a number.
  return code === 'General' || (isDay && !isDate(code)) ? { content, format } : { content }
}

const dayFormats: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

/** Returns 0.07 for 7, without the rounding error of a division. */
const percentOf = (value: number): number => Number(`${value}e-2`)

const chineseDate = (text: string): string =>
  /^\d{4}年\d{1,2}月\d{1,2}日$/.test(text) ? text.replace(/[年月]/g, '-').replace('日', '') : text

/** Returns the text to display in the edit field for a content. */
export function typedOf(content: Content, code: string, since1904 = false): string {
  if (content.kind === 'empty') return ''
  if (content.kind === 'boolean') return content.value ? 'TRUE' : 'FALSE'
  if (content.kind === 'error') return content.value
  if (content.kind === 'text') {
    const { value } = content
    const read = readTyped(value, code)
    return read.formula !== undefined || read.content.kind !== 'text' || value.startsWith("'") ? `'${value}` : value
  }
  const { value } = content
  if (isDate(code) && value >= 0) {
    const days = since1904 ? value + 1462 : value
    const as = days % 1 === 0 ? 'yyyy/m/d' : days < 1 ? 'h:mm:ss' : 'yyyy/m/d h:mm:ss'
    try {
      return format(as, days, { locale: 'zh-CN', throws: true })
    } catch {
      return String(value)
    }
  }
  if (code.includes('%')) {
    const percent = Number(`${value}e2`)
    return `${Number.isNaN(percent) ? value * 100 : percent}%`
  }
  return String(value)
}

/** Shifts the relative references of a formula by rows and columns. References with $ do not change. */
export function relocatedFormula(formula: string, rows: number, columns: number): string {
  if (rows === 0 && columns === 0) return formula
  const movedColumn = (fixed: string, letters: string): string | undefined => {
    const column = (parseRef(`${letters}1`)?.column ?? -1) + (fixed === '$' ? 0 : columns)
    return column < 0 || column >= maxColumns ? undefined : `${fixed}${columnName(column)}`
  }
  const movedRow = (fixed: string, digits: string): string | undefined => {
    const row = Number(digits) - 1 + (fixed === '$' ? 0 : rows)
    return row < 0 || row >= maxRows ? undefined : `${fixed}${row + 1}`
  }
  return formula.replace(
    /"(?:[^"]|"")*"|'(?:[^']|'')*'!?|\[[^\]]*\]|(?<![\w.$:])(\$?)([A-Za-z]{1,3}):(\$?)([A-Za-z]{1,3})(?![\w(.!:])|(?<![\w.$])(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})(?![\w(.!])/g,
    (whole, ...found: (string | undefined)[]) => {
      const [fixed = '', from, fixedTo = '', to = '', fixedColumn = '', letters, fixedRow = '', digits = ''] = found
      if (from !== undefined) {
        const [first, last] = [movedColumn(fixed, from), movedColumn(fixedTo, to)]
        return first === undefined || last === undefined ? '#REF!' : `${first}:${last}`
      }
      if (letters === undefined || parseRef(`${letters}${digits}`) === undefined) return whole
      const [column, row] = [movedColumn(fixedColumn, letters), movedRow(fixedRow, digits)]
      return column === undefined || row === undefined ? '#REF!' : column + row
    },
  )
}
