/*
 * The garbage collector of content: it removes unreferenced content in two phases. Each phase may stop at any point.
 *
 * Rows. A blob row that no row of any feature references is deleted in a transaction that locks it. The same
 * transaction writes its key to `dropped_object`. A concurrent writer that stores or copies the same content either
 * locks the row first (then the collector skips it) or waits and finds it gone (then the content gets a new row and a
 * new object). The foreign keys of the referencing tables enforce both cases.
 *
 * Objects. An object in `dropped_object` is removed once `droppedObjectMs` have passed, and only then deleted from that
 * list. A sweep over the store adds objects that no row references; a crash between storing an object and inserting its
 * row leaves such objects behind. An upload may be about to reference such an object, so three time limits exclude each
 * other: an object is referenced within `nameObjectWithinMs` by a transaction that has started by then, the sweep only
 * considers objects older than `unnamedObjectMs`, and it considers nothing while a transaction is open that started
 * before half of that.
 *
 * Keys are never reused, so a dropped object cannot reappear.
 */
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { contentsLock } from '../../core/blobs/contents-lock.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import { isReferredTo, type Tables } from '../../core/db/tables.ts'

/** The dependencies of every collector step. */
export interface CollectorParts {
  readonly db: Db
  readonly blobs: BlobStore
  readonly now: () => number
  /** A named point where tests can pause the collector. */
  readonly pause: (point: string) => Promise<void>
}

const rowBatch = 1000
const objectBatch = 200
const listBatch = 1000

/** The result of one step over the rows. */
export interface RowStep {
  /** Blob id after which the next step continues; undefined at the end. */
  readonly after: number | undefined
  readonly dropped: number
}

/** Checks a batch of blobs after the given id and deletes the unreferenced ones. */
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
    // Checked again now that the rows are locked and nobody can start to reference them: a version may have been added
    // before the lock.
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

/** Removes a batch of objects whose grace period is over. Returns their number. */
export async function removeDropped({ db, blobs, now, pause }: CollectorParts): Promise<number> {
  // Tests the lock without holding it: a snapshot that starts from now on references none of these objects.
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

/** Scans the store and lists objects that no row references. Returns their number. Stops when the signal aborts. */
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

/** Lists those objects that no row references for removal after the grace period. Returns the number of new entries. */
export async function dropObjects(db: Db, keys: readonly string[], now: number): Promise<number> {
  if (keys.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    insert into dropped_object (key, dropped_at)
    select key, ${now} from unnest(${keys}::text[]) as k(key)
    where not exists (select 1 from blob b where b.key = k.key) on conflict do nothing`.execute(db)
  return Number(numAffectedRows)
}

/** Whether a transaction is open that may be about to reference an object old enough to be swept. */
async function hasLongTransaction(db: Db): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    select exists (
      select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and xact_start < clock_timestamp() - make_interval(secs => ${limits.unnamedObjectMs / 2000})) as old`.execute(
    db,
  )
  return rows[0]?.old === true
}
