/*
 * The values of formulas and their conversion, as spreadsheet programs convert them. What two programs convert
 * differently, or what depends on the language of the program, throws `UnsupportedFormula`: no result is stored that
 * another program would not compute.
 */

/** A formula that this evaluator does not support, or whose result it cannot compute exactly. */
export class UnsupportedFormula extends Error {}

/** An error value of a cell. */
export class CellError {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

export type Value = number | string | boolean | CellError | undefined

/** The cells of a reference. Rows below the used rows are empty and not listed. */
export class CellRange {
  readonly lines: readonly (readonly Value[])[]
  /** The number of rows and columns of the reference, with the rows that are not listed. */
  readonly rows: number
  readonly columns: number

  constructor(lines: readonly (readonly Value[])[], rows: number, columns: number) {
    this.lines = lines
    this.rows = rows
    this.columns = columns
  }

  /** The value of a cell, counted from 0. */
  at(row: number, column: number): Value {
    return this.lines[row]?.[column]
  }

  /** All listed values. */
  values(): Value[] {
    return this.lines.flat()
  }
}

export type Found = Value | CellRange

/** Returns a single value. A range of several cells is not supported as one value. */
export function singleOf(found: Found): Value {
  if (!(found instanceof CellRange)) return found
  if (found.rows > 1 || found.columns > 1) throw new UnsupportedFormula('several cells where one belongs')
  return found.at(0, 0)
}

/** The words that can be part of a date, a time or a number; other words make a text not a number. */
const numberWords =
  /^(?:e|am|pm|a|p|d|h|m|s|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|[年月日时時分秒上下午点元角〇零一二三四五六七八九十百千万亿]+)$/iu

/**
 * Converts a text to a number: plain numbers, groups of three digits, percentages, and dates of year, month and day.
 * Returns undefined for a text that is no number; throws for one that only some programs or languages convert.
 */
export function numberIn(text: string): number | undefined {
  const trimmed = text.replace(/^ +| +$/g, '')
  const [, digits, percent] = /^([-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?|[-+]?\.\d+)(%)?$/.exec(trimmed) ?? []
  if (digits !== undefined) {
    const number = digits.replaceAll(',', '')
    return Number(percent === undefined ? number : `${Number(number)}e-2`)
  }
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)e[-+]?\d{1,3}$/i.test(trimmed)) return Number(trimmed)
  const [, year, , month, day] = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/.exec(trimmed) ?? []
  if (year !== undefined && Number(year) > 1900) {
    const time = Date.UTC(Number(year), Number(month) - 1, Number(day))
    const date = new Date(time)
    return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
      ? time / 86_400_000 + 25_569
      : undefined
  }
  if (!/\p{N}/u.test(trimmed) && !/[〇零一二三四五六七八九十]/u.test(trimmed)) return undefined
  if (trimmed.match(/\p{L}+/gu)?.some((word) => !numberWords.test(word)) === true) return undefined
  throw new UnsupportedFormula('a text that not every program reads as a number')
}

/** Converts a value to a number. */
export function numberOf(value: Value): number | CellError {
  if (value === undefined) return 0
  if (typeof value === 'number' || value instanceof CellError) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return numberIn(value) ?? new CellError('#VALUE!')
}

/** Converts a value to a text: numbers with at most 15 digits. */
export function textOfValue(value: Exclude<Value, CellError>): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'string') return value
  const number = Number(value.toPrecision(15))
  if (number === 0) return '0'
  if (Math.abs(number) >= 1e21) {
    const [mantissa = '', exponent = ''] = number.toExponential().split('e+')
    return `${mantissa}E+${exponent}`
  }
  if (Math.abs(number) >= 1e-6) return String(number)
  const [mantissa = '', exponent = ''] = number.toExponential().split('e-')
  const all = mantissa.replace(/[-.]/g, '')
  // Programs change to an exponent at different lengths.
  if (Number(exponent) + all.length > 10) throw new UnsupportedFormula('a small number as a text')
  return `${number < 0 ? '-' : ''}0.${'0'.repeat(Number(exponent) - 1)}${all}`
}

/** Whether two numbers are equal in 15 digits, the precision of spreadsheet programs. */
export const isSameNumber = (a: number, b: number): boolean =>
  a === b || Number(a.toPrecision(15)) === Number(b.toPrecision(15))

const rank = (value: Value): number => (typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2)
const emptyFor = (other: Value): Value => (typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0)

/** Whether two values are equal. Texts are compared without case. */
export function isSameValue(left: Value, right: Value): boolean {
  const [a, b] = [left ?? emptyFor(right), right ?? emptyFor(left)]
  if (typeof a === 'number' && typeof b === 'number') return isSameNumber(a, b)
  return typeof a === 'string' && typeof b === 'string' ? a.toLowerCase() === b.toLowerCase() : a === b
}

/**
 * Compares values: numbers sort before texts, texts before booleans. The order of texts other than letters and digits
 * depends on the language of the program, so it is not supported.
 */
export function order(left: Value, right: Value): number {
  if (isSameValue(left, right)) return 0
  const [a, b] = [left ?? emptyFor(right), right ?? emptyFor(left)]
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a === 'string' && typeof b === 'string') {
    if (!/^[a-z\d ]*$/i.test(a) || !/^[a-z\d ]*$/i.test(b)) throw new UnsupportedFormula('an order of texts')
    return a.toLowerCase() < b.toLowerCase() ? -1 : 1
  }
  return Number(a) - Number(b)
}
