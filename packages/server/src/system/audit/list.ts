// Searching the audit: pages of sealed rows, the newest first, by key and without counting.
import { type AuditKind, auditKinds } from '@cloudoc/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { Outsider } from '../../core/db/schema.ts'
import { foldTyped } from '../../core/folding.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { rowText } from './chain.ts'

const dayMs = 24 * 60 * 60_000

export interface Filters {
  readonly kind?: AuditKind | undefined
  readonly accountId?: number | undefined
  readonly itemId?: number | undefined
  readonly itemName?: string | undefined
  readonly address?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly refused?: 'true' | undefined
}

/** The cursor of a page: the row it begins after. */
export interface After {
  readonly at: number
  readonly seq: number
}

export interface Entry {
  readonly seq: number
  readonly at: number
  readonly kind: AuditKind
  readonly call: string
  readonly by: { userId: number; account: string; accountName: string; groupName: string } | null
  readonly outsider: string | null
  readonly address: string
  readonly items: { fId: number; fType: number; fName: string }[]
  readonly itemCount: number
  readonly people: { userId: number; account: string; accountName: string }[]
  readonly peopleCount: number
  /** Names of what the row concerns besides items and users: a department, a role, a watermark, a linked server. */
  readonly objects: string[]
  readonly refused: string
  readonly detail: string
  readonly hash: string
}

/** Maximum number of items named per row. */
const itemsNamed = 5
/** Maximum number of items found by a name. */
const itemsFound = 200

interface Row {
  readonly seq: number
  readonly at: number
  readonly kind: number
  readonly call: string | null
  readonly account_id: number | null
  readonly account: string | null
  readonly name: string | null
  readonly group_name: string | null
  readonly outsider: Outsider | null
  readonly address: string
  readonly items: readonly number[] | null
  readonly detail: Record<string, unknown> | null
  readonly hash: Buffer
}

const columns = sql`s.seq, s.at, s.kind, s.address, s.hash, a.call, s.account_id, a.outsider, a.detail,
  array_to_json(a.items) as items, p.account, p.name, g.name as group_name`
const joined = sql`left join audit a on a.id = s.audit_id
  left join account p on p.id = s.account_id left join org_group g on g.id = p.group_id`

/** A page; the next one is requested by its last row. */
export async function listAudit(db: Db, filters: Filters, after: After | undefined, rows: number): Promise<Entry[]> {
  const conditions = await conditionsOf(db, filters)
  if (conditions === undefined) return []
  if (after !== undefined) conditions.push(sql`(s.at, s.seq) < (${after.at}::bigint, ${after.seq}::bigint)`)
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const { rows: found } = await sql<Row>`
    select ${columns}
    from (select * from audit_seal s where ${where} order by s.at desc, s.seq desc limit ${rows}) s ${joined}
    order by s.at desc, s.seq desc`.execute(db)
  return entriesOf(db, found)
}

/** Rows sealed after a row, the oldest first, and the number of the last row examined. Technical rows are omitted. */
export async function listSealed(
  db: Db,
  after: number,
  rows: number,
): Promise<{ entries: Entry[]; last: number | undefined }> {
  const { rows: found } = await sql<Row>`
    select ${columns}
    from (select * from audit_seal s where s.seq > ${after} order by s.seq limit ${rows}) s ${joined}
    order by s.seq`.execute(db)
  const shown = found.filter(({ kind }) => auditKinds[kind] !== 'technical')
  return { entries: await entriesOf(db, shown), last: found.at(-1)?.seq }
}

/** Sealed rows after one and up to another, the oldest first, each with its hashed text; null if the row is gone. */
export async function listWhole(
  db: Db,
  after: number,
  upTo: number,
  rows: number,
): Promise<{ entry: Entry; text: string | null }[]> {
  const { rows: found } = await sql<Row & { text: string | null }>`
    select ${columns}, case when a.id is not null then ${rowText} end as text
    from (select * from audit_seal s where s.seq > ${after} and s.seq <= ${upTo} order by s.seq limit ${rows}) s ${joined}
    order by s.seq`.execute(db)
  const entries = await entriesOf(db, found)
  return found.flatMap(({ text }, n) => {
    const entry = entries[n]
    return entry === undefined ? [] : [{ entry, text }]
  })
}

