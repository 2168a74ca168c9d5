/*
 * Returns one page of a folder. Folders come first, then files. Within each, a page is a range of one index in either
 * direction, so its cost depends on the page size and not on the folder size. The folder's rights are evaluated once;
 * only children with their own rules are evaluated individually.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { fail, hasRight, parseItemIdStr } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { type Above, aboveChildrenOf, factsBelow } from './access.ts'
import { itemColumns, noPeople, ownEntries, peopleOf, type StoredEntry, unpackEntries } from './chains.ts'
import { nameMatches } from './match.ts'
import { hasFieldsElsewhere } from './record-fields.ts'
import { toRecord } from './records.ts'

export interface PageRequest {
  readonly from: number
  readonly rows: number
  readonly sort: 'name' | 'time' | 'size' | 'type'
  readonly order: 'asc' | 'desc'
  readonly keyword: string
  readonly after?: string | undefined
  readonly around?: string | undefined
  readonly foldersOnly: boolean
  /** Extensions separated by commas; empty for all files. */
  readonly exts?: string
}

export interface Page {
  /** The position of the first row; null after a cursor, where it is unknown. */
  readonly from: number | null
  readonly list: ItemRecord[]
  readonly total: number
  readonly next: string | null
}

/** The columns of each sort order; the id makes it total. Each is a prefix of an index of item. */
const sortColumns = {
  name: ['name_sort'],
  time: ['modified_at'],
  size: ['size'],
  type: ['ext', 'name_sort'],
} as const

type SortColumn = (typeof sortColumns)[keyof typeof sortColumns][number]
const texts: ReadonlySet<SortColumn> = new Set(['name_sort', 'ext'])
// PostgreSQL texts cannot contain NUL.
const isText = (part: unknown): boolean => typeof part === 'string' && !part.includes('\0')

type Section = 2 | 1
type Place = readonly [section: Section, ...keys: (string | number)[]]
export type ChildRow = ItemRow & {
  /** The item's own entries that concern the actor, in PostgreSQL's text form. */
  readonly packed: string | null
}

/** Collects what determines whether and how a page can be cached. */
export class Basis {
  /** The children that are hidden from the actor. */
  hidden: readonly number[] = []
  /** The page contains data that its rows do not determine: of items in other folders, or of other features. */
  hasForeignData = false
  /** Some rows have their own rules, so the same rows may differ for other users. */
  hasOwnRules = false
  /** Some of those rules concern the actor. */
  isPersonal = false
  /** The first time at which an expiry changes the page for the same rows. */
  until = Number.POSITIVE_INFINITY

  add(row: ChildRow, now: number): void {
    const ends = [row.secret_until, ...entriesOf(row).map((entry) => entry.expireTime)]
    for (const end of ends) if (end !== null && end > now) this.until = Math.min(this.until, end)
    if (row.link_to !== null || row.mail_id !== null || hasFieldsElsewhere(row.status)) this.hasForeignData = true
    if (row.own_rules || row.granted) this.hasOwnRules = true
    if (row.packed !== null) this.isPersonal = true
  }
}

const entriesOf = ({ packed }: ChildRow): StoredEntry[] =>
  packed === null ? [] : unpackEntries(JSON.parse(packed) as Parameters<typeof unpackEntries>[0])

/** Encodes a cursor for the next page. */
export function encodePlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Decodes a cursor. Refuses one from another sort order and an invalid one. */
function decodePlace(text: string, keys: readonly SortColumn[]): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (
      Array.isArray(place) &&
      place.length === keys.length + 2 &&
      (place[0] === 1 || place[0] === 2) &&
      keys.every((key, i) => (texts.has(key) ? isText(place[i + 1]) : Number.isSafeInteger(place[i + 1]))) &&
      Number.isSafeInteger(place.at(-1))
    ) {
      return place as unknown as Place
    }
  } catch {
    // Falls through: unparsable and mismatching cursors are refused alike.
  }
  return fail('badRequest', 'after')
}

interface Query {
  readonly db: Db
  readonly actor: Account
  readonly folderId: number
  readonly above: Above
  readonly page: PageRequest
  readonly now: number
}

