// Validates sheet structure operations from other users: only known kinds, without additional properties.
import { type Area, maxColumns, maxRows } from './cells.ts'
import { operators } from './filter.ts'
import type { StructureOperation } from './sheet-structure.ts'

type Loose = Readonly<Record<string, unknown>>
type Test = (value: unknown) => boolean

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const within =
  (least: number, most: number): Test =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
const textOf =
  (most: number): Test =>
  (value) =>
    typeof value === 'string' && value.length <= most && value.isWellFormed()
const one =
  (...some: readonly unknown[]): Test =>
  (value) =>
    some.includes(value)
const maybe =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value)
const listOf =
  (test: Test, most: number): Test =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(test)
const isBoolean: Test = (value) => typeof value === 'boolean'

/** Returns a validator for objects with exactly these properties. */
const of =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(tests, name)) &&
    Object.entries(tests).every(([name, test]) => test(value[name]))

const row = within(0, maxRows - 1)
const column = within(0, maxColumns - 1)
const isArea: Test = (value) => {
  if (!of({ top: row, bottom: row, left: column, right: column })(value)) return false
  const { top, left, bottom, right } = value as Area
  return top <= bottom && left <= right
}
const part = textOf(255)
const most = 10_000
const axis = one('rows', 'columns')
const sieve: Test = (value) =>
  [
    of({ kind: one('values'), values: listOf(textOf(32_767), maxRows), blank: isBoolean }),
    of({
      kind: one('tests'),
      tests: listOf(of({ operator: one(...operators), value: textOf(32_767) }), 2),
      all: isBoolean,
    }),
    of({ kind: one('other'), xml: textOf(10_000) }),
  ].some((test) => test(value))

const kinds: Readonly<Record<StructureOperation['kind'], Readonly<Record<string, Test>>>> = {
  move: {
    move: (value) =>
      of({ axis, at: within(0, maxRows), by: within(-maxRows, most) })(value) && (value as { by: number }).by !== 0,
  },
  size: { axis, from: row, to: row, size: maybe(within(0, 2000)) },
  merge: { area: isArea },
  split: { area: isArea },
  freeze: { rows: within(0, 200), columns: within(0, 200) },
  sort: {
    area: isArea,
    rows: (value) => {
      if (!listOf((pair) => listOf(row, 2)(pair) && (pair as unknown[]).length === 2, maxRows)(value)) return false
      const pairs = value as readonly (readonly [number, number])[]
      // The rows must be a permutation: each source and each target occurs once.
      const [to, from] = [new Set(pairs.map(([a]) => a)), new Set(pairs.map(([, b]) => b))]
      return to.size === pairs.length && from.size === to.size && [...to].every((place) => from.has(place))
    },
  },
  filter: {
    filter: maybe(of({ area: isArea, columns: listOf(of({ column, by: sieve }), 1000) })),
    out: listOf(row, maxRows),
  },
  title: { chart: part, title: textOf(1000) },
  add: { name: textOf(31) },
  remove: {},
  rename: { name: textOf(31) },
  order: { before: maybe(part) },
  show: { is: isBoolean },
  tint: { color: (value) => typeof value === 'string' && /^(?:[0-9A-Fa-f]{6})?$/.test(value) },
}

/** Parses a structure operation from JSON; undefined if it is not valid. */
export function parseStructureOperation(json: string): StructureOperation | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const { kind } = value
  const tests =
    typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind as StructureOperation['kind']] : undefined
  return tests !== undefined && of({ ...tests, part, kind: one(kind) })(value)
    ? (value as unknown as StructureOperation)
    : undefined
}
