// The conditions of COUNTIF, SUMIFS and the like, and the search of a value in a row or column.
import {
  CellError,
  type CellRange,
  isSameNumber,
  isSameValue,
  numberIn,
  order,
  UnsupportedFormula,
  type Value,
} from './formula-values.ts'

/** Returns the test for a text with the wildcards `*` and `?`; `~` before one of them takes it as it is. */
function wildcardTest(pattern: string): (text: string) => boolean {
  const source = pattern.replace(/~([*?~])|([.+^${}()|[\]\\/])|\*|\?/g, (whole, kept?: string, special?: string) =>
    kept === undefined
      ? special === undefined
        ? whole === '*'
          ? '.*'
          : '.'
        : `\\${special}`
      : kept === '~'
        ? '~'
        : `\\${kept}`,
  )
  const test = new RegExp(`^${source}$`, 'is')
  return (text) => test.test(text)
}

/** Returns the test for a criterion such as `>=5`, `<>x`, `张*` or a plain value. */
function criterion(wanted: Value): (value: Value) => boolean {
  if (wanted instanceof CellError) throw new UnsupportedFormula('an error as a criterion')
  // A criterion that is an empty cell counts as 0.
  const text = typeof wanted === 'string' ? wanted : String(wanted ?? 0)
  const [, sign = '', rest = ''] =
    typeof wanted === 'string' ? (/^(<>|<=|>=|=|<|>)?(.*)$/s.exec(text) ?? []) : [text, '', text]
  if (rest.startsWith('#')) throw new UnsupportedFormula('an error as a criterion')
  const isEquality = sign === '' || sign === '=' || sign === '<>'
  if (rest === '') {
    if (sign === '') return (value) => value === undefined || value === ''
    if (sign === '=') return (value) => value === undefined
    if (sign === '<>') return (value) => value !== undefined
    throw new UnsupportedFormula('a comparison with nothing')
  }
  if (typeof wanted === 'boolean' || /^(?:true|false)$/i.test(rest)) {
    if (!isEquality) throw new UnsupportedFormula('an order of booleans')
    const truth = rest.toLowerCase() === 'true'
    return sign === '<>' ? (value) => value !== truth : (value) => value === truth
  }
  const number = typeof wanted === 'number' || wanted === undefined ? (wanted ?? 0) : numberIn(rest)
  if (isEquality) {
    const isText = wildcardTest(rest)
    const isEqual =
      number === undefined
        ? (value: Value) => typeof value === 'string' && isText(value)
        : (value: Value) =>
            typeof value === 'number'
              ? isSameNumber(value, number)
              : typeof value === 'string' && value.trim() !== '' && sameNumberIn(value, number)
    return sign === '<>' ? (value) => !isEqual(value) : isEqual
  }
  return (value) => {
    if (value === undefined || value instanceof CellError) return false
    if (number === undefined ? typeof value !== 'string' : typeof value !== 'number') return false
    const side = order(value, number ?? rest)
    return sign === '<' ? side < 0 : sign === '>' ? side > 0 : sign === '<=' ? side <= 0 : side >= 0
  }
}

const sameNumberIn = (text: string, number: number): boolean => {
  const own = numberIn(text)
  return own !== undefined && isSameNumber(own, number)
}

/** A range and the criterion that its cells must meet. */
export interface Condition {
  readonly range: CellRange
  readonly wanted: Value
}

/** The places of the cells that meet all conditions; `beyond` counts those below the used rows. */
function meeting(conditions: readonly Condition[]): {
  readonly places: readonly (readonly [row: number, column: number])[]
  readonly beyond: number
} {
  const [first] = conditions
  if (first === undefined) throw new UnsupportedFormula('too few')
  const { rows, columns } = first.range
  if (conditions.some(({ range }) => range.rows !== rows || range.columns !== columns)) {
    throw new UnsupportedFormula('ranges of different sizes')
  }
  const tests = conditions.map(({ range, wanted }) => ({ range, test: criterion(wanted) }))
  const used = Math.max(...conditions.map(({ range }) => range.lines.length))
  const places: [number, number][] = []
  for (let row = 0; row < used; row++) {
    for (let column = 0; column < columns; column++) {
      if (tests.every(({ range, test }) => test(range.at(row, column)))) places.push([row, column])
    }
  }
  const isEmptyMet = used < rows && tests.every(({ test }) => test(undefined))
  return { places, beyond: isEmptyMet ? (rows - used) * columns : 0 }
}

/** The number of cells that meet all conditions. */
export function countMeeting(conditions: readonly Condition[]): number {
  const { places, beyond } = meeting(conditions)
  return places.length + beyond
}

/** The numbers of a range whose cells meet all conditions. An error among them is returned as it is. */
export function numbersMeeting(from: CellRange, conditions: readonly Condition[]): number[] | CellError {
  const first = conditions[0]?.range
  if (first === undefined || first.rows !== from.rows || first.columns !== from.columns) {
    throw new UnsupportedFormula('ranges of different sizes')
  }
  const { places, beyond } = meeting(conditions)
  if (beyond > 0 && from.lines.length > Math.max(...conditions.map(({ range }) => range.lines.length))) {
    throw new UnsupportedFormula('cells below the used rows')
  }
  const numbers: number[] = []
  for (const [row, column] of places) {
    const value = from.at(row, column)
    if (value instanceof CellError) return value
    if (typeof value === 'number') numbers.push(value)
  }
  return numbers
}

/**
 * The position of a value in a row or column, -1 if there is none: the exact match (`kind` 0), or the last value that is
 * not larger (`kind` above 0) or not smaller (below 0). Such a search takes the values as sorted; what programs find
 * where they are not, differs.
 */
export function placeIn(line: readonly Value[], wanted: Value, kind: number): number {
  if (wanted instanceof CellError) throw new UnsupportedFormula('a search for an error')
  // Programs look for 0, for an empty text or for nothing.
  if (wanted === undefined) throw new UnsupportedFormula('a search for an empty cell')
  const sought = wanted
  if (kind === 0) {
    const isText = typeof sought === 'string' ? wildcardTest(sought) : undefined
    return line.findIndex((value) =>
      isText === undefined
        ? typeof value === typeof sought && isSameValue(value, sought)
        : typeof value === 'string' && isText(value),
    )
  }
  let at = -1
  let last: Value
  line.forEach((value, n) => {
    if (value === undefined) return
    if (typeof value !== typeof sought) throw new UnsupportedFormula('a search among values of several kinds')
    if (last !== undefined && Math.sign(order(value, last)) === -Math.sign(kind)) {
      throw new UnsupportedFormula('a search among values that are not sorted')
    }
    last = value
    const side = order(value, sought)
    if (kind > 0 ? side <= 0 : side >= 0) at = n
  })
  return at
}
