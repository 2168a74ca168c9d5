// The filter of a sheet: the conditions per column, their XML form, and their evaluation for rows.
import { children, escape, type Placed, treeOf } from '../package/index.ts'
import { type Area, areaOf, type Content, refOf } from './cells.ts'

export const operators = [
  'equal',
  'notEqual',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
] as const
export type Operator = (typeof operators)[number]

/** A comparison of a cell with a value. Text may contain the wildcards `*` and `?`. */
export interface Test {
  readonly operator: Operator
  readonly value: string
}

/** The filter condition of a column. */
export type ColumnFilter =
  /** The displayed texts to show; `blank` also shows empty cells. */
  | { readonly kind: 'values'; readonly values: readonly string[]; readonly blank: boolean }
  | { readonly kind: 'tests'; readonly tests: readonly Test[]; readonly all: boolean }
  /** An unsupported condition, preserved unchanged. */
  | { readonly kind: 'other'; readonly xml: string }

export interface Filter {
  /** The first row of the area is the header row. */
  readonly area: Area
  /** By column index in the sheet. */
  readonly columns: readonly { readonly column: number; readonly by: ColumnFilter }[]
}

/** Parses the filter element. */
export function readFilter(xml: string, prefix: string): Filter | undefined {
  const root = treeOf(xml, prefix)
  const area = areaOf(root.attributes['ref'] ?? '')
  if (area === undefined) return undefined
  const columns = (children(root, 'filterColumn') as Placed[]).flatMap((one) => {
    const column = area.left + Number(one.attributes['colId'] ?? 0)
    const inner = xml.slice(one.inner, one.outer)
    return inner === '' ? [] : [{ column, by: columnFilterOf(one, inner) }]
  })
  return { area, columns }
}

function columnFilterOf(one: Placed, xml: string): ColumnFilter {
  const other: ColumnFilter = { kind: 'other', xml }
  const [only, more] = children(one) as Placed[]
  if (only === undefined || more !== undefined) return other
  const own = children(only)
  if (only.name === 'filters' && own.every(({ name }) => name === 'filter')) {
    const values = own.map(({ attributes }) => attributes['val'] ?? '')
    return { kind: 'values', values, blank: ['1', 'true'].includes(only.attributes['blank'] ?? '') }
  }
  if (only.name !== 'customFilters') return other
  const tests = own.map(({ attributes }): Test => {
    const operator = operators.find((name) => name === attributes['operator']) ?? 'equal'
    return { operator, value: attributes['val'] ?? '' }
  })
  return { kind: 'tests', tests, all: ['1', 'true'].includes(only.attributes['and'] ?? '') }
}

/** Serializes a filter as XML. */
export function filterElement({ area, columns }: Filter, prefix: string): string {
  const sieve = (by: ColumnFilter): string => {
    if (by.kind === 'other') return by.xml
    if (by.kind === 'values') {
      const own = by.values.map((value) => `<${prefix}filter val="${escape(value)}"/>`).join('')
      return `<${prefix}filters${by.blank ? ' blank="1"' : ''}>${own}</${prefix}filters>`
    }
    const own = by.tests.map(({ operator, value }) => {
      const how = operator === 'equal' ? '' : ` operator="${operator}"`
      return `<${prefix}customFilter${how} val="${escape(value)}"/>`
    })
    return `<${prefix}customFilters${by.all ? ' and="1"' : ''}>${own.join('')}</${prefix}customFilters>`
  }
  const own = [...columns]
    .sort((a, b) => a.column - b.column)
    .map(
      ({ column, by }) => `<${prefix}filterColumn colId="${column - area.left}">${sieve(by)}</${prefix}filterColumn>`,
    )
  const ref = `${refOf(area.top, area.left)}:${refOf(area.bottom, area.right)}`
  return `<${prefix}autoFilter ref="${ref}">${own.join('')}</${prefix}autoFilter>`
}

/** The displayed text and the content of a cell. */
export interface FilteredCell {
  readonly text: string
  readonly content: Content
}

/** Whether a cell meets a condition; undefined if the condition is not supported. */
export function passes(by: ColumnFilter, cell: FilteredCell): boolean | undefined {
  if (by.kind === 'other') return undefined
  const text = cell.text.trim()
  if (by.kind === 'values') {
    return text === '' ? by.blank : by.values.some((value) => value.trim().toLowerCase() === text.toLowerCase())
  }
  const one = (test: Test): boolean => passesTest(test, text, cell.content)
  return by.all ? by.tests.every(one) : by.tests.some(one)
}

function passesTest({ operator, value }: Test, text: string, content: Content): boolean {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  const isNumber = content.kind === 'number' && !Number.isNaN(number)
  if (operator === 'equal' || operator === 'notEqual') {
    const isEqual = (isNumber && content.value === number) || patternOf(value).test(text)
    return isEqual === (operator === 'equal')
  }
  if (content.kind === 'number' ? Number.isNaN(number) : text === '' || !Number.isNaN(number)) return false
  const order = isNumber ? content.value - number : text.localeCompare(value, 'zh-CN')
  const isOver = operator.startsWith('greater') ? order > 0 : order < 0
  return isOver || (order === 0 && operator.endsWith('OrEqual'))
}

const patternOf = (value: string): RegExp =>
  new RegExp(
    `^${value
      .trim()
      .replace(/~([*?~])|[.+^${}()|[\]\\*?]/g, (found, plain?: string) =>
        plain !== undefined ? `\\${plain}` : found === '*' ? '.*' : found === '?' ? '.' : `\\${found}`,
      )}$`,
    'isu',
  )

/**
 * The rows that a filter hides. If the condition of a column is not supported, the rows that were hidden remain hidden.
 */
export function hiddenRows(
  { area, columns }: Filter,
  cell: (row: number, column: number) => FilteredCell,
  wasOut: (row: number) => boolean,
): number[] {
  const out: number[] = []
  for (let row = area.top + 1; row <= area.bottom; row++) {
    const answers = columns.map(({ column, by }) => passes(by, cell(row, column)))
    if (answers.includes(false) || (answers.includes(undefined) && wasOut(row))) out.push(row)
  }
  return out
}
