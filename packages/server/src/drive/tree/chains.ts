/*
 * Reads items with all their ancestors, library root first, and for each the entries that concern the actor. access.ts
 * evaluates them.
 */
import type { RightsEntry } from '@cloudoc/domain'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { batched, type Outcome } from '../../core/batcher.ts'
import type { Db } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import type { LibraryKind } from '../../core/db/schema.ts'

/** Items with more entries are not cached but read for each actor. */
const mostEntries = 200

/** An entry of an item, or a grant of counted downloads by an application (kind `download`), which gives no right. */
export type StoredEntry = RightsEntry | (Omit<RightsEntry, 'kind'> & { readonly kind: 'download' })

/** A stored entry in PostgreSQL's JSON form. */
export type PackedEntry = [
  subjectType: RightsEntry['subjectType'],
  subjectId: number,
  rights: number,
  kind: StoredEntry['kind'],
  expires: number | null,
]

export const itemColumns = sql.raw(
  [
    'id',
    'library_id',
    'parent_id',
    'f_type',
    'name',
    'name_sort',
    'ext',
    'created_by',
    'created_at',
    'creator_outsider',
    'modified_by',
    'modified_at',
    'modifier_outsider',
    'disk_time',
    'version',
    'size',
    'status',
    'doc_flag',
    'held_for',
    'uninspected_by',
    'secret_level',
    'secret_until',
    'link_to',
    'space_limit',
    'editor_id',
    'editor_session',
    'process_id',
    'process_version',
    'mail_id',
    'inherit',
    'restricted',
    'own_rules',
    'granted',
    'deleted_at',
    'deleted_by',
    'purged',
  ]
    .map((column) => `i.${column}`)
    .join(', '),
)

/** The names of an item's users. Each row looks them up separately, so a page keeps the order of its index. */
export const peopleOf = sql.raw(`
  coalesce(i.modifier_outsider->>'name', (select name from account where id = i.modified_by)) as modifier,
  coalesce(i.creator_outsider->>'name', (select name from account where id = i.created_by)) as creator,
  case when i.editor_id is not null then (select name from account where id = i.editor_id) end as editor`)

/** Placeholders if the names are not needed. */
export const noPeople = sql.raw(`'' as modifier, '' as creator, null as editor`)

/** The names only for items whose id is requested. */
const peopleOfWanted = (wanted: RawBuilder<unknown>) => sql`
  case when i.id ${wanted} then
    coalesce(i.modifier_outsider->>'name', (select name from account where id = i.modified_by)) end as modifier,
  case when i.id ${wanted} then
    coalesce(i.creator_outsider->>'name', (select name from account where id = i.created_by)) end as creator,
  case when i.id ${wanted} and i.editor_id is not null then (
    select name from account where id = i.editor_id) end as editor`

/** Grants of downloads that have not ended, in the columns of entries. */
const grants = sql.raw(`
  select 'user', g.account_id, 0, 'download', g.ends_at
  from download_grant g where g.item_id = i.id and i.granted and g.ended_at is null`)

/** The item's own entries that concern the actor, packed; null if it has no rules of its own. */
export function ownEntries({ subjects: { userId, groupIds, roleIds } }: Account): RawBuilder<PackedEntry[] | null> {
  return entriesFor(sql`${userId}`, sql`${[...groupIds]}`, sql`${[...roleIds]}`)
}

/** The same, with the subjects taken from columns of the statement. */
function entriesFor(
  user: RawBuilder<unknown>,
  groups: RawBuilder<unknown>,
  roles: RawBuilder<unknown>,
): RawBuilder<PackedEntry[] | null> {
  return sql`case when i.granted then (
    select json_agg(json_build_array(e.subject_type, e.subject_id, e.rights, e.kind, e.expires_at))
    from (
      select subject_type, subject_id, rights, kind, expires_at from entry where item_id = i.id
      union all ${grants}) e
    where (e.subject_type = 'user' and e.subject_id = ${user}) or
      (e.subject_type = 'group' and e.subject_id = any(${groups})) or
      (e.subject_type = 'role' and e.subject_id = any(${roles})))
  when i.own_rules then (
    select json_agg(json_build_array(e.subject_type, e.subject_id, e.rights, e.kind, e.expires_at))
    from entry e where e.item_id = i.id and (
      (e.subject_type = 'user' and e.subject_id = ${user}) or
      (e.subject_type = 'group' and e.subject_id = any(${groups})) or
      (e.subject_type = 'role' and e.subject_id = any(${roles})))) end`
}

