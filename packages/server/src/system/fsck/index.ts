/*
 * Checks an installation for consistency: invariants between rows (the features' checks), and rows against blobs
 * (contents.ts). It runs beside a live server. With `repair` it fixes derived data. Other violations are reported and
 * left as they are. A damaged blob is recorded, so that the next upload of the same content replaces it.
 */
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { TableCheck } from '../../core/checks.ts'
import { type Db, isRetryable, planAnew, type Tx } from '../../core/db/database.ts'
import { invalidateEverything } from '../../core/db/invalidations.ts'
import { dropObjects, recordDamage } from '../../drive/content/index.ts'
import { checkContents } from './contents.ts'

export { damageOf, withStoredObjects } from './contents.ts'

/** The result of one check. */
export interface Finding {
  /** The invariant. */
  readonly says: string
  readonly breaks: number
  /** The first violations as text, with ids and never with names. */
  readonly examples: readonly string[]
  /** Whether the violations were repaired. */
  readonly mended: boolean
}

export interface FsckOptions {
  readonly db: Db
  /** Invariants between the rows; all are checked in one snapshot, so that a running server does not disturb them. */
  readonly checks: readonly TableCheck[]
  readonly blobs: BlobStore
  readonly now?: () => number
  /** Read every blob and compare its hash. */
  readonly rehash?: boolean
  readonly repair?: boolean
  /** Progress: number of blobs read, and in total. */
  readonly onContents?: (done: number, of: number) => void
}

const examplesMost = 20
const mendTries = 20

/** The results of all checks in order, including those without violations. */
export async function fsck(options: FsckOptions): Promise<Finding[]> {
  const { db, blobs, now = Date.now, rehash = false, repair = false, onContents = () => {} } = options
  const findings: Finding[] = []
  const found = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await trustNoIndex(tx)
      const all: { check: TableCheck; breaks: number; examples: string[] }[] = []
      for (const check of options.checks) all.push({ check, ...(await breaksOf(tx, check)) })
      return all
    })
  for (const { check, breaks, examples } of found) {
    const mended = repair && breaks > 0 && check.mend !== undefined
    if (mended) await mend(db, check.mend)
    findings.push({ says: check.says, breaks, examples, mended })
  }
  const { damaged, unnamed } = await checkContents(db, blobs, { rehash, now, onContents })
  const damages = damaged.map(({ what }) => what)
  if (repair) for (const { damage, ...blob } of damaged) await recordDamage(db, blob, damage, now())
  findings.push({
    says: rehash ? 'every content is there, byte for byte' : 'every content is there and has its size',
    breaks: damages.length,
    examples: damages.slice(0, examplesMost),
    mended: false,
  })
  if (repair) await dropObjects(db, unnamed, now())
  findings.push({
    says: 'every stored object belongs to a content',
    breaks: unnamed.length,
    examples: unnamed.slice(0, examplesMost).map((key) => `object ${key}`),
    mended: repair && unnamed.length > 0,
  })
  return findings
}

/** Whether there are no violations left. */
export function isWhole(findings: readonly Finding[]): boolean {
  return findings.every(({ breaks, mended }) => breaks === 0 || mended)
}

async function breaksOf(tx: Tx, check: TableCheck): Promise<{ breaks: number; examples: string[] }> {
  const { rows } = await sql<{ what: string; breaks: number }>`
    select what, count(*) over () as breaks from (${check.broken}) b order by what limit ${examplesMost}`.execute(tx)
  return { breaks: rows[0]?.breaks ?? 0, examples: rows.map((row) => row.what) }
}

/** Disables index scans: a corrupt index must not hide the violations it should prevent. */
async function trustNoIndex(tx: Tx): Promise<void> {
  await planAnew(tx)
  for (const kind of ['indexscan', 'indexonlyscan', 'bitmapscan'])
    await sql.raw(`set local enable_${kind} = off`).execute(tx)
}

/** The difference is computed in one snapshot, and again if a row was changed concurrently. */
async function mend(db: Db, work: TableCheck['mend']): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          await trustNoIndex(tx)
          await work?.(tx)
          // Sums are repaired without the triggers, so caches are invalidated explicitly.
          await invalidateEverything(tx)
        })
      return
    } catch (error) {
      if (attempt === mendTries || !isRetryable(error)) throw error
    }
  }
}