/** In a restricted folder, other users' items are excluded before paging ([R210]). */
function filterOf(
  { above, actor, page }: Query,
  hidden: readonly number[],
  kind: Section | undefined,
): RawBuilder<unknown> {
  const parts = [sql`i.deleted_at is null`]
  // Folder trees exclude links, because a link may lead back to an ancestor.
  if (page.foldersOnly) parts.push(sql`i.link_to is null`)
  if (hidden.length > 0) parts.push(sql`i.id <> all(${[...hidden]})`)
  if (above.restricted && !above.isManager) parts.push(sql`i.created_by = ${actor.accountId}`)
  parts.push(...nameMatches(page.keyword))
  if (page.exts && kind !== 2) {
    const matches = sql`i.ext = any(${page.exts.split(',')})`
    parts.push(kind === 1 ? matches : sql`(i.f_type = 2 or ${matches})`)
  }
  return sql.join(parts, sql` and `)
}

/** Where a section is read from: its start, after a cursor, or at a cursor. */
type Start = { after?: Place; at?: Place }

async function section(
  query: Query,
  hidden: readonly number[],
  kind: Section,
  start: Start,
  limit: number,
): Promise<ChildRow[]> {
  const { db, actor, folderId, page } = query
  const { columns, order, beyond } = orderOf(page)
  const place = start.after ?? start.at
  const range =
    place === undefined
      ? sql``
      : sql`and (${columns}) ${start.at === undefined ? beyond : sql`${beyond}${sql.raw('=')}`} (${sql.join(place.slice(1))})`
  // Names and entries are looked up only for the rows within the limit.
  const { rows } = await sql<ChildRow>`
    select ${itemColumns}, ${peopleOf}, ${ownEntries(actor)}::text as packed
    from (
      select i.* from item i
      where i.parent_id = ${folderId} and i.f_type = ${kind} and ${filterOf(query, hidden, kind)} ${range}
      order by ${order} limit ${limit}) i
    order by ${order}`.execute(db)
  return rows
}

/** The actor's record of a row; undefined for a hidden one. */
export function recordIn(
  folder: Access,
  above: Above,
  row: ChildRow,
  actor: Account,
  now: number,
): ItemRecord | undefined {
  const { facts } = factsBelow(above, row, entriesOf(row), actor, now)
  return hasRight(facts.rights, 'display') ? toRecord(row, facts, above.path, folder.library, actor) : undefined
}

/** The columns of a page's sort order, the order and its reverse, and the comparison for rows after a cursor. */
export function orderOf({ sort, order }: Pick<PageRequest, 'sort' | 'order'>) {
  const names = [...sortColumns[sort], 'id'].map((column) => sql.raw(`i.${column}`))
  const rising = sql.join(names)
  const falling = sql.join(names.map((name) => sql`${name} desc`))
  return order === 'desc'
    ? { columns: rising, order: falling, reverse: rising, beyond: sql.raw('<') }
    : { columns: rising, order: rising, reverse: falling, beyond: sql.raw('>') }
}

/** The cursor at an offset of a section, from the nearer end of the index. Only the index is read for skipped rows. */
async function placeAt(
  query: Query,
  hidden: readonly number[],
  kind: Section,
  offset: number,
  count: number,
): Promise<Place | undefined> {
  if (offset >= count) return undefined
  const { columns, order, reverse } = orderOf(query.page)
  const fromEnd = count - 1 - offset
  const [by, skipped] = fromEnd < offset ? [reverse, fromEnd] : [order, offset]
  const { rows } = await sql<ChildRow>`
    select ${kind}::int as f_type, ${columns} from item i
    where i.parent_id = ${query.folderId} and i.f_type = ${kind} and ${filterOf(query, hidden, kind)}
    order by ${by} limit 1 offset ${skipped}`.execute(query.db)
  const row = rows[0]
  return row && placeOf(row, sortColumns[query.page.sort])
}

/**
 * Returns one page of the children that the actor may see and, if requested, fills the caching data. The folder itself
 * has passed the gate `see`.
 */
