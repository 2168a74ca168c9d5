/*
 * One page of a folder. Folders come first, then files; within each, a page is a range of one index in either direction,
 * so that it costs what it shows and not what the folder holds. The folder's rights are evaluated once; only children
 * with rules of their own are evaluated again.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { fail, hasRight } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { type Above, aboveChildrenOf, factsBelow, itemColumns, ownEntries, peopleOf, unpackEntries } from './access.ts'
import { nameMatches } from './match.ts'
import { toRecord } from './records.ts'

export interface PageRequest {
  readonly from: number
  readonly rows: number
  readonly sort: 'name' | 'time' | 'size' | 'type'
  readonly order: 'asc' | 'desc'
  readonly keyword: string
  readonly after?: string | undefined
  readonly foldersOnly: boolean
}

export interface Page {
  readonly list: ItemRecord[]
  readonly total: number
  readonly next: string | null
}

/** The columns that each order runs by; the id makes it total. Each is a prefix of an index of item. */
const sortColumns = {
  name: ['name_sort'],
  time: ['modified_at'],
  size: ['size'],
  type: ['ext', 'name_sort'],
} as const

type SortColumn = (typeof sortColumns)[keyof typeof sortColumns][number]
const texts: ReadonlySet<SortColumn> = new Set(['name_sort', 'ext'])
// PostgreSQL's texts hold no NUL.
const isText = (part: unknown): boolean => typeof part === 'string' && !part.includes('\0')

type Section = 2 | 1
type Place = readonly [section: Section, ...keys: (string | number)[]]
type ChildRow = ItemRow & { entries: Parameters<typeof unpackEntries>[0] }

function encodePlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Reads a place; one that another order or nobody wrote is refused. */
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
    // Falls through: what does not parse is as wrong as what does not fit.
  }
  return fail('badRequest', 'after')
}

interface Query {
  readonly db: Db
  readonly actor: Actor
  readonly folderId: number
  readonly above: Above
  readonly page: PageRequest
  readonly now: number
}

/** Others' items are left out of a restricted folder before paging ([R210]). */
function filterOf({ above, actor, page }: Query): RawBuilder<unknown> {
  const parts = [sql`i.deleted_at is null`]
  // A tree has no place for a link, which may lead back to where it lies.
  if (page.foldersOnly) parts.push(sql`i.link_to is null`)
  if (above.restricted && !above.isManager) parts.push(sql`i.created_by = ${actor.accountId}`)
  parts.push(...nameMatches(page.keyword))
  return sql.join(parts, sql` and `)
}

async function section(
  query: Query,
  kind: Section,
  start: { after: Place } | { offset: number },
  limit: number,
): Promise<ChildRow[]> {
  const { db, actor, folderId, page } = query
  const columns = [...sortColumns[page.sort], 'id'].map((column) => sql.raw(`i.${column}`))
  const descending = page.order === 'desc'
  const order = sql.join(columns.map((column) => (descending ? sql`${column} desc` : column)))
  const range =
    'after' in start
      ? sql`and (${sql.join(columns)}) ${sql.raw(descending ? '<' : '>')} (${sql.join(start.after.slice(1))})`
      : sql``
  const offset = 'offset' in start && start.offset > 0 ? sql`offset ${start.offset}` : sql``
  const { rows } = await sql<ChildRow>`
    select ${itemColumns}, ${peopleOf}, ${ownEntries(actor)} as entries
    from (
      select i.* from item i
      where i.parent_id = ${folderId} and i.f_type = ${kind} and ${filterOf(query)} ${range}
      order by ${order} limit ${limit} ${offset}
    ) i
    order by ${order}`.execute(db)
  return rows
}

/** One page of the children that the actor may see. The folder itself has passed the gate `see`. */
export async function listChildren(
  db: Db,
  actor: Actor,
  folder: Access,
  page: PageRequest,
  now: number,
): Promise<Page> {
  const query: Query = { db, actor, folderId: folder.row.id, above: aboveChildrenOf(folder), page, now }
  const [hidden, folders] = await Promise.all([hiddenChildren(query), page.from > 0 ? countOf(query, 2) : 0])
  const total = await totalOf(query, hidden)
  const keys = sortColumns[page.sort]
  const list: ItemRecord[] = []
  let kind: Section = 2
  let start: { after: Place } | { offset: number } = { offset: page.from }
  // By position: hidden children take no place, so where there are any, the rows before are walked and counted.
  let skip = 0
  if (page.after !== undefined) {
    const place = decodePlace(page.after, keys)
    kind = place[0]
    start = { after: place }
  } else if (hidden > 0) {
    skip = page.from
    start = { offset: 0 }
  } else if (page.from >= folders) {
    kind = page.from > 0 ? 1 : 2
    start = { offset: page.from > 0 ? page.from - folders : 0 }
  }
  let last: ChildRow | undefined
  while (true) {
    const limit = Math.min(skip + page.rows - list.length + 1, 1001)
    const rows = await section(query, kind, start, limit)
    for (const row of rows) {
      if (list.length === page.rows)
        return { list, total, next: last === undefined ? null : encodePlace(placeOf(last, keys)) }
      const { facts } = factsBelow(query.above, row, unpackEntries(row.entries), actor, now)
      last = row
      if (!hasRight(facts.rights, 'display')) continue
      if (skip > 0) {
        skip -= 1
        continue
      }
      list.push(toRecord(row, facts, query.above.path, folder.library, actor))
    }
    if (rows.length === limit && last !== undefined) {
      start = { after: placeOf(last, keys) }
    } else if (kind === 2 && !page.foldersOnly) {
      kind = 1
      start = { offset: 0 }
    } else {
      return { list, total, next: null }
    }
  }
}

function placeOf(row: ChildRow, keys: readonly SortColumn[]): Place {
  return [row.f_type, ...keys.map((key) => row[key]), row.id]
}

/** How many children with rules of their own the actor may not see. */
async function hiddenChildren(query: Query): Promise<number> {
  const { rows } = await sql<ChildRow>`
    select ${itemColumns}, '' as modifier, '' as creator, ${ownEntries(query.actor)} as entries
    from item i
    where i.parent_id = ${query.folderId} and i.own_rules and ${filterOf(query)}
      ${query.page.foldersOnly ? sql`and i.f_type = 2` : sql``}`.execute(query.db)
  return rows.filter((row) => {
    const { facts } = factsBelow(query.above, row, unpackEntries(row.entries), query.actor, query.now)
    return !hasRight(facts.rights, 'display')
  }).length
}

async function countOf(query: Query, kind: Section | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from item i
    where i.parent_id = ${query.folderId} ${kind === undefined ? sql`` : sql`and i.f_type = ${kind}`}
      and ${filterOf(query)}`.execute(query.db)
  return rows[0]?.count ?? 0
}

/** All children, from the folded total and what is not folded yet; counted only where a filter makes that necessary. */
async function totalOf(query: Query, hidden: number): Promise<number> {
  if (query.page.foldersOnly) return (await countOf(query, 2)) - hidden
  const filtered = query.page.keyword !== '' || (query.above.restricted && !query.above.isManager)
  if (filtered) return (await countOf(query, undefined)) - hidden
  const { rows } = await sql<{ total: number }>`
    select coalesce((select children from child_total where folder_id = ${query.folderId}), 0)
      + coalesce((select sum(children) from tally where folder_id = ${query.folderId}), 0)::bigint as total`.execute(
    query.db,
  )
  return (rows[0]?.total ?? 0) - hidden
}