/** All entries of an item with its own rules, packed; null if there are too many to cache. */
export const everyonesEntries = sql`case when i.own_rules or i.granted then (
  select case when count(*) <= ${sql.lit(mostEntries)} then
    coalesce(json_agg(json_build_array(e.subject_type, e.subject_id, e.rights, e.kind, e.expires_at)), '[]') end
  from (
    select subject_type, subject_id, rights, kind, expires_at from entry where item_id = i.id
    union all ${grants} limit ${sql.lit(mostEntries + 1)}) e) end`

/** The actor's subjects for a statement that serves many actors: an array of these is passed as one JSON value. */
export function askerOf({ subjects: { userId, groupIds, roleIds } }: Account) {
  return { account: userId, groups: [...groupIds], roles: [...roleIds] }
}

/** The columns of that JSON value; the statement may add more. */
export const askerColumns = sql.raw('account bigint, groups bigint[], roles bigint[]')

/** The item's own entries that concern the actor in the columns of `from`. */
export const askersEntries = (from: string): RawBuilder<PackedEntry[] | null> =>
  entriesFor(sql.raw(`${from}.account`), sql.raw(`${from}.groups`), sql.raw(`${from}.roles`))

export function unpackEntries(packed: readonly PackedEntry[] | null): StoredEntry[] {
  return (packed ?? []).map(([subjectType, subjectId, mask, kind, expireTime]) => ({
    subjectType,
    subjectId,
    rights: mask,
    kind,
    expireTime,
  }))
}

/** An item of the path and, for a root, the columns of its library. */
export type ChainRow = ItemRow & {
  entries: PackedEntry[] | null
  library_kind: LibraryKind | null
  owner_id: number | null
  quota: number | null
  file_limit: number | null
  managed: SqlBool | null
}

/** Maximum depth of a tree: each level costs every read below it one index look-up. */
export const maxDepth = 128

/**
 * Loads items with all their ancestors, library root first, by item id. `offset 0` forces one key look-up per step: as
 * a join, many steps would be planned as a scan of the whole table. Shared ancestors are read once. User names are only
 * loaded for the requested items, and with `people: false` for none.
 */