async function entriesOf(db: Db, found: readonly Row[]): Promise<Entry[]> {
  const about = new Map(found.map((row) => [row, aboutOf(row)]))
  const [names, persons, objects] = await Promise.all([
    namesOf(
      db,
      [...about.values()].flatMap(({ items }) => items.slice(0, itemsNamed)),
    ),
    personsOf(
      db,
      [...about.values()].flatMap(({ people }) => people.slice(0, itemsNamed)),
    ),
    objectsOf(db, found),
  ])
  return found.map((row) => {
    const { refused = '', ...detail } = row.detail ?? {}
    const { items, people } = about.get(row) ?? aboutOf(row)
    return {
      seq: row.seq,
      at: row.at,
      kind: auditKinds[row.kind] ?? 'technical',
      call: row.call ?? '',
      by:
        row.account_id === null
          ? null
          : {
              userId: row.account_id,
              account: row.account ?? '',
              accountName: row.name ?? '',
              groupName: row.group_name ?? '',
            },
      outsider: row.outsider?.name ?? null,
      address: row.address,
      items: items.slice(0, itemsNamed).map((fId) => ({ fId, ...(names.get(fId) ?? { fType: 0, fName: '' }) })),
      itemCount: items.length,
      people: people.slice(0, itemsNamed).flatMap((userId) => persons.get(userId) ?? []),
      peopleCount: people.length,
      objects: objects.get(row) ?? [],
      refused: String(refused),
      detail: JSON.stringify(detail),
      hash: row.hash.toString('hex'),
    }
  })
}

/** Undefined if nothing can match. */
async function conditionsOf(db: Db, filters: Filters): Promise<RawBuilder<unknown>[] | undefined> {
  const { kind, accountId, itemId, itemName = '', address, since, until, refused } = filters
  const conditions: RawBuilder<unknown>[] = []
  if (kind !== undefined) conditions.push(sql`s.kind = ${auditKinds.indexOf(kind)}`)
  else conditions.push(sql`s.kind <> ${sql.lit(auditKinds.indexOf('technical'))}`)
  if (accountId !== undefined) conditions.push(sql`s.account_id = ${accountId}`)
  if (address !== undefined && address !== '') conditions.push(sql`s.address = ${address.trim()}`)
  if (since !== undefined) conditions.push(sql`s.at >= ${since}`)
  if (until !== undefined) conditions.push(sql`s.at < ${until}`)
  if (refused !== undefined) conditions.push(sql`s.refused`)
  const ids = itemId !== undefined ? [itemId] : itemName.trim() === '' ? undefined : await itemsCalled(db, itemName)
  if (ids?.length === 0) return undefined
  if (ids !== undefined) conditions.push(sql`s.seq in (select i.seq from audit_item i where i.item_id = any(${ids}))`)
  return conditions
}