export async function listChildren(
  db: Db,
  actor: Account,
  folder: Access,
  page: PageRequest,
  now: number,
  basis?: Basis,
): Promise<Page> {
  const query: Query = { db, actor, folderId: folder.row.id, above: aboveChildrenOf(folder), page, now }
  const hidden = await hiddenChildren(query, basis)
  const keys = sortColumns[page.sort]
  const position = page.around === undefined ? page.from : await pageAround(query, hidden, page.around)
  const [total, folders] = await Promise.all([
    totalOf(query, hidden),
    position > 0 && page.after === undefined ? countOf(query, hidden, 2) : 0,
  ])
  const list: ItemRecord[] = []
  let kind: Section = position > 0 && position >= folders ? 1 : 2
  let start: Start = {}
  if (page.after !== undefined) {
    const after = decodePlace(page.after, keys)
    kind = after[0]
    start = { after }
  } else if (position > 0) {
    const [offset, count] = kind === 1 ? [position - folders, total - folders] : [position, folders]
    const at = await placeAt(query, hidden, kind, offset, count)
    if (at === undefined || (kind === 1 && page.foldersOnly)) return { from: position, list, total, next: null }
    start = { at }
  }
  const from = page.after === undefined ? position : null
  let last: ChildRow | undefined
  while (true) {
    const limit = page.rows - list.length + 1
    const rows = await section(query, hidden, kind, start, limit)
    for (const row of rows) {
      basis?.add(row, now)
      if (list.length === page.rows)
        return { from, list, total, next: last === undefined ? null : encodePlace(placeOf(last, keys)) }
      last = row
      const record = recordIn(folder, query.above, row, actor, now)
      if (record !== undefined) list.push(record)
    }
    if (rows.length === limit && last !== undefined) {
      start = { after: placeOf(last, keys) }
    } else if (kind === 2 && !page.foldersOnly) {
      kind = 1
      start = {}
    } else {
      return { from, list, total, next: null }
    }
  }
}

/** The sort keys of an item, before its id. */
export function placeKeys(record: ItemRecord, sort: PageRequest['sort']): (string | number)[] {
  const values = {
    name_sort: record.nameSort,
    modified_at: record.modifyTime,
    size: record.fileSize,
    ext: record.extName,
  } satisfies Record<SortColumn, string | number>
  return sortColumns[sort].map((key) => values[key])
}

/** Consecutive rows of a folder under a common heading. */
export interface Group {
  readonly fType: Section
  readonly key: string
  readonly count: number
}

/** The groups of a folder's children that the actor may see, in the page's order. */
export async function groupChildren(
  db: Db,
  actor: Account,
  folder: Access,
  request: Pick<PageRequest, 'sort' | 'order' | 'keyword'> & { readonly bounds: readonly number[] },
  now: number,
): Promise<Group[]> {
  const page: PageRequest = { ...request, from: 0, rows: 0, foldersOnly: false }
  const query: Query = { db, actor, folderId: folder.row.id, above: aboveChildrenOf(folder), page, now }
  const hidden = await hiddenChildren(query)
  const { rows } = await sql<{ f_type: Section; key: string; count: number }>`
    select i.f_type, ${groupKey(request.sort, request.bounds)} as key, count(*) as count
    from item i
    where i.parent_id = ${query.folderId} and ${filterOf(query, hidden, undefined)}
    group by 1, 2`.execute(db)
  const sign = request.order === 'asc' ? 1 : -1
  const byKey = (a: string, b: string): number =>
    request.sort === 'name' || request.sort === 'type' ? compareTexts(a, b) : Number(a) - Number(b)
  return rows
    .map(({ f_type: fType, key, count }) => ({ fType, key, count }))
    .sort((a, b) => b.fType - a.fType || sign * byKey(a.key, b.key))
}

const hasPairs = /[\ud800-\udfff]/

