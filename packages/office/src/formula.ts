/*
 * A formula parser and evaluator for the web editor: numbers, texts, comparisons and the functions that are common in
 * business spreadsheets. Unsupported formulas throw `Beyond` and are left to the program that opens the file.
 */
import { format } from 'numfmt'
import { type Area, areaOf } from './cells.ts'

/** A formula that this evaluator does not support. */
export class UnsupportedFormula extends Error {}

/** An error value of a cell. */
export class CellError {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

export type Value = number | string | boolean | CellError | undefined

/** A reference to cells; without a sheet it means the sheet of the formula. */
export interface Reference {
  readonly sheet: string | undefined
  readonly area: Area
}

type Node =
  | { readonly is: 'value'; readonly value: Value }
  | { readonly is: 'reference'; readonly of: Reference }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'call'; readonly name: string; readonly of: readonly Node[] }
  | { readonly is: 'unary'; readonly sign: string; readonly of: Node }
  | { readonly is: 'binary'; readonly sign: string; readonly left: Node; readonly right: Node }

export interface Formula {
  readonly node: Node
  /** All cell references and names of the formula. */
  readonly references: readonly Reference[]
  readonly names: readonly string[]
}

const token =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|"((?:[^"]|"")*)"|(#(?:DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!))|((?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?(\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3})(?![\p{L}\p{N}_(.!:])|([\p{L}_\\][\p{L}\p{N}_.]*)(\()?|(<>|<=|>=|[-+*/^&=<>%(),]))/uy

const parsed = new Map<string, Formula | UnsupportedFormula>()

/** Parses a formula without its `=`; throws `Beyond`. */
export function parseFormula(text: string): Formula {
  let found = parsed.get(text)
  if (found === undefined) {
    try {
      found = parse(text)
    } catch (error) {
      if (!(error instanceof UnsupportedFormula)) throw error
      found = error
    }
    parsed.set(text, found)
  }
  if (found instanceof UnsupportedFormula) throw found
  return found
}

const order: readonly (readonly string[])[] = [['=', '<>', '<', '>', '<=', '>='], ['&'], ['+', '-'], ['*', '/'], ['^']]

function parse(text: string): Formula {
  const references: Reference[] = []
  const names: string[] = []
  type Token =
    | { readonly kind: 'node'; readonly node: Node }
    | { readonly kind: 'call'; readonly name: string }
    | { readonly kind: 'sign'; readonly sign: string }
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.trimEnd().length) {
    const found = token.exec(text)
    if (found === null) throw new UnsupportedFormula(text)
    const [, number, string, error, sheet, ref, name, open, sign] = found
    if (number !== undefined) tokens.push({ kind: 'node', node: { is: 'value', value: Number(number) } })
    else if (string !== undefined)
      tokens.push({ kind: 'node', node: { is: 'value', value: string.replaceAll('""', '"') } })
    else if (error !== undefined) tokens.push({ kind: 'node', node: { is: 'value', value: new CellError(error) } })
    else if (ref !== undefined) {
      const area = areaOf(ref)
      if (area === undefined) throw new UnsupportedFormula(ref)
      const own = sheet?.slice(0, -1)
      const of = { sheet: own?.startsWith("'") ? own.slice(1, -1).replaceAll("''", "'") : own, area }
      references.push(of)
      tokens.push({ kind: 'node', node: { is: 'reference', of } })
    } else if (name !== undefined) {
      const upper = name.toUpperCase().replace(/^_XLFN\.(?:_XLWS\.)?/, '')
      if (open !== undefined) tokens.push({ kind: 'call', name: upper })
      else if (upper === 'TRUE' || upper === 'FALSE')
        tokens.push({ kind: 'node', node: { is: 'value', value: upper === 'TRUE' } })
      else {
        names.push(name)
        tokens.push({ kind: 'node', node: { is: 'name', name } })
      }
    } else tokens.push({ kind: 'sign', sign: sign ?? '' })
  }
  let at = 0
  const isSign = (sign: string): boolean => {
    const next = tokens[at]
    return next?.kind === 'sign' && next.sign === sign
  }
  const expect = (sign: string): void => {
    if (!isSign(sign)) throw new UnsupportedFormula(text)
    at++
  }
  const primary = (): Node => {
    const next = tokens[at++]
    if (next === undefined) throw new UnsupportedFormula(text)
    if (next.kind === 'node') return next.node
    if (next.kind === 'call') {
      const of: Node[] = []
      while (!isSign(')')) {
        if (isSign(',')) of.push({ is: 'value', value: undefined })
        else of.push(level(0))
        if (!isSign(',')) break
        at++
        if (isSign(')')) of.push({ is: 'value', value: undefined })
      }
      expect(')')
      return { is: 'call', name: next.name, of }
    }
    if (next.sign === '(') {
      const inside = level(0)
      expect(')')
      return inside
    }
    if (next.sign === '-' || next.sign === '+') return { is: 'unary', sign: next.sign, of: unary() }
    throw new UnsupportedFormula(text)
  }
  const unary = (): Node => {
    let node = primary()
    while (isSign('%')) {
      at++
      node = { is: 'unary', sign: '%', of: node }
    }
    return node
  }
  const level = (of: number): Node => {
    const signs = order[of]
    if (signs === undefined) return unary()
    let left = level(of + 1)
    for (;;) {
      const next = tokens[at]
      if (next?.kind !== 'sign' || !signs.includes(next.sign)) return left
      at++
      left = { is: 'binary', sign: next.sign, left, right: level(of + 1) }
    }
  }
  const node = level(0)
  if (at < tokens.length) throw new UnsupportedFormula(text)
  return { node, references, names }
}

