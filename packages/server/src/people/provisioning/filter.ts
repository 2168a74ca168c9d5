/*
 * Filters (RFC 7644, 3.4.2.2): parsed by scim2-parse-filter, checked against the attributes of the kind, and compiled to a
 * condition of SQL; for PATCH they are applied to the values of one list.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Filter, parse } from 'scim2-parse-filter'
import { refuse } from './refusal.ts'
import {
  type Attribute,
  attributeIn,
  type Complex,
  isComplex,
  type Json,
  type Kind,
  placeOf,
  splitUrn,
} from './schema.ts'

const longestFilter = 2000
const mostTerms = 50

type Compare = Extract<Filter, { compValue: unknown }>
type Condition = RawBuilder<boolean>

const wrong = (detail: string): never => refuse(400, detail, 'invalidFilter')

/** Parses a filter. */
export function parseFilter(text: string): Filter {
  if (text.length > longestFilter) wrong('the filter is too long')
  if ((text.match(/\b(?:and|or|not)\b|[([]/gi)?.length ?? 0) > mostTerms) wrong('the filter has too many terms')
  try {
    return parse(text)
  } catch (error) {
    return wrong(`the filter cannot be read: ${(error as Error).message.slice(0, 200)}`)
  }
}

/** Where the columns of a kind are, for attributes that are not read from the stored document. */
export interface Columns {
  /** The stored document, a jsonb expression. */
  readonly document: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  readonly active?: RawBuilder<boolean>
  readonly created: RawBuilder<unknown>
  readonly lastModified: RawBuilder<unknown>
  /** A condition by an index, for comparisons for equality. */
  readonly equal?: (name: string, value: string) => Condition | undefined
  /** A condition on lists that have tables of their own. */
  readonly related?: (name: string, value: string) => Condition | undefined
}

/** Compiles a filter to a condition. */
export function conditionOf(filter: Filter, kind: Kind, columns: Columns): Condition {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((one) => conditionOf(one, kind, columns))
      return sql`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql`(not ${conditionOf(filter.filter, kind, columns)})`
    case '[]': {
      const { attribute, document } = found(filter.attrPath, kind, columns)
      if (attribute.multi !== true) return wrong(`${filter.attrPath} has no list of values`)
      if (columns.related?.(attribute.name, '') !== undefined) return wrong(`${attribute.name}: use .value eq`)
      const inside = elementCondition(filter.valFilter, attribute, sql`e.value`)
      return sql`exists (select 1 from ${elements(document)} e where ${inside})`
    }
    case 'pr':
    case 'eq':
    case 'ne':
    case 'co':
    case 'sw':
    case 'ew':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return comparison(filter, kind, columns)
    default:
      return wrong('the filter has an unknown operator')
  }
}

const elements = (list: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`jsonb_array_elements(case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end)`

/** The attribute of a path, and the expression of its value in the document. */
function found(path: string, kind: Kind, { document }: Columns) {
  const place = placeOf(kind, path)
  if (place === undefined || place.attribute.returned === 'never') return wrong(`${path}: unknown attribute`)
  const { extension, attribute, sub } = place
  const holder = extension === undefined ? document : sql`(${document} -> ${extension}::text)`
  return { attribute, sub, document: sql`(${holder} -> ${attribute.name}::text)` }
}

function comparison(
  filter: Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' }>,
  kind: Kind,
  columns: Columns,
): Condition {
  const { attribute, sub, document } = found(filter.attrPath, kind, columns)
  const isExtension = splitUrn(kind, filter.attrPath).extension !== undefined
  if (!isExtension) {
    const special = specialCondition(filter, attribute, sub, columns)
    if (special !== undefined) return special
  }
  if (attribute.multi === true) {
    const part = sub ?? attributeIn(attribute.sub ?? [], 'value')
    if (filter.op === 'pr' && sub === undefined)
      return sql`coalesce(jsonb_array_length(case jsonb_typeof(${document}) when 'array' then ${document} end), 0) > 0`
    if (part === undefined) return wrong(`${filter.attrPath} has no value`)
    // No value of the list is equal, rather than one that differs.
    const negates = filter.op === 'ne'
    const positive = negates ? { ...filter, op: 'eq' as const } : filter
    const inside = scalar(positive, part, sql`(e.value -> ${part.name}::text)`)
    const some = sql<boolean>`exists (select 1 from ${elements(document)} e where ${inside})`
    return negates ? sql`(not ${some})` : some
  }
  if (attribute.type === 'complex' && sub === undefined) {
    if (filter.op === 'pr') return sql`coalesce(${document} <> '{}', false)`
    return wrong(`${filter.attrPath}: name a part of it`)
  }
  return scalar(filter, sub ?? attribute, sub === undefined ? document : sql`(${document} -> ${sub.name}::text)`)
}

/** Conditions on what is not in the document. */
function specialCondition(
  filter: Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' }>,
  attribute: Attribute,
  sub: Attribute | undefined,
  columns: Columns,
): Condition | undefined {
  const value = 'compValue' in filter ? filter.compValue : undefined
  if (columns.related?.(attribute.name, '') !== undefined) {
    if (filter.op !== 'eq' || typeof value !== 'string' || (sub ?? { name: 'value' }).name !== 'value')
      return wrong(`${attribute.name}: only .value eq`)
    return columns.related(attribute.name, value)
  }
  if (attribute.name === 'id') return scalar(filter, attribute, sql`to_jsonb((${columns.id})::text)`)
  if (attribute.name === 'active' && columns.active !== undefined)
    return scalar(filter, attribute, sql`to_jsonb(${columns.active})`)
  if (attribute.name === 'meta') {
    const column =
      sub?.name === 'created' ? columns.created : sub?.name === 'lastModified' ? columns.lastModified : undefined
    if (column === undefined) return wrong('meta: only created and lastModified')
    return scalar(filter, sub ?? attribute, column)
  }
  return filter.op === 'eq' && typeof value === 'string' ? columns.equal?.(attribute.name, value) : undefined
}

/** A comparison of one value, a jsonb expression; of a point of time, the milliseconds of a column. */
function scalar(filter: Compare | { op: 'pr' }, attribute: Attribute, value: RawBuilder<unknown>): Condition {
  const { op } = filter
  if (attribute.type === 'dateTime') {
    if (op === 'pr') return sql`true`
    const at = 'compValue' in filter && typeof filter.compValue === 'string' ? Date.parse(filter.compValue) : Number.NaN
    const operator = order[op] ?? (op === 'eq' ? sql`=` : op === 'ne' ? sql`<>` : undefined)
    if (Number.isNaN(at) || operator === undefined) return wrong(`${attribute.name}: a time is compared by eq, gt, lt`)
    return sql`(${value} ${operator} ${at})`
  }
  const text = sql`(${value} #>> '{}')`
  if (op === 'pr') return sql`coalesce(${text} <> '', false)`
  const { compValue } = filter
  if (compValue === null) {
    if (op !== 'eq' && op !== 'ne') return wrong('null is compared by eq and ne')
    return op === 'eq' ? sql`(${text} is null)` : sql`(${text} is not null)`
  }
  if (attribute.type === 'boolean') {
    const written = String(compValue).toLowerCase()
    if ((op !== 'eq' && op !== 'ne') || !['true', 'false'].includes(written))
      return wrong(`${attribute.name}: true or false, by eq and ne`)
    const isSame = sql`coalesce(${text} = ${written}, false)`
    return op === 'eq' ? sql<boolean>`${isSame}` : sql<boolean>`(not ${isSame})`
  }
  if (typeof compValue !== 'string') return wrong(`${attribute.name} is a text`)
  const isExact = attribute.caseExact === true
  const [left, right] = isExact
    ? [text, sql`${compValue}::text`]
    : [sql`lower(${text})`, sql`lower(${compValue}::text)`]
  const operator = order[op]
  if (operator !== undefined) return sql`coalesce(${left} collate "C" ${operator} ${right} collate "C", false)`
  if (op === 'eq') return sql`coalesce(${left} = ${right}, false)`
  if (op === 'ne') return sql`(not coalesce(${left} = ${right}, false))`
  if (op === 'co') return sql`coalesce(strpos(${left}, ${right}) > 0, false)`
  if (op === 'sw') return sql`coalesce(starts_with(${left}, ${right}), false)`
  return sql`coalesce(right(${left}, length(${right})) = ${right}, false)`
}

const order: Partial<Record<string, RawBuilder<unknown>>> = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

/** The condition on one value of a list. */
function elementCondition(filter: Filter, attribute: Attribute, element: RawBuilder<unknown>): Condition {
  if ('filters' in filter) {
    const parts = filter.filters.map((one) => elementCondition(one, attribute, element))
    return sql`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`
  }
  if (filter.op === 'not') return sql`(not ${elementCondition(filter.filter, attribute, element)})`
  if (filter.op === '[]') return wrong('no filter in a filter')
  const sub = attributeIn(attribute.sub ?? [], filter.attrPath)
  if (sub === undefined) return wrong(`${attribute.name}.${filter.attrPath}: unknown attribute`)
  return scalar(filter, sub, sql`(${element} -> ${sub.name}::text)`)
}

/** Whether a value of a list passes a filter. */
export function passes(filter: Filter, attribute: Attribute, value: Complex): boolean {
  if ('filters' in filter) {
    const isPassed = (one: Filter): boolean => passes(one, attribute, value)
    return filter.op === 'and' ? filter.filters.every(isPassed) : filter.filters.some(isPassed)
  }
  if (filter.op === 'not') return !passes(filter.filter, attribute, value)
  if (filter.op === '[]') return wrong('no filter in a filter')
  const sub = attributeIn(attribute.sub ?? [], filter.attrPath)
  if (sub === undefined) return wrong(`${attribute.name}.${filter.attrPath}: unknown attribute`)
  const own = value[sub.name]
  if (filter.op === 'pr') return own !== undefined && own !== ''
  const { op, compValue } = filter
  if (compValue === null) return (own === undefined) === (op === 'eq')
  const folded = (one: Json | undefined): string => (sub.caseExact === true ? textOf(one) : textOf(one).toLowerCase())
  if (own === undefined || isComplex(own)) return op === 'ne'
  const [left, right] = [folded(own), folded(compValue)]
  if (op === 'eq') return left === right
  if (op === 'ne') return left !== right
  if (op === 'co') return left.includes(right)
  if (op === 'sw') return left.startsWith(right)
  if (op === 'ew') return left.endsWith(right)
  if (op === 'gt') return left > right
  if (op === 'ge') return left >= right
  if (op === 'lt') return left < right
  return left <= right
}

/** The parts that a value must have to pass a filter of equalities; undefined for any other filter. */
export function equalities(filter: Filter, attribute: Attribute): Complex | undefined {
  if (filter.op === 'and') {
    const parts = filter.filters.map((one) => equalities(one, attribute))
    return parts.includes(undefined)
      ? undefined
      : Object.fromEntries(parts.flatMap((part = {}) => Object.entries(part)))
  }
  if (filter.op !== 'eq') return undefined
  const sub = attributeIn(attribute.sub ?? [], filter.attrPath)
  return sub === undefined || filter.compValue === null ? undefined : { [sub.name]: filter.compValue }
}

const textOf = (one: Json | undefined): string =>
  typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? `${one}` : ''