/** Compares like PostgreSQL's collation C: by UTF-8 bytes, which is the order of code points. */
export function compareTexts(a: string, b: string): number {
  if (hasPairs.test(a) || hasPairs.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a === b ? 0 : a < b ? -1 : 1
}

/** The group key of a row: the rule of domain/list-groups.ts in SQL. */
function groupKey(sort: PageRequest['sort'], bounds: readonly number[]): RawBuilder<string> {
  switch (sort) {
    case 'name':
      return sql`case
        when i.name_sort < '0' then ' ' when i.name_sort < ':' then '0' when i.name_sort < 'a' then ':'
        when i.name_sort < '{' then left(i.name_sort, 1) when i.name_sort < '|' then '{'
        when i.name_sort >= '}' then '~'
        when i.name_sort >= '|a' and i.name_sort < '|{' then left(i.name_sort, 2) else '|~' end`
    case 'type':
      return sql`i.ext`
    case 'time':
      return sql`width_bucket(i.modified_at, ${[...bounds]}::bigint[])::text`
    case 'size':
      return sql`width_bucket(i.size, ${[...bounds]}::bigint[])::text`
  }
}

/** The start of the page that has the item with this id string in the middle. */
async function pageAround(query: Query, hidden: readonly number[], around: string): Promise<number> {
  const { db, folderId, page } = query
  const id = parseItemIdStr(around) ?? fail('notFound')
  const { rows } = await sql<ChildRow>`
    select ${itemColumns} from item i
    where i.id = ${id.fId} and i.f_type = ${id.fType} and i.parent_id = ${folderId}
      and ${filterOf(query, hidden, undefined)}`.execute(db)
  const row = rows[0] ?? fail('notFound')
  const { columns } = orderOf(page)
  const place = sql.join(placeOf(row, sortColumns[page.sort]).slice(1))
  const [folders, before] = await Promise.all([
    row.f_type === 1 ? countOf(query, hidden, 2) : 0,
    countOf(query, hidden, row.f_type, sql`and (${columns}) ${sql.raw(page.order === 'desc' ? '>' : '<')} (${place})`),
  ])
  return Math.max(0, folders + before - Math.floor(page.rows / 2))
}

function placeOf(row: ChildRow, keys: readonly SortColumn[]): Place {
  return [row.f_type, ...keys.map((key) => row[key]), row.id]
}

/** The children that are hidden from the actor; none for managers. */
async function hiddenChildren(query: Query, basis?: Basis): Promise<number[]> {
  if (query.above.isManager) return []
  const { rows } = await sql<ChildRow>`
    select ${itemColumns}, ${noPeople}, ${ownEntries(query.actor)}::text as packed
    from item i
    where i.parent_id = ${query.folderId} and (i.withholds or not i.inherit)
      and ${filterOf(query, [], undefined)}
      ${query.page.foldersOnly ? sql`and i.f_type = 2` : sql``}`.execute(query.db)
  const hidden = rows.flatMap((row) => {
    basis?.add(row, query.now)
    const { facts } = factsBelow(query.above, row, entriesOf(row), query.actor, query.now)
    return hasRight(facts.rights, 'display') ? [] : [row.id]
  })
  if (basis !== undefined) basis.hidden = hidden
  return hidden
}

async function countOf(
  query: Query,
  hidden: readonly number[],
  kind: Section | undefined,
  range = sql``,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from item i
    where i.parent_id = ${query.folderId} ${kind === undefined ? sql`` : sql`and i.f_type = ${kind}`}
      and ${filterOf(query, hidden, kind)} ${range}`.execute(query.db)
  return rows[0]?.count ?? 0
}

/** The number of children that the actor may see; counted only if a filter makes that necessary. */
async function totalOf(query: Query, hidden: readonly number[]): Promise<number> {
  if (query.page.foldersOnly) return countOf(query, hidden, 2)
  const filtered = query.page.keyword !== '' || (query.above.restricted && !query.above.isManager)
  if (filtered) return countOf(query, hidden, undefined)
  // Counted separately, each with the index on the extension.
  if (query.page.exts) return (await countOf(query, hidden, 2)) + (await countOf(query, hidden, 1))
  const { rows } = await sql<{ total: number }>`
    select children_of(${query.folderId}) as total`.execute(query.db)
  return (rows[0]?.total ?? 0) - hidden.length
}