/** The evaluation context of a formula. */
export interface FormulaContext {
  /** The value of a cell; without a sheet, of the sheet of the formula. */
  readonly cell: (sheet: string | undefined, row: number, column: number) => Value
  readonly name: (name: string) => Formula | undefined
  /** The end of the used rows of a sheet: rows below are empty. */
  readonly rows: (sheet: string | undefined) => number
}

/** Evaluates a formula. */
export function compute({ node }: Formula, around: FormulaContext): Value {
  const found = valueOf(node, around)
  const single = Array.isArray(found) ? found[0]?.[0] : found
  if (typeof single === 'number' && !Number.isFinite(single)) return new CellError('#NUM!')
  return single ?? 0
}

type Table = Value[][]
type Found = Value | Table

function valueOf(node: Node, around: FormulaContext): Found {
  switch (node.is) {
    case 'value':
      return node.value
    case 'reference':
      return tableOf(node.of, around)
    case 'name': {
      const named = around.name(node.name)
      if (named === undefined) throw new UnsupportedFormula(node.name)
      return valueOf(named.node, around)
    }
    case 'unary': {
      const value = numberOf(one(valueOf(node.of, around)))
      if (value instanceof CellError) return value
      return node.sign === '-' ? -value : node.sign === '%' ? value / 100 : value
    }
    case 'binary':
      return joined(node.sign, one(valueOf(node.left, around)), one(valueOf(node.right, around)))
    case 'call': {
      const call = functions[node.name]
      if (call === undefined) throw new UnsupportedFormula(node.name)
      return call(node.of.map((each) => () => valueOf(each, around)))
    }
  }
}

function tableOf({ sheet, area }: Reference, around: FormulaContext): Table {
  const table: Table = []
  const last = Math.min(area.bottom, Math.max(area.top, around.rows(sheet) - 1))
  if ((last - area.top + 1) * (area.right - area.left + 1) > 2_000_000) throw new UnsupportedFormula('too many cells')
  for (let row = area.top; row <= last; row++) {
    const line: Value[] = []
    for (let column = area.left; column <= area.right; column++) line.push(around.cell(sheet, row, column))
    table.push(line)
  }
  return table
}

/** Returns a single value. A range of several cells is not supported as one value. */
function one(found: Found): Value {
  if (!Array.isArray(found)) return found
  if (found.length > 1 || (found[0]?.length ?? 0) > 1) throw new UnsupportedFormula('several cells where one belongs')
  return found[0]?.[0]
}

function numberOf(value: Value): number | CellError {
  if (value === undefined) return 0
  if (typeof value === 'number' || value instanceof CellError) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? new CellError('#VALUE!') : number
}

const plainWords = (value: Exclude<Value, CellError>): string => {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : value
}
const wordsOf = (value: Value): string | CellError => (value instanceof CellError ? value : plainWords(value))

/** Compares values: numbers sort before texts, texts before booleans. Texts are compared without case. */
function compared(left: Value, right: Value): number {
  const empty = (other: Value): Value => (typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0)
  const [a, b] = [left ?? empty(right), right ?? empty(left)]
  const rank = (value: Value): number => (typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a === 'string' && typeof b === 'string') {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()]
    return x < y ? -1 : x > y ? 1 : 0
  }
  return Number(a) - Number(b)
}

