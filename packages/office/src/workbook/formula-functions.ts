/*
 * The functions of formulas. Each computes what LibreOffice computes (`test/formula-answers.txt` has its answers), or
 * Excel where the two differ; where the result is not certain it throws `UnsupportedFormula`.
 */
import { format } from 'numfmt'
import { type Condition, countMeeting, numbersMeeting, placeIn } from './formula-criteria.ts'
import {
  CellError,
  CellRange,
  type Found,
  numberIn,
  numberOf,
  singleOf,
  textOfValue,
  UnsupportedFormula,
  type Value,
} from './formula-values.ts'

class Stop extends Error {
  readonly value: CellError

  constructor(value: CellError) {
    super(value.code)
    this.value = value
  }
}

type Ask = () => Found
/** A function: its arguments are evaluated when it asks for them. */
export type Call = (of: readonly Ask[]) => Found

const [divisionByZero, notFound, badNumber, badReference, badValue] = [
  '#DIV/0!',
  '#N/A',
  '#NUM!',
  '#REF!',
  '#VALUE!',
].map((code) => new CellError(code)) as [CellError, CellError, CellError, CellError, CellError]

const given = (ask: Ask | undefined): Ask => {
  if (ask === undefined) throw new UnsupportedFormula('too few')
  return ask
}
const valid = <T extends Value>(value: T): Exclude<T, CellError> => {
  if (value instanceof CellError) throw new Stop(value)
  return value as Exclude<T, CellError>
}
const single = (ask: Ask | undefined): Exclude<Value, CellError> => valid(singleOf(given(ask)()))
const number = (ask: Ask | undefined, otherwise?: number): number =>
  ask === undefined && otherwise !== undefined ? otherwise : valid(numberOf(singleOf(given(ask)())))
const whole = (ask: Ask | undefined, otherwise?: number): number => Math.trunc(number(ask, otherwise))
const text = (ask: Ask | undefined): string => textOfValue(single(ask))
const truthOf = (value: Exclude<Value, CellError>): boolean => {
  if (typeof value !== 'string') return Boolean(value)
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  if (numberIn(value) !== undefined) throw new UnsupportedFormula('a number in a text as a condition')
  throw new Stop(badValue)
}
const truth = (ask: Ask | undefined): boolean => truthOf(single(ask))
const range = (ask: Ask | undefined): CellRange => {
  const found = given(ask)()
  if (found instanceof CellRange) return found
  throw new UnsupportedFormula('a value where cells belong')
}
const rangeOrValue = (ask: Ask): CellRange => {
  const found = ask()
  return found instanceof CellRange ? found : new CellRange([[found]], 1, 1)
}
/** The numeric cells of ranges, and each direct argument converted to a number. */
const numbers = (of: readonly Ask[]): number[] =>
  of.flatMap((ask) => {
    const found = ask()
    if (!(found instanceof CellRange)) return [valid(numberOf(found))]
    return found.values().flatMap((value) => {
      const checked = valid(value)
      return typeof checked === 'number' ? [checked] : []
    })
  })

/** Adds with the rounding error of each addition carried on, as LibreOffice does. */
function sumOf(all: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const each of all) {
    const next = sum + each
    lost += Math.abs(sum) >= Math.abs(each) ? sum - next + each : each - next + sum
    sum = next
  }
  return sum + lost
}
const average = (all: readonly number[]): Value => (all.length === 0 ? divisionByZero : sumOf(all) / all.length)
const smallest = (all: readonly number[]): number => all.reduce((least, each) => Math.min(least, each), all[0] ?? 0)
const largest = (all: readonly number[]): number => all.reduce((most, each) => Math.max(most, each), all[0] ?? 0)
const onlyNumbers = (ask: Ask | undefined): number[] => numbers([given(ask)])

function rounded(value: number, digits: number, how: (value: number) => number): number {
  const places = Math.trunc(digits)
  if (Math.abs(places) > 15) throw new UnsupportedFormula('so many digits')
  const shift = 10 ** Math.abs(places)
  const moved = Number((places < 0 ? Math.abs(value) / shift : Math.abs(value) * shift).toPrecision(15))
  const whole = how(moved)
  const back = places < 0 ? whole * shift : whole / shift
  return back === 0 ? 0 : Math.sign(value) * back
}

