/*
 * The collector: contents that nothing refers to any more go, in two steps that each may stop anywhere.
 *
 * Rows. A blob that no row of any feature refers to is deleted in a transaction that holds its row, in which its key goes to
 * `dropped_object`. Whoever stores or copies the same content meanwhile either holds the row first (then it is passed
 * over) or waits and finds it gone (then the content gets a row and an object of its own). The foreign keys of those who
 * refer to it stand behind both.
 *
 * Objects. What `dropped_object` lists is removed once `droppedObjectMs` have passed, and only then taken off the list.
 * A sweep over the store adds objects that no row names, which a crash between keeping and naming leaves behind. An
 * upload may still be about to name such an object, so three times keep clear of each other: an object is named within
 * `nameObjectWithinMs` by a transaction that has begun by then, the sweep looks only at objects older than
 * `unnamedObjectMs`, and it looks at nothing while a transaction is open that began before half of that.
 *
 * Keys are never used again, so what was dropped once cannot come back.
 */
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { contentsLock } from '../../core/blobs/contents-lock.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import { isReferredTo, type Tables } from '../../core/db/tables.ts'

/** What every part of the collector works with. */
export interface CollectorParts {
  readonly db: Db
  readonly blobs: BlobStore
  readonly now: () => number
  /** A named point that tests can stop at. */
  readonly pause: (point: string) => Promise<void>
}

const rowBatch = 1000
const objectBatch = 200
const listBatch = 1000

/** What one step over the rows did. */
export interface RowStep {
  /** Where the next step goes on; undefined at the end. */
  readonly after: number | undefined
  readonly dropped: number
}

/** Looks at some blobs after that id and deletes those that nothing refers to. */
export async function collectRows(
  { db, now, pause, tables }: CollectorParts & { readonly tables: Tables },
  after: number,
): Promise<RowStep> {
  const { rows } = await sql<{ id: number; loose: boolean }>`
    select p.id, not ${isReferredTo(tables, sql.ref('p.id'))} as loose
    from (select id from blob where id > ${after} order by id limit ${rowBatch}) p order by p.id`.execute(db)
  const loose = rows.filter((row) => row.loose).map((row) => row.id)
  const last = rows.length < rowBatch ? undefined : rows.at(-1)?.id
  if (loose.length === 0) return { after: last, dropped: 0 }
  await pause('loose rows seen')
  const dropped = await db.transaction().execute(async (tx) => {
    const { rows: held } = await sql<{ id: number }>`
      select id from blob where id = any(${loose}) for update skip locked`.execute(tx)
    await pause('loose rows held')
    // Asked again now that nobody can begin to refer to them: a version may have come before they were held.
    const { numAffectedRows = 0n } = await sql`
      with gone as (
        delete from blob b where b.id = any(${held.map((row) => row.id)})
          and not ${isReferredTo(tables, sql.ref('b.id'))}
        returning b.key
      )
      insert into dropped_object (key, dropped_at) select key, ${now()} from gone`.execute(tx)
    await pause('loose rows deleted')
    return Number(numAffectedRows)
  })
  if (dropped > 0) await pause('loose rows dropped')
  return { after: last, dropped }
}

/** Removes some of the objects whose time on the list is over; answers how many. */
export async function removeDropped({ db, blobs, now, pause }: CollectorParts): Promise<number> {
  // Asked, not held: a snapshot that somebody takes from now on names none of these any more.
  const { rows: lock } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${contentsLock}) as free`.execute(db)
  if (lock[0]?.free !== true) return 0
  const { rows } = await sql<{ key: string; named: boolean }>`
    select d.key, exists (select 1 from blob b where b.key = d.key) as named from dropped_object d
    where d.dropped_at <= ${now() - limits.droppedObjectMs} order by d.dropped_at limit ${objectBatch}`.execute(db)
  for (const { key, named } of rows) if (!named) await blobs.remove(key)
  if (rows.length === 0) return 0
  await pause('objects removed')
  await sql`delete from dropped_object where key = any(${rows.map((row) => row.key)})`.execute(db)
  return rows.filter((row) => !row.named).length
}

/** Walks over the store and lists the objects that no row names; answers how many. Stops at the signal. */
export async function sweepObjects(parts: CollectorParts, signal?: AbortSignal): Promise<number> {
  const { db, blobs, now, pause } = parts
  const before = now() - limits.unnamedObjectMs
  let found = 0
  const drop = async (keys: readonly string[]): Promise<void> => {
    if (keys.length > 0) await pause('unnamed objects seen')
    found += await dropObjects(db, keys, now())
  }
  if (await hasLongTransaction(db)) return 0
  let keys: string[] = []
  for await (const { key, modifiedAt } of blobs.list()) {
    if (signal?.aborted === true) return found
    if (modifiedAt >= before) continue
    keys.push(key)
    if (keys.length < listBatch) continue
    await drop(keys)
    keys = []
  }
  await drop(keys)
  return found
}

/** Lists those of the objects that no row names, to be removed after the grace time; answers how many are new. */
export async function dropObjects(db: Db, keys: readonly string[], now: number): Promise<number> {
  if (keys.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    insert into dropped_object (key, dropped_at)
    select key, ${now} from unnest(${keys}::text[]) as k(key)
    where not exists (select 1 from blob b where b.key = k.key) on conflict do nothing`.execute(db)
  return Number(numAffectedRows)
}

/** Whether a transaction is open that may have been about to name an object old enough to be swept. */
async function hasLongTransaction(db: Db): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    select exists (
      select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and xact_start < clock_timestamp() - make_interval(secs => ${limits.unnamedObjectMs / 2000})) as old`.execute(
    db,
  )
  return rows[0]?.old === true
}