function joined(sign: string, left: Value, right: Value): Value {
  if (left instanceof CellError) return left
  if (right instanceof CellError) return right
  switch (sign) {
    case '&':
      return plainWords(left) + plainWords(right)
    case '=':
      return compared(left, right) === 0
    case '<>':
      return compared(left, right) !== 0
    case '<':
      return compared(left, right) < 0
    case '>':
      return compared(left, right) > 0
    case '<=':
      return compared(left, right) <= 0
    case '>=':
      return compared(left, right) >= 0
    default:
  }
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a instanceof CellError) return a
  if (b instanceof CellError) return b
  switch (sign) {
    case '+':
      return tidy(a + b, a, b)
    case '-':
      return tidy(a - b, a, b)
    case '*':
      return a * b
    case '/':
      return b === 0 ? new CellError('#DIV/0!') : a / b
    default:
      return a === 0 && b === 0 ? new CellError('#NUM!') : a ** b
  }
}

/** A difference that is only a rounding error becomes 0, as in other spreadsheet programs. */
const tidy = (sum: number, a: number, b: number): number =>
  Math.abs(sum) < 1e-15 * Math.max(Math.abs(a), Math.abs(b)) ? 0 : sum

class Stop extends Error {
  readonly value: CellError

  constructor(value: CellError) {
    super(value.code)
    this.value = value
  }
}

type Ask = () => Found
type Call = (of: readonly Ask[]) => Found

const number = (ask: Ask | undefined, otherwise?: number): number => {
  if (ask === undefined) {
    if (otherwise === undefined) throw new UnsupportedFormula('too few')
    return otherwise
  }
  const value = numberOf(one(ask()))
  if (value instanceof CellError) throw new Stop(value)
  return value
}
const words = (ask: Ask | undefined): string => {
  if (ask === undefined) throw new UnsupportedFormula('too few')
  const value = wordsOf(one(ask()))
  if (value instanceof CellError) throw new Stop(value)
  return value
}
const truth = (ask: Ask | undefined): boolean => {
  const value = ask === undefined ? undefined : one(ask())
  if (value instanceof CellError) throw new Stop(value)
  if (typeof value === 'string') {
    if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
    throw new Stop(new CellError('#VALUE!'))
  }
  return Boolean(value)
}
const table = (ask: Ask | undefined): Table => {
  const found = ask?.()
  return Array.isArray(found) ? found : [[found]]
}
/** The numeric cells of ranges, and each direct argument converted to a number. */
const numbers = (of: readonly Ask[]): number[] =>
  of.flatMap((ask) => {
    const found = ask()
    if (!Array.isArray(found)) {
      const value = numberOf(found)
      if (value instanceof CellError) throw new Stop(value)
      return [value]
    }
    return found.flat().flatMap((value) => {
      if (value instanceof CellError) throw new Stop(value)
      return typeof value === 'number' ? [value] : []
    })
  })
const filled = (of: readonly Ask[]): Value[] =>
  of.flatMap((ask) =>
    table(ask)
      .flat()
      .filter((value) => value !== undefined),
  )
const sumOf = (all: readonly number[]): number => Number(all.reduce((sum, each) => sum + each, 0).toPrecision(15))

function rounded(value: number, digits: number, how: (value: number) => number): number {
  const shift = 10 ** Math.trunc(digits)
  const moved = Number((Math.abs(value) * shift).toPrecision(15))
  return (Math.sign(value) * how(moved)) / shift
}

/** Returns the test for a criterion such as `>=5`, `<>x`, `张*` or a plain value. */
function fits(wanted: Value): (value: Value) => boolean {
  if (typeof wanted !== 'string')
    return (value) => value !== undefined && compared(value, wanted) === 0 && typeof value === typeof wanted
  const [, sign = '=', rest = ''] = /^(<>|<=|>=|=|<|>)?(.*)$/s.exec(wanted) ?? []
  const asNumber = rest.trim() === '' ? Number.NaN : Number(rest)
  if (sign === '=' || sign === '<>') {
    const pattern = new RegExp(
      `^${rest.replace(/~([*?~])|([.+^${}()|[\]\\])|\*|\?/g, (whole, kept?: string, special?: string) =>
        kept === undefined ? (special === undefined ? (whole === '*' ? '.*' : '.') : `\\${special}`) : `\\${kept}`,
      )}$`,
      'is',
    )
    const isSame = (value: Value): boolean =>
      Number.isNaN(asNumber)
        ? rest === ''
          ? value === undefined || value === ''
          : typeof value === 'string' && pattern.test(value)
        : value !== undefined && value !== '' && !(value instanceof CellError) && Number(value) === asNumber
    return sign === '=' ? isSame : (value) => !isSame(value)
  }
  return (value) => {
    if (value === undefined || value instanceof CellError) return false
    if (Number.isNaN(asNumber) ? typeof value !== 'string' : typeof value !== 'number') return false
    const side = compared(value, Number.isNaN(asNumber) ? rest : asNumber)
    return sign === '<' ? side < 0 : sign === '>' ? side > 0 : sign === '<=' ? side <= 0 : side >= 0
  }
}