export async function loadChains(
  db: Db,
  actor: Account,
  ids: readonly number[],
  { people }: { people: boolean },
): Promise<Map<number, ChainRow[]>> {
  // A single id has its own form: for an array PostgreSQL does not know the length, assumes ten and plans again at
  // every execution.
  const wanted = ids.length === 1 ? sql`= ${ids[0]}` : sql`= any(${ids})`
  const { rows } = await sql<ChainRow>`
    with recursive chain as (
      select ${itemColumns} from item i where i.id ${wanted}
      union
      select ${itemColumns} from chain c cross join lateral (select * from item where id = c.parent_id offset 0) i
    )
    select i.*, ${ownEntries(actor)} as entries, l.kind as library_kind, l.owner_id, l.quota, l.file_limit,
      ${people ? peopleOfWanted(wanted) : noPeople},
      case when l.id is not null then exists (
        select 1 from library_manager g where g.library_id = l.id and g.account_id = ${actor.accountId}) end as managed
    from chain i left join lateral (select * from library where id = i.id and i.parent_id is null offset 0) l on true`.execute(
    db,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const chains = new Map<number, ChainRow[]>()
  for (const id of ids) {
    const chain: ChainRow[] = []
    for (let row = byId.get(id); row !== undefined; row = byId.get(row.parent_id ?? 0)) chain.unshift(row)
    if (chain.length > 0) chains.set(id, chain)
  }
  return chains
}

/** A request for an item's ancestors. */
export interface Asked {
  readonly actor: Account
  readonly id: number
}

/**
 * Batch size: the number of requests that may arrive while one statement runs. Two statements may run at once, for two
 * processors.
 */
const batching = { most: 64, atOnce: 2 }
/** Maximum number of cached items; the least recently used is evicted. */
const maxCached = 10_000

/** A cached item for all actors: with all its entries and, for a root, the managers of its library. */
export interface CachedItem {
  readonly row: Omit<ChainRow, 'entries' | 'managed'>
  readonly entries: readonly PackedEntry[] | null
  readonly managers: readonly number[] | null
  /** The id of the read, by order of completion. */
  readonly readAt: number
}

type Read = ChainRow & Pick<CachedItem, 'managers'> & { n: number; up: number; everyone: PackedEntry[] | null }

/**
 * The ancestors of single items, library root first, each for its own actor, in one statement whose cost hardly depends
 * on their number. With `everyone`, all entries are included for the cache.
 */
export async function readChains(db: Db, asked: readonly Asked[], everyone = sql`null`): Promise<Read[][]> {
  const askers = asked.map(({ actor, id }, n) => ({ n, item: id, ...askerOf(actor) }))
  const { rows } = await sql<Read>`
    with recursive chain as (
      select a.*, 0 as up, ${itemColumns}
      from jsonb_to_recordset(${JSON.stringify(askers)}) as a(n int, item bigint, ${askerColumns})
        cross join lateral (select * from item where id = a.item offset 0) i
      union all
      select a.n, a.item, a.account, a.groups, a.roles, a.up + 1, ${itemColumns}
      from chain a cross join lateral (select * from item where id = a.parent_id offset 0) i
      where a.up < ${maxDepth}
    )
    select i.n, i.up, ${itemColumns}, ${peopleOf}, ${askersEntries('i')} as entries, ${everyone} as everyone,
      l.kind as library_kind, l.owner_id, l.quota, l.file_limit,
      case when l.id is not null then exists (
        select 1 from library_manager g where g.library_id = l.id and g.account_id = i.account) end as managed,
      case when l.id is not null then (
        select json_agg(g.account_id) from library_manager g where g.library_id = l.id) end as managers
    from chain i left join lateral (select * from library where id = i.id and i.parent_id is null offset 0) l on true`.execute(
    db,
  )
  const chains = asked.map((): Read[] => [])
  for (const row of rows.sort((one, other) => other.up - one.up)) chains[row.n]?.push(row)
  return chains
}

/** The ancestor chains of single items, cached or read. */
export interface Chains {
  /**
   * An item with its ancestors, library root first, if all of them are cached and consistent with one snapshot: half of
   * a change must not be visible. The caller must have processed all invalidations.
   */
  cached(id: number): readonly CachedItem[] | undefined
  /** Reads the chain again, batched with concurrent requests, and caches it. */
  read(actor: Account, id: number): Promise<readonly ChainRow[]>
}

/** Caches items for all actors until PostgreSQL notifies that they have changed. */
export function createChains(db: Db, invalidations: Invalidations): Chains {
  const kept = new Map<number, CachedItem>()
  invalidations.follow({
    forget: (kind, id) => void (kind === 'item' && kept.delete(id)),
    forgetAll: () => kept.clear(),
  })
  const keep = ({ n, up, entries, managed, managers, everyone, ...row }: Read, readAt: number): void => {
    // An item that is already cached is equally good. An item with too many entries is not cached.
    if (kept.has(row.id) || ((row.own_rules || row.granted) && everyone === null)) return
    kept.set(row.id, { row, entries: everyone, managers, readAt })
    if (kept.size <= maxCached) return
    for (const oldest of kept.keys()) {
      kept.delete(oldest)
      break
    }
  }

  const read = batched(batching, async (asked: readonly Asked[]): Promise<Outcome<readonly ChainRow[]>[]> => {
    const mark = invalidations.mark()
    const chains = await readChains(db, asked, everyonesEntries)
    const readAt = invalidations.readAt()
    for (const row of chains.flat()) if (invalidations.isCurrentSince(mark, 'item', row.id)) keep(row, readAt)
    return chains.map((value) => ({ value }))
  })

  return {
    cached(id) {
      const items: CachedItem[] = []
      for (let at: number | null = id; at !== null; ) {
        const one = kept.get(at)
        if (one === undefined) return undefined
        items.unshift(one)
        at = one.row.parent_id
      }
      const own = items.at(-1)
      if (own === undefined) return undefined
      const isOfOneReading = items.every(({ readAt }) => readAt === own.readAt)
      if (!isOfOneReading && !items.every(({ readAt }) => invalidations.areOfOneMoment(readAt))) return undefined
      // Moves the item to the end of the eviction order.
      kept.delete(id)
      kept.set(id, own)
      return items
    },
    read: (actor, id) => read({ actor, id }),
  }
}

/** Cached items with the entries that concern one actor. */
export function chainFor({ subjects, accountId }: Account, items: readonly CachedItem[]): ChainRow[] {
  return items.map(({ row, entries, managers }) => ({
    ...row,
    entries: entries === null ? null : concerning(subjects, entries),
    managed: managers?.includes(accountId) ?? null,
  }))
}

/** Those of an item's entries that concern the actor. */
export function concerning(subjects: Account['subjects'], entries: readonly PackedEntry[]): PackedEntry[] {
  return entries.filter(([type, subject]) => concerns(subjects, type, subject))
}

function concerns({ userId, groupIds, roleIds }: Account['subjects'], type: PackedEntry[0], subject: number): boolean {
  switch (type) {
    case 'user':
      return subject === userId
    case 'group':
      return groupIds.has(subject)
    case 'role':
      return roleIds.has(subject)
  }
}