const conditionsOf = (of: readonly Ask[]): Condition[] => {
  if (of.length === 0 || of.length % 2 === 1) throw new UnsupportedFormula('a condition is not whole')
  return Array.from({ length: of.length / 2 }, (_, n) => ({
    range: range(of[n * 2]),
    wanted: singleOf(given(of[n * 2 + 1])()),
  }))
}
/** The numbers chosen by one condition; without a range of their own, those of its range. */
const chosenByOne = ([of, wanted, from]: readonly Ask[]): number[] => {
  const tested = range(of)
  const found = numbersMeeting(from === undefined ? tested : range(from), [
    { range: tested, wanted: singleOf(given(wanted)()) },
  ])
  if (found instanceof CellError) throw new Stop(found)
  return found
}
const chosenByAll = ([from, ...rest]: readonly Ask[]): number[] => {
  const found = numbersMeeting(range(from), conditionsOf(rest))
  if (found instanceof CellError) throw new Stop(found)
  return found
}

const day = 86_400_000
/** Day counts before March 1900 count a 29 February 1900 that there was not, in Excel only. */
const firstDay = 61
/** Converts a day count (serial date) to a date. */
function dateOf(count: number): Date {
  if (count < 0) throw new Stop(badNumber)
  if (count < firstDay || count >= 2_958_466) throw new UnsupportedFormula('a day that programs count differently')
  return new Date(Math.round((Math.floor(count) - 25_569) * day))
}
function countOf(year: number, month: number, of: number): number {
  const count = Date.UTC(year, month, of) / day + 25_569
  if (count >= firstDay && count < 2_958_466) return count
  const isPlain = year === 1900 && month >= 0 && month < 2 && of >= 1 && of <= 28
  if (!isPlain) throw new UnsupportedFormula('a day that programs count differently')
  return count - 1
}