/** Items whose names contain a text, by the search index; deleted items are found by a row that names them. */
async function itemsCalled(db: Db, name: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from item where search_text like ${likeAnywhere(foldTyped(name.trim()))} and deleted_at is null
    limit ${itemsFound}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The subjects of a row: its items, else the library or folder that it names; and the users that it names. */
function aboutOf({ items, detail, account_id: by }: Row): { items: readonly number[]; people: readonly number[] } {
  const { userId, successorId, accountId, people, libraryId, folderId, itemId, fileId } = detail ?? {}
  const named = [userId, successorId, accountId, ...idsIn(people)].filter((id) => typeof id === 'number' && id !== by)
  const place = [itemId, fileId, libraryId, folderId].filter((id) => typeof id === 'number')
  return {
    items: items !== null && items.length > 0 ? items : place.slice(0, 1),
    people: [...new Set(named as number[])],
  }
}

/**
 * Names of the other objects of rows. The recorded name is what the object was called then; where only its id is
 * recorded, its present name is shown.
 */
async function objectsOf(db: Db, found: readonly Row[]): Promise<Map<Row, string[]>> {
  const idOf = ({ detail }: Row, field: 'groupId' | 'roleId'): number[] => {
    const id = detail?.[field]
    return typeof id === 'number' && recordedName(detail) === undefined ? [id] : []
  }
  const named = async (table: 'org_group' | 'role', ids: readonly number[]): Promise<Map<number, string>> => {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', [...new Set(ids)])
      .execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const [groups, roles] = await Promise.all([
    named(
      'org_group',
      found.flatMap((row) => idOf(row, 'groupId')),
    ),
    named(
      'role',
      found.flatMap((row) => idOf(row, 'roleId')),
    ),
  ])
  return new Map(
    found.map((row) => {
      const name = recordedName(row.detail)
      const others = [
        ...idOf(row, 'groupId').map((id) => groups.get(id)),
        ...idOf(row, 'roleId').map((id) => roles.get(id)),
      ]
      return [row, [name, ...others].filter((one) => one !== undefined)]
    }),
  )
}

/** The name that a row itself records. */
function recordedName(detail: Row['detail']): string | undefined {
  const { name, tagName, from, to, apiHost } = detail ?? {}
  if (typeof from === 'string' && typeof to === 'string') return `${from} → ${to}`
  return [name, tagName, apiHost].find((one): one is string => typeof one === 'string' && one !== '')
}

/** Several people are recorded as a JSON list; a plain number is not a list. */
function idsIn(people: unknown): unknown[] {
  if (typeof people !== 'string' || !people.startsWith('[')) return []
  const ids: unknown = JSON.parse(people)
  return Array.isArray(ids) ? ids : []
}

async function personsOf(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { userId: number; account: string; accountName: string }>> {
  if (ids.length === 0) return new Map()
  const people = await db
    .selectFrom('account')
    .select(['id as userId', 'account', 'name as accountName'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(people.map((one) => [one.userId, one]))
}

async function namesOf(db: Db, wanted: readonly number[]): Promise<Map<number, { fType: number; fName: string }>> {
  const ids = [...new Set(wanted)]
  if (ids.length === 0) return new Map()
  const items = await db
    .selectFrom('item')
    .select(['id', 'f_type', 'name'])
    .where('id', 'in', ids)
    .unionAll(db.selectFrom('gone_item').select(['id', 'f_type', 'name']).where('id', 'in', ids))
    .execute()
  return new Map(items.map(({ id, f_type: fType, name: fName }) => [id, { fType, fName }]))
}

/** Searches people, including leavers. */
export async function peopleCalled(db: Db, keyword: string, rows: number) {
  const pattern = likeAnywhere(foldTyped(keyword))
  const { rows: found } = await sql<{ userId: number; account: string; accountName: string; groupName: string }>`
    select a.id as "userId", a.account, a.name as "accountName", g.name as "groupName"
    from account a join org_group g on g.id = a.group_id
    where a.search_text like ${pattern} order by a.name_sort, a.id limit ${rows}`.execute(db)
  return found
}

/** The most downloaded items of the last days, including the day with the number `today`. */
export async function topDownloads(
  db: Db,
  { days, from, rows: most }: { readonly days: number; readonly from: number; readonly rows: number },
  today: number,
) {
  const { rows } = await sql<{
    fId: number
    fType: 1 | 2
    fName: string
    libraryName: string
    fileSize: number
    downloads: number
    lastDay: number
    isDeleted: boolean
    n: number
  }>`
    with counted as (
      select item_id, sum(n)::bigint as n, max(day) as day, count(*) over () as of from audit_download
      where day > ${today - days} group by item_id order by sum(n) desc, item_id limit ${most} offset ${from}
    )
    select c.item_id as "fId", coalesce(i.f_type, g.f_type, 1) as "fType", coalesce(i.name, g.name, '') as "fName",
      coalesce(l.name, '') as "libraryName", coalesce(i.size, 0)::bigint as "fileSize", c.n as downloads, c.day as "lastDay",
      i.id is null or i.deleted_at is not null as "isDeleted", c.of as n
    from counted c left join item i on i.id = c.item_id and not i.purged left join item l on l.id = i.library_id
      left join gone_item g on g.id = c.item_id
    order by c.n desc, c.item_id`.execute(db)
  return {
    list: rows.map(({ n: _, lastDay, ...row }) => ({ ...row, lastTime: lastDay * dayMs })),
    total: rows[0]?.n ?? 0,
  }
}