/** The values of the cells that meet all conditions. */
function chosen(from: Table, conditions: readonly Ask[]): Value[] {
  const tests = Array.from({ length: conditions.length / 2 }, (_, n) => ({
    of: table(conditions[n * 2]),
    fits: fits(one(conditions[n * 2 + 1]?.())),
  }))
  const [first] = tests
  const found: Value[] = []
  first?.of.forEach((line, row) => {
    line.forEach((_, column) => {
      if (tests.every((test) => test.fits(test.of[row]?.[column]))) found.push(from[row]?.[column])
    })
  })
  return found
}

const onlyNumbers = (values: readonly Value[]): number[] => values.filter((value) => typeof value === 'number')
const average = (all: readonly number[]): Value =>
  all.length === 0 ? new CellError('#DIV/0!') : sumOf(all) / all.length
const notFound = new CellError('#N/A')

/**
 * The position of a value in a row or column: the exact match, or the last value that is not larger (or not smaller, by
 * `kind`).
 */
function placeIn(line: readonly Value[], wanted: Value, kind: number): number {
  if (kind === 0) {
    if (typeof wanted === 'string') {
      const test = fits(/^[<>=]/.test(wanted) ? `=${wanted}` : wanted)
      return line.findIndex((value) => typeof value === 'string' && test(value))
    }
    return line.findIndex((value) => typeof value === typeof wanted && compared(value, wanted) === 0)
  }
  let at = -1
  line.forEach((value, n) => {
    if (value === undefined || typeof value !== typeof wanted) return
    const side = compared(value, wanted)
    if (kind > 0 ? side <= 0 : side >= 0) at = n
  })
  return at
}

const day = 86_400_000
/** Converts a day count (serial date) to a date, as spreadsheet programs count. */
const dateOf = (count: number): Date => new Date(Math.round((Math.floor(count) - 25_569) * day))
const countOf = (year: number, month: number, of: number): number => Date.UTC(year, month, of) / day + 25_569

const rank: Call = ([value, range, upwards]) => {
  const [own, up] = [number(value), number(upwards, 0) !== 0]
  const all = onlyNumbers(table(range).flat())
  return all.includes(own) ? all.filter((each) => (up ? each < own : each > own)).length + 1 : notFound
}

