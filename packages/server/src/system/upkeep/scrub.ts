/*
 * The scrubber: reads every blob again and compares it with its hash, repeatedly, once per cycle of some days. It reads
 * no faster than necessary, stores its position in the database, and reports corrupt blobs in the log, in the table
 * `blob_problem`, and as a metric. Intact blobs get block checksums if they have none, which are checked on every read.
 * A blob that reads correctly again is removed from the list, and an upload of the same content replaces a damaged one.
 */
import { sql } from 'kysely'
import { createBlockSums } from '../../core/blobs/block-sums.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import type { Damage } from '../../core/db/schema.ts'
import { pause } from '../../core/leader-election.ts'
import type { Log } from '../../core/log.ts'
import { resumableScan } from '../../core/resumable-scan.ts'
import { recordDamage, storeSums } from '../../drive/content/index.ts'
import { damageOf } from '../fsck/index.ts'

export interface ScrubParts {
  readonly db: Db
  readonly blobs: BlobStore
  readonly now: () => number
  readonly log: Log
  /** Milliseconds in which all blobs are read once; 0 disables reading. */
  readonly cycleMs: number
  /** Waits, or until the signal. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

interface Content {
  readonly id: number
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
}

/** The position of the scrubber: the last blob read, and how many of the cycle's bytes were read. */
const scrubbing = resumableScan('scrub', { begunAt: 0, after: 0, read: 0, bytes: 0, done: true })

const contentBatch = 20
/** The share of a cycle that the reading takes; the rest is a reserve for blobs stored meanwhile. */
const spread = 0.8
/** Minimum read rate in bytes per second, so that a small installation is finished soon. */
const slowest = 2 * 1024 * 1024
/** The cost of looking up a blob, in bytes that could have been read meanwhile. */
const lookUp = 16 * 1024
/** Shorter waits are accumulated. */
const worthWaitingMs = 20
const idleMs = 60_000
const retryMs = 10_000

/** Reads until the signal. */
export async function scrub(parts: ScrubParts, signal: AbortSignal): Promise<void> {
  const { log, cycleMs, wait = pause } = parts
  while (!signal.aborted && cycleMs > 0) {
    try {
      if (!(await scrubSome(parts, signal))) await wait(idleMs, signal)
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error }, 'reading contents again failed and is tried again')
      await wait(retryMs, signal)
    }
  }
}

/** Reads the next few blobs of the cycle; false if there is nothing to read before the next one. */
export async function scrubSome(parts: ScrubParts, signal: AbortSignal): Promise<boolean> {
  const { db, now, log, cycleMs } = parts
  let place = await scrubbing.read(db)
  if (place.done) {
    if (now() < place.begunAt + cycleMs) return false
    const { bytes } = await db
      .selectFrom('blob')
      .select((eb) => [
        sql<number>`coalesce(sum(size), 0) + count(*) * ${lookUp}`.as('bytes'),
        eb.fn.countAll().as('n'),
      ])
      .executeTakeFirstOrThrow()
    place = { begunAt: now(), after: 0, read: 0, bytes, done: false }
  }
  const { rows } = await sql<Content>`
    select id, key, size, sha256 from blob where id > ${place.after} order by id limit ${contentBatch}`.execute(db)
  if (rows.length === 0) {
    const damaged = await damagedContents(db)
    log.info({ contents: place.after, damaged }, 'every content has been read again')
    await scrubbing.write(db, { ...place, done: true })
    return true
  }
  const slowDown = pacer(Math.max(slowest, (place.bytes * 1000) / (cycleMs * spread)), parts.wait ?? pause, signal)
  const well: number[] = []
  const refused: { row: Content; error: unknown }[] = []
  const note = async (row: Content, damage: Damage): Promise<void> => {
    if (await recordDamage(db, row, damage, now()))
      log.error({ content: row.key, damage }, 'a content is not as it was stored')
  }
  for (const row of rows) {
    await slowDown(lookUp)
    try {
      const sums = createBlockSums()
      const damage = await damageOf(parts.blobs, row, (chunk) => {
        sums.add(chunk)
        return slowDown(chunk.length)
      })
      if (damage === undefined) {
        well.push(row.id)
        await storeSumsOf(db, row, sums.end())
      } else await note(row, damage)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused.push({ row, error })
    }
    place = { ...place, after: row.id, read: place.read + row.size + lookUp }
  }
  // If a store refuses everything, the fault is not in the blobs, and it is retried. A single object must not block the
  // others forever.
  for (const { row, error } of refused) {
    if (well.length === 0 && !(await anotherReads(parts, row.id))) throw error
    await note(row, 'unreadable')
  }
  await sql`delete from blob_problem where blob_id = any(${well})`.execute(db)
  await scrubbing.write(db, place)
  return true
}

/** Stores the block checksums of an intact blob, unless it was collected meanwhile. */
async function storeSumsOf(db: Db, { id }: Content, sums: Buffer): Promise<void> {
  if (sums.length === 0) return
  await db.transaction().execute(async (tx) => {
    const held = await tx.selectFrom('blob').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
    if (held !== undefined) await storeSums(tx, [{ blobId: id, sums }])
  })
}

/** Whether the store itself refused to deliver an object, as opposed to a network failure. */
function isRefusal(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500
}

/** Whether the previous blob, or the next one if there is none, can be read. */
async function anotherReads({ db, blobs }: ScrubParts, id: number): Promise<boolean> {
  const { rows } = await sql<Content>`
    (select id, key, size, sha256 from blob where id < ${id} order by id desc limit 1)
    union all (select id, key, size, sha256 from blob where id > ${id} order by id limit 1) limit 1`.execute(db)
  const [other] = rows
  if (other === undefined) return false
  try {
    return (await damageOf(blobs, other)) === undefined
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Number of known damaged blobs. */
export async function damagedContents(db: Db): Promise<number> {
  const { n } = await db
    .selectFrom('blob_problem')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Paces reading: each call waits until its bytes are due. Rejects when the signal is aborted. */
function pacer(bytesPerSecond: number, wait: (ms: number, signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
  let at = performance.now()
  let aheadMs = 0
  return async (bytes: number): Promise<void> => {
    const past = performance.now()
    aheadMs = Math.max(0, aheadMs - (past - at)) + (bytes * 1000) / bytesPerSecond
    at = past
    if (aheadMs >= worthWaitingMs) {
      await wait(aheadMs, signal)
      aheadMs = 0
      at = performance.now()
    }
    signal.throwIfAborted()
  }
}