/** The number formats of TEXT that all programs write alike: digits, percent, and days with numeric parts. */
const numericFormat = /^[¥￥$]?(?:#,##)?[0#]*0(?:\.0+)?%?$/
const dayFormat = /^(?:yyyy|mm?|dd?)(?:[-/.年月]?(?:yyyy|mm?|dd?))*日?$/i

function textOf(value: Exclude<Value, CellError>, code: string): string {
  const isDay = dayFormat.test(code)
  if (!isDay && !numericFormat.test(code)) throw new UnsupportedFormula('a format that programs write differently')
  if (typeof value === 'boolean') return textOfValue(value)
  const converted = numberOf(value)
  if (converted instanceof CellError) return textOfValue(value)
  if (isDay) {
    if (converted < firstDay) throw new UnsupportedFormula('a day that programs count differently')
    dateOf(converted)
    return format(code, Math.floor(converted), { locale: 'zh-CN' })
  }
  const decimals = (/\.(0+)/.exec(code)?.[1]?.length ?? 0) + (code.endsWith('%') ? 2 : 0)
  return format(code, rounded(converted, decimals, Math.round), { locale: 'zh-CN' })
}

const logical = (of: readonly Ask[]): boolean[] => {
  const all = of.flatMap((ask) => {
    const found = ask()
    if (!(found instanceof CellRange)) return [truthOf(valid(found))]
    // Texts and empty cells are left aside.
    return found.values().flatMap((value) => {
      const checked = valid(value)
      return checked === undefined || typeof checked === 'string' ? [] : [Boolean(checked)]
    })
  })
  if (all.length === 0) throw new Stop(badValue)
  return all
}

const rank: Call = ([value, of, upwards]) => {
  const [own, up] = [number(value), number(upwards, 0) !== 0]
  const all = range(of)
    .values()
    .filter((each) => typeof valid(each) === 'number') as number[]
  return all.includes(own) ? all.filter((each) => (up ? each < own : each > own)).length + 1 : notFound
}

const ordered =
  (isDescending: boolean): Call =>
  ([of, n]) => {
    const all = onlyNumbers(of).sort((a, b) => (isDescending ? b - a : a - b))
    const at = number(n)
    if (!Number.isInteger(at)) throw new UnsupportedFormula('a position that is not whole')
    return all[at - 1] ?? badNumber
  }

const length = (ask: Ask | undefined, otherwise?: number): number => {
  const found = whole(ask, otherwise)
  if (found < 0) throw new Stop(badValue)
  return found
}
const monthsLater = (ask: Ask | undefined, months: Ask | undefined): { from: Date; year: number; month: number } => {
  const from = dateOf(number(ask))
  return { from, year: from.getUTCFullYear(), month: from.getUTCMonth() + whole(months) }
}
const isNear = (ask: Ask | undefined): number => (ask === undefined || truth(ask) ? 1 : 0)
const lineOf = (of: CellRange): Value[] => {
  if (of.rows > 1 && of.columns > 1) throw new UnsupportedFormula('a row or a column belongs here')
  return of.values()
}
const plain: Readonly<Record<string, Call>> = {
  SUM: (of) => sumOf(numbers(of)),
  PRODUCT(of) {
    const all = numbers(of)
    return all.length === 0 ? 0 : all.reduce((product, each) => product * each, 1)
  },
  AVERAGE: (of) => average(numbers(of)),
  MIN: (of) => smallest(numbers(of)),
  MAX: (of) => largest(numbers(of)),
  COUNT: (of) =>
    of.reduce((count, ask) => {
      const found = caught(ask)
      if (found instanceof CellRange) return count + found.values().filter((each) => typeof each === 'number').length
      return found instanceof CellError || numberOf(found) instanceof CellError ? count : count + 1
    }, 0),
  COUNTA: (of) =>
    of.reduce((count, ask) => {
      const found = caught(ask)
      return count + (found instanceof CellRange ? found.values().filter((each) => each !== undefined).length : 1)
    }, 0),
  COUNTBLANK([of]) {
    const cells = range(of)
    return cells.rows * cells.columns - cells.values().filter((each) => each !== undefined && each !== '').length
  },
  MEDIAN(of) {
    const all = numbers(of).sort((a, b) => a - b)
    const half = Math.floor(all.length / 2)
    if (all.length === 0) return badNumber
    return all.length % 2 === 1 ? all[half] : ((all[half - 1] ?? 0) + (all[half] ?? 0)) / 2
  },
  SUMPRODUCT(of) {
    const all = of.map(range)
    const [first] = all
    if (first === undefined) throw new UnsupportedFormula('too few')
    if (all.some(({ rows, columns }) => rows !== first.rows || columns !== first.columns)) return badValue
    return sumOf(
      first.lines.flatMap((line, row) =>
        line.map((_, column) =>
          all.reduce((product, each) => {
            const value = valid(each.at(row, column))
            return product * (typeof value === 'number' ? value : 0)
          }, 1),
        ),
      ),
    )
  },
  SUMIF: (of) => sumOf(chosenByOne(of)),
  SUMIFS: (of) => sumOf(chosenByAll(of)),
  COUNTIF: (of) => countMeeting(conditionsOf(of.slice(0, 2))),
  COUNTIFS: (of) => countMeeting(conditionsOf(of)),
  AVERAGEIF: (of) => average(chosenByOne(of)),
  AVERAGEIFS: (of) => average(chosenByAll(of)),
  MAXIFS: (of) => largest(chosenByAll(of)),
  MINIFS: (of) => smallest(chosenByAll(of)),
  RANK: rank,
  'RANK.EQ': rank,
  LARGE: ordered(true),
  SMALL: ordered(false),
  ROUND: ([value, digits]) => rounded(number(value), number(digits), Math.round),
  ROUNDUP: ([value, digits]) => rounded(number(value), number(digits), Math.ceil),
  ROUNDDOWN: ([value, digits]) => rounded(number(value), number(digits), Math.floor),
  TRUNC: ([value, digits]) => rounded(number(value), number(digits, 0), Math.floor),
  INT: ([value]) => Math.floor(number(value)),
  ABS: ([value]) => Math.abs(number(value)),
  SIGN: ([value]) => Math.sign(number(value)),
  SQRT([value]) {
    const of = number(value)
    return of < 0 ? badNumber : Math.sqrt(of)
  },
  POWER([value, to]) {
    const [base, exponent] = [number(value), number(to)]
    return power(base, exponent)
  },
  EXP: ([value]) => Math.exp(number(value)),
  LN([value]) {
    const of = number(value)
    return of <= 0 ? badNumber : Math.log(of)
  },
  LOG10([value]) {
    const of = number(value)
    return of <= 0 ? badNumber : Math.log10(of)
  },
  PI: () => Math.PI,
  MOD([value, by]) {
    const [a, b] = [number(value), number(by)]
    if (b === 0) return divisionByZero
    if (!Number.isInteger(a) || !Number.isInteger(b) || Math.abs(a) > 2 ** 31 || Math.abs(b) > 2 ** 31) {
      throw new UnsupportedFormula('a remainder that is not whole')
    }
    return a - b * Math.floor(a / b)
  },
  IF: ([test, then, otherwise]) =>
    truth(test) ? (given(then)() ?? 0) : otherwise === undefined ? false : (otherwise() ?? 0),
  IFS(of) {
    for (let n = 0; n + 1 < of.length; n += 2) if (truth(of[n])) return given(of[n + 1])()
    return notFound
  },
  IFERROR([value, otherwise]) {
    const found = caught(() => singleOf(given(value)()))
    return found instanceof CellError ? given(otherwise)() : found
  },
  IFNA([value, otherwise]) {
    const found = caught(() => singleOf(given(value)()))
    return found instanceof CellError && found.code === notFound.code ? given(otherwise)() : found
  },
  AND: (of) => logical(of).every(Boolean),
  OR: (of) => logical(of).some(Boolean),
  NOT: ([value]) => !truth(value),
  ISBLANK: ([value]) => caught(() => singleOf(given(value)())) === undefined,
  ISNUMBER: ([value]) => typeof caught(() => singleOf(given(value)())) === 'number',
  ISTEXT: ([value]) => typeof caught(() => singleOf(given(value)())) === 'string',
  ISERROR: ([value]) => caught(() => singleOf(given(value)())) instanceof CellError,
  CONCATENATE: (of) => of.map(text).join(''),
  CONCAT: (of) => texts(of).join(''),
  TEXTJOIN([between, skip, ...of]) {
    const [sign, isSkipping] = [text(between), truth(skip)]
    return texts(of)
      .filter((each) => !isSkipping || each !== '')
      .join(sign)
  },
  LEFT: ([of, n]) => text(of).slice(0, length(n, 1)),
  RIGHT([of, n]) {
    const [all, count] = [text(of), length(n, 1)]
    return count === 0 ? '' : all.slice(-count)
  },
  MID([of, from, n]) {
    const [all, at, count] = [text(of), whole(from), length(n)]
    return at < 1 ? badValue : all.slice(at - 1, at - 1 + count)
  },
  LEN: ([of]) => text(of).length,
  TRIM: ([of]) =>
    text(of)
      .replace(/^ +| +$/g, '')
      .replace(/ +/g, ' '),
  UPPER: ([of]) => text(of).toUpperCase(),
  LOWER: ([of]) => text(of).toLowerCase(),
  REPT([of, n]) {
    const [piece, count] = [text(of), length(n)]
    return piece.length * count > 32_767 ? badValue : piece.repeat(count)
  },
  SUBSTITUTE([of, from, to, nth]) {
    if (nth !== undefined) throw new UnsupportedFormula('one of several')
    const [all, piece, by] = [text(of), text(from), text(to)]
    return piece === '' ? all : all.replaceAll(piece, () => by)
  },
  FIND([what, of, from]) {
    const [piece, all, start] = [text(what), text(of), whole(from, 1)]
    if (piece === '') throw new UnsupportedFormula('a search for nothing')
    if (start < 1 || start > all.length) return badValue
    const at = all.indexOf(piece, start - 1)
    return at < 0 ? badValue : at + 1
  },
  EXACT: ([a, b]) => text(a) === text(b),
  VALUE([of]) {
    const value = single(of)
    if (typeof value === 'boolean') return badValue
    return number(() => value)
  },
  TEXT: ([value, code]) => textOf(single(value), text(code)),
  DATE([year, month, of]) {
    const [y, m, d] = [whole(year), whole(month), whole(of)]
    if (y < 0 || y > 9999) return badNumber
    return countOf(y < 1900 ? y + 1900 : y, m - 1, d)
  },
  YEAR: ([date]) => dateOf(number(date)).getUTCFullYear(),
  MONTH: ([date]) => dateOf(number(date)).getUTCMonth() + 1,
  DAY: ([date]) => dateOf(number(date)).getUTCDate(),
  DAYS([to, from]) {
    const [last, first] = [number(to), number(from)]
    if (!Number.isInteger(last) || !Number.isInteger(first) || last < 0 || first < 0) {
      throw new UnsupportedFormula('parts of days')
    }
    return last - first
  },
  WEEKDAY([date, kind]) {
    const sunday = dateOf(number(date)).getUTCDay()
    const as = whole(kind, 1)
    if (as === 1) return sunday + 1
    if (as === 2) return ((sunday + 6) % 7) + 1
    if (as === 3) return (sunday + 6) % 7
    throw new UnsupportedFormula('another week')
  },
  EDATE([date, months]) {
    const { from, year, month } = monthsLater(date, months)
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return countOf(year, month, Math.min(from.getUTCDate(), last))
  },
  EOMONTH([date, months]) {
    const { year, month } = monthsLater(date, months)
    return countOf(year, month + 1, 0)
  },
  MATCH([wanted, of, kind]) {
    const at = placeIn(lineOf(range(of)), single(wanted), number(kind, 1))
    return at < 0 ? notFound : at + 1
  },
  INDEX([of, row, column]) {
    const found = range(of)
    const isLine = found.rows === 1 && column === undefined
    if (column === undefined && !isLine && found.columns > 1) throw new UnsupportedFormula('a whole row')
    const [y, x] = isLine ? [1, whole(row)] : [whole(row), whole(column, 1)]
    if (y < 0 || x < 0) return badValue
    if (y === 0 || x === 0) throw new UnsupportedFormula('a whole row or column')
    return y > found.rows || x > found.columns ? badReference : found.at(y - 1, x - 1)
  },
  VLOOKUP([wanted, of, column, near]) {
    const found = range(of)
    const [sought, x, kind] = [single(wanted), whole(column), isNear(near)]
    if (x < 1) return badValue
    if (x > found.columns) return badReference
    const at = placeIn(
      found.lines.map((line) => line[0]),
      sought,
      kind,
    )
    return at < 0 ? notFound : found.at(at, x - 1)
  },
  HLOOKUP([wanted, of, row, near]) {
    const found = range(of)
    const [sought, y, kind] = [single(wanted), whole(row), isNear(near)]
    if (y < 1) return badValue
    if (y > found.rows) return badReference
    const at = placeIn(found.lines[0] ?? [], sought, kind)
    return at < 0 ? notFound : found.at(y - 1, at)
  },
}

function texts(of: readonly Ask[]): string[] {
  return of.flatMap((ask) =>
    rangeOrValue(ask)
      .values()
      .map((value) => textOfValue(valid(value))),
  )
}

/** Raises a number to a power. */
export function power(base: number, exponent: number): Value {
  if (base === 0 && exponent === 0) return badNumber
  if (base === 0 && exponent < 0) return divisionByZero
  return base ** exponent
}

/** The largest number of arguments of the functions that do not take any number of them. */
const mostArguments: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['PI'].map((name) => [name, 0])),
  ...Object.fromEntries(
    [
      ...['COUNTBLANK', 'INT', 'ABS', 'SIGN', 'SQRT', 'EXP', 'LN', 'LOG10', 'NOT', 'ISBLANK', 'ISNUMBER', 'ISTEXT'],
      ...['ISERROR', 'LEN', 'TRIM', 'UPPER', 'LOWER', 'VALUE', 'YEAR', 'MONTH', 'DAY'],
    ].map((name) => [name, 1]),
  ),
  ...Object.fromEntries(
    [
      ...['COUNTIF', 'LARGE', 'SMALL', 'ROUND', 'ROUNDUP', 'ROUNDDOWN', 'TRUNC', 'POWER', 'MOD', 'IFERROR', 'IFNA'],
      ...['LEFT', 'RIGHT', 'REPT', 'EXACT', 'TEXT', 'DAYS', 'WEEKDAY', 'EDATE', 'EOMONTH'],
    ].map((name) => [name, 2]),
  ),
  ...Object.fromEntries(
    ['SUMIF', 'AVERAGEIF', 'RANK', 'RANK.EQ', 'IF', 'MID', 'FIND', 'DATE', 'MATCH', 'INDEX'].map((name) => [name, 3]),
  ),
  ...Object.fromEntries(['SUBSTITUTE', 'VLOOKUP', 'HLOOKUP'].map((name) => [name, 4])),
}

/** The functions, by name. An error in an argument becomes the result. */
export const functions: ReadonlyMap<string, Call> = new Map(
  Object.entries(plain).map(([name, call]) => [
    name,
    (of: readonly Ask[]) => {
      if (of.length > (mostArguments[name] ?? 255)) throw new UnsupportedFormula('too many')
      return caught(() => call(of))
    },
  ]),
)

function caught<T>(work: () => T): T | CellError {
  try {
    return work()
  } catch (error) {
    if (error instanceof Stop) return error.value
    throw error
  }
}
