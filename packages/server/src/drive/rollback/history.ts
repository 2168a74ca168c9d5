/*
 * What items were at a moment. Triggers write the state that a change replaces (migration 0322), so no statement can
 * omit it. The state at a moment is that of the earliest row after it; what has no such row has not changed. Creations
 * and contents are found by the time of the last content of an item, and by its versions. Reading costs what changed in
 * the library since the moment, not what exists.
 */
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

const dayMs = 24 * 60 * 60_000
/** For how many days earlier states are kept. */
export const historyDays = 90
const removalBatch = 5000

/** The earliest moment to which an item can return. */
export async function earliestMoment(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ value: number }>`select value from stamp where name = 'item history'`.execute(db)
  return Math.max(rows[0]?.value ?? now, now - historyDays * dayMs)
}

/** Removes states that are too old. Returns whether more may be left. */
export async function forgetHistory(db: Db, now: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from item_history where id in (
      select id from item_history where at < ${now - historyDays * dayMs}::bigint order by id limit ${removalBatch})`.execute(
    db,
  )
  return Number(numAffectedRows) === removalBatch
}

/** The columns of an item that a trigger records. */
export interface ItemBefore {
  readonly name: string
  readonly parentId: number | null
  readonly deleted: boolean
  readonly inherit: boolean
  readonly restricted: boolean
}

/** An entry as its row is stored. */
export interface EntryRow {
  readonly id: number
  readonly subject_type: 'user' | 'group' | 'role'
  readonly subject_id: number
  readonly rights: number
  readonly expires_at: number | null
  readonly created_by: number
  readonly created_at: number
}

/** What one item was at the moment, as far as it differs from now. */
export interface Past {
  item?: ItemBefore
  /** Entries by id; null: the entry did not exist. */
  readonly entries: Map<number, EntryRow | null>
  /** Versions that were removed since, by number: when each was created. */
  readonly versions: Map<number, number>
}

/** A link as it was; null: it did not exist. */
export interface LinkPast {
  readonly itemId: number
  readonly linkId: number
  readonly before: Readonly<Record<string, unknown>> | null
}

/** What changed in a library since a moment. */
export interface Changes {
  readonly past: ReadonlyMap<number, Past>
  readonly links: readonly LinkPast[]
  /** All items that may have changed. */
  readonly ids: readonly number[]
}

/** Reads what changed in a library since a moment. */
export async function changesSince(db: Db, libraryId: number, since: number): Promise<Changes> {
  const { rows } = await sql<{ item_id: number; what: string; ref: number; before: unknown }>`
    select distinct on (item_id, what, ref) item_id, what, ref, before
    from item_history where library_id = ${libraryId} and at > ${since}::bigint
    order by item_id, what, ref, id`.execute(db)
  const { rows: fresh } = await sql<{ id: number }>`
    select id from item where library_id = ${libraryId} and modified_at > ${since}::bigint`.execute(db)
  const past = new Map<number, Past>()
  const links: LinkPast[] = []
  for (const { item_id: itemId, what, ref, before } of rows) {
    if (what === 'link') {
      links.push({ itemId, linkId: ref, before: before as LinkPast['before'] })
      continue
    }
    const one: Past = past.get(itemId) ?? { entries: new Map(), versions: new Map() }
    past.set(itemId, one)
    if (what === 'item') one.item = before as ItemBefore
    if (what === 'entry') one.entries.set(ref, before as EntryRow | null)
    if (what === 'version') one.versions.set(ref, (before as { created_at: number }).created_at)
  }
  const ids = new Set([...past.keys(), ...fresh.map(({ id }) => id)])
  return { past, links, ids: [...ids].toSorted((a, b) => a - b) }
}
