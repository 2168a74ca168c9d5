/*
 * A formula parser and evaluator for the web editor: numbers, texts, comparisons and the functions that are common in
 * business spreadsheets. Unsupported formulas throw `UnsupportedFormula` and are left to the program that opens the file.
 */
import { type Area, areaOf, maxColumns, maxRows } from './cells.ts'
import { functions, power } from './formula-functions.ts'
import {
  CellError,
  CellRange,
  type Found,
  isSameValue,
  numberOf,
  order,
  singleOf,
  textOfValue,
  UnsupportedFormula,
  type Value,
} from './formula-values.ts'

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

/** Parses a formula without its `=`; throws `UnsupportedFormula`. */
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

const operators: readonly (readonly string[])[] = [
  ['=', '<>', '<', '>', '<=', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
]

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
      const sized = withSizedSums(next.name, of)
      if (sized !== undefined) references.push(sized)
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
    const signs = operators[of]
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

/**
 * SUMIF and AVERAGEIF add cells of the size of the range that they test, whatever size the third argument has. Replaces
 * the argument and returns its reference if it has another size.
 */
function withSizedSums(name: string, of: Node[]): Reference | undefined {
  const [tested, , sums] = of
  if ((name !== 'SUMIF' && name !== 'AVERAGEIF') || tested?.is !== 'reference' || sums?.is !== 'reference') {
    return undefined
  }
  const { top, left } = sums.of.area
  const area = {
    top,
    left,
    bottom: Math.min(maxRows - 1, top + tested.of.area.bottom - tested.of.area.top),
    right: Math.min(maxColumns - 1, left + tested.of.area.right - tested.of.area.left),
  }
  if (area.bottom === sums.of.area.bottom && area.right === sums.of.area.right) return undefined
  const resized = { sheet: sums.of.sheet, area }
  of[2] = { is: 'reference', of: resized }
  return resized
}

/** The evaluation context of a formula. */
export interface FormulaContext {
  /** The value of a cell; without a sheet, of the sheet of the formula. */
  readonly cell: (sheet: string | undefined, row: number, column: number) => Value
  readonly name: (name: string) => Formula | undefined
  /** The end of the used rows of a sheet: rows below are empty. */
  readonly rows: (sheet: string | undefined) => number
  /** Whether the workbook counts days from 1904. */
  readonly since1904?: boolean
}

/** Evaluates a formula. */
export function compute({ node }: Formula, around: FormulaContext): Value {
  const single = singleOf(valueOf(node, around))
  if (typeof single === 'number' && !Number.isFinite(single)) return new CellError('#NUM!')
  return Object.is(single, -0) ? 0 : (single ?? 0)
}

/** The functions that count days. Workbooks may count them from 1904. */
const dayFunctions: ReadonlySet<string> = new Set([
  'DATE',
  'DAY',
  'EDATE',
  'EOMONTH',
  'MONTH',
  'TEXT',
  'VALUE',
  'WEEKDAY',
  'YEAR',
])

function valueOf(node: Node, around: FormulaContext): Found {
  switch (node.is) {
    case 'value':
      return node.value
    case 'reference':
      return rangeOf(node.of, around)
    case 'name': {
      const named = around.name(node.name)
      if (named === undefined) throw new UnsupportedFormula(node.name)
      return valueOf(named.node, around)
    }
    case 'unary': {
      const operand = singleOf(valueOf(node.of, around))
      if (node.sign === '+') return operand
      const value = numberOf(operand)
      if (value instanceof CellError) return value
      return node.sign === '-' ? -value : value / 100
    }
    case 'binary':
      return joined(node.sign, singleOf(valueOf(node.left, around)), singleOf(valueOf(node.right, around)))
    case 'call': {
      const call = functions.get(node.name)
      if (call === undefined) throw new UnsupportedFormula(node.name)
      if (around.since1904 === true && dayFunctions.has(node.name)) throw new UnsupportedFormula('days from 1904')
      return call(node.of.map((each) => () => valueOf(each, around)))
    }
  }
}

function rangeOf({ sheet, area }: Reference, around: FormulaContext): CellRange {
  const lines: Value[][] = []
  const last = Math.min(area.bottom, Math.max(area.top, around.rows(sheet) - 1))
  const [rows, columns] = [area.bottom - area.top + 1, area.right - area.left + 1]
  if ((last - area.top + 1) * columns > 2_000_000) throw new UnsupportedFormula('too many cells')
  for (let row = area.top; row <= last; row++) {
    const line: Value[] = []
    for (let column = area.left; column <= area.right; column++) line.push(around.cell(sheet, row, column))
    lines.push(line)
  }
  return new CellRange(lines, rows, columns)
}

function joined(sign: string, left: Value, right: Value): Value {
  if (left instanceof CellError) return left
  if (right instanceof CellError) return right
  switch (sign) {
    case '&':
      return textOfValue(left) + textOfValue(right)
    case '=':
      return isSameValue(left, right)
    case '<>':
      return !isSameValue(left, right)
    case '<':
      return order(left, right) < 0
    case '>':
      return order(left, right) > 0
    case '<=':
      return order(left, right) <= 0
    case '>=':
      return order(left, right) >= 0
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
      return power(a, b)
  }
}

/** A difference that is only a rounding error becomes 0, as in other spreadsheet programs. */
const tidy = (sum: number, a: number, b: number): number =>
  Math.abs(sum) < 1e-15 * Math.max(Math.abs(a), Math.abs(b)) ? 0 : sum