const plain: Readonly<Record<string, Call>> = {
  SUM: (of) => sumOf(numbers(of)),
  PRODUCT: (of) => numbers(of).reduce((all, each) => all * each, 1),
  AVERAGE: (of) => average(numbers(of)),
  MIN: (of) => numbers(of).reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY) || 0,
  MAX: (of) => numbers(of).reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY) || 0,
  COUNT: (of) => onlyNumbers(of.flatMap((ask) => table(ask).flat())).length,
  COUNTA: (of) => filled(of).length,
  COUNTBLANK: (of) =>
    table(of[0])
      .flat()
      .filter((value) => value === undefined || value === '').length,
  MEDIAN(of) {
    const all = numbers(of).sort((a, b) => a - b)
    const half = Math.floor(all.length / 2)
    return all.length === 0
      ? new CellError('#NUM!')
      : all.length % 2 === 1
        ? all[half]
        : ((all[half - 1] ?? 0) + (all[half] ?? 0)) / 2
  },
  SUMPRODUCT(of) {
    const tables = of.map(table)
    const [first = []] = tables
    return sumOf(
      first.flatMap((line, row) =>
        line.map((_, column) =>
          tables.reduce((all, each) => {
            const value = each[row]?.[column]
            return all * (typeof value === 'number' ? value : 0)
          }, 1),
        ),
      ),
    )
  },
  SUMIF: ([range, wanted, sums]) =>
    sumOf(
      onlyNumbers(
        chosen(
          table(sums ?? range),
          [range, wanted].filter((each) => each !== undefined),
        ),
      ),
    ),
  SUMIFS: ([sums, ...rest]) => sumOf(onlyNumbers(chosen(table(sums), rest))),
  COUNTIF: ([range, wanted]) =>
    chosen(
      table(range),
      [range, wanted].filter((each) => each !== undefined),
    ).length,
  COUNTIFS: (of) => chosen(table(of[0]), of).length,
  AVERAGEIF: ([range, wanted, from]) =>
    average(
      onlyNumbers(
        chosen(
          table(from ?? range),
          [range, wanted].filter((each) => each !== undefined),
        ),
      ),
    ),
  AVERAGEIFS: ([from, ...rest]) => average(onlyNumbers(chosen(table(from), rest))),
  MAXIFS: ([from, ...rest]) => onlyNumbers(chosen(table(from), rest)).reduce((most, each) => Math.max(most, each), 0),
  MINIFS: ([from, ...rest]) => Math.min(...onlyNumbers(chosen(table(from), rest)), Number.POSITIVE_INFINITY) || 0,
  RANK: rank,
  'RANK.EQ': rank,
  LARGE: ([range, n]) =>
    onlyNumbers(table(range).flat()).sort((a, b) => b - a)[number(n) - 1] ?? new CellError('#NUM!'),
  SMALL: ([range, n]) =>
    onlyNumbers(table(range).flat()).sort((a, b) => a - b)[number(n) - 1] ?? new CellError('#NUM!'),
  ROUND: ([value, digits]) => rounded(number(value), number(digits, 0), Math.round),
  ROUNDUP: ([value, digits]) => rounded(number(value), number(digits, 0), Math.ceil),
  ROUNDDOWN: ([value, digits]) => rounded(number(value), number(digits, 0), Math.floor),
  TRUNC: ([value, digits]) => rounded(number(value), number(digits, 0), Math.floor),
  INT: ([value]) => Math.floor(number(value)),
  ABS: ([value]) => Math.abs(number(value)),
  SIGN: ([value]) => Math.sign(number(value)),
  SQRT: ([value]) => (number(value) < 0 ? new CellError('#NUM!') : Math.sqrt(number(value))),
  POWER: ([value, to]) => number(value) ** number(to),
  EXP: ([value]) => Math.exp(number(value)),
  LN: ([value]) => Math.log(number(value)),
  LOG10: ([value]) => Math.log10(number(value)),
  PI: () => Math.PI,
  MOD([value, by]) {
    const [a, b] = [number(value), number(by)]
    return b === 0 ? new CellError('#DIV/0!') : a - b * Math.floor(a / b)
  },
  IF: ([test, then, otherwise]) =>
    truth(test) ? (then?.() ?? 0) : otherwise === undefined ? false : (otherwise() ?? 0),
  IFS(of) {
    for (let n = 0; n + 1 < of.length; n += 2) if (truth(of[n])) return of[n + 1]?.()
    return notFound
  },
  IFERROR([value, otherwise]) {
    const found = caught(() => one(value?.()))
    return found instanceof CellError ? otherwise?.() : found
  },
  IFNA([value, otherwise]) {
    const found = caught(() => one(value?.()))
    return found instanceof CellError && found.code === '#N/A' ? otherwise?.() : found
  },
  AND: (of) =>
    of.every((ask) =>
      table(ask)
        .flat()
        .every((value) => value === undefined || truth(() => value)),
    ),
  OR: (of) =>
    of.some((ask) =>
      table(ask)
        .flat()
        .some((value) => value !== undefined && truth(() => value)),
    ),
  NOT: ([value]) => !truth(value),
  ISBLANK: ([value]) => one(value?.()) === undefined,
  ISNUMBER: ([value]) => typeof caught(() => one(value?.())) === 'number',
  ISTEXT: ([value]) => typeof caught(() => one(value?.())) === 'string',
  ISERROR: ([value]) => caught(() => one(value?.())) instanceof CellError,
  CONCATENATE: (of) => of.map(words).join(''),
  CONCAT: (of) =>
    of
      .flatMap((ask) => table(ask).flat())
      .map((value) => words(() => value))
      .join(''),
  TEXTJOIN([between, skip, ...of]) {
    const [sign, isSkipping] = [words(between), truth(skip)]
    const all = of.flatMap((ask) => table(ask).flat()).map((value) => words(() => value))
    return all.filter((each) => !isSkipping || each !== '').join(sign)
  },
  LEFT: ([text, n]) => words(text).slice(0, number(n, 1)),
  RIGHT: ([text, n]) => (number(n, 1) === 0 ? '' : words(text).slice(-number(n, 1))),
  MID: ([text, from, n]) => words(text).slice(number(from) - 1, number(from) - 1 + number(n)),
  LEN: ([text]) => words(text).length,
  TRIM: ([text]) => words(text).trim().replace(/ +/g, ' '),
  UPPER: ([text]) => words(text).toUpperCase(),
  LOWER: ([text]) => words(text).toLowerCase(),
  REPT: ([text, n]) => words(text).repeat(Math.min(32_767, Math.max(0, number(n)))),
  SUBSTITUTE: ([text, from, to, nth]) => {
    if (nth !== undefined) throw new UnsupportedFormula('one of several')
    return words(from) === '' ? words(text) : words(text).replaceAll(words(from), () => words(to))
  },
  FIND([what, text, from]) {
    const at = words(text).indexOf(words(what), number(from, 1) - 1)
    return at < 0 ? new CellError('#VALUE!') : at + 1
  },
  EXACT: ([a, b]) => words(a) === words(b),
  VALUE: ([text]) => number(text),
  TEXT: ([value, code]) => format(words(code), number(value), { locale: 'zh-CN' }),
  DATE: ([year, month, of]) =>
    countOf(number(year) < 1900 ? number(year) + 1900 : number(year), number(month) - 1, number(of)),
  YEAR: ([date]) => dateOf(number(date)).getUTCFullYear(),
  MONTH: ([date]) => dateOf(number(date)).getUTCMonth() + 1,
  DAY: ([date]) => dateOf(number(date)).getUTCDate(),
  DAYS: ([to, from]) => Math.floor(number(to)) - Math.floor(number(from)),
  WEEKDAY([date, kind]) {
    const sunday = dateOf(number(date)).getUTCDay()
    const as = number(kind, 1)
    if (as === 1) return sunday + 1
    if (as === 2) return ((sunday + 6) % 7) + 1
    if (as === 3) return (sunday + 6) % 7
    throw new UnsupportedFormula('another week')
  },
  EDATE([date, months]) {
    const from = dateOf(number(date))
    const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + Math.trunc(number(months))]
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return countOf(year, month, Math.min(from.getUTCDate(), last))
  },
  EOMONTH([date, months]) {
    const from = dateOf(number(date))
    return countOf(from.getUTCFullYear(), from.getUTCMonth() + Math.trunc(number(months)) + 1, 0)
  },
  MATCH([wanted, range, kind]) {
    const found = table(range)
    const line = found.length === 1 ? (found[0] ?? []) : found.map((each) => each[0])
    const at = placeIn(line, one(wanted?.()), number(kind, 1))
    return at < 0 ? notFound : at + 1
  },
  INDEX([range, row, column]) {
    const found = table(range)
    const isLine = found.length === 1 && column === undefined
    const [y, x] = isLine ? [1, number(row)] : [number(row), number(column, 1)]
    if (y < 1 || x < 1) throw new UnsupportedFormula('a whole row or column')
    return found[y - 1] === undefined || x > (found[0]?.length ?? 0) ? new CellError('#REF!') : found[y - 1]?.[x - 1]
  },
  VLOOKUP([wanted, range, column, near]) {
    const found = table(range)
    const at = placeIn(
      found.map((line) => line[0]),
      one(wanted?.()),
      near === undefined || truth(near) ? 1 : 0,
    )
    if (at < 0) return notFound
    return number(column) > (found[0]?.length ?? 0) ? new CellError('#REF!') : found[at]?.[number(column) - 1]
  },
  HLOOKUP([wanted, range, row, near]) {
    const found = table(range)
    const at = placeIn(found[0] ?? [], one(wanted?.()), near === undefined || truth(near) ? 1 : 0)
    return at < 0 ? notFound : (found[number(row) - 1]?.[at] ?? new CellError('#REF!'))
  },
}

/** The functions, by name. An error in an argument becomes the result. */
const functions: Readonly<Record<string, Call>> = Object.fromEntries(
  Object.entries(plain).map(([name, call]) => [name, (of: readonly Ask[]) => caught(() => call(of))]),
)

function caught<T>(work: () => T): T | CellError {
  try {
    return work()
  } catch (error) {
    if (error instanceof Stop) return error.value
    throw error
  }
}
