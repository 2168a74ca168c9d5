/*
 * One clock for all processes of an installation: the database's. Expiry times (sessions, tickets, permissions) are
 * written by one machine and read by another. Machines with different clocks would disagree about them.
 */
import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import type { Log } from './log.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  close(): void
}

const compareEveryMs = 60_000
/** Maximum difference in milliseconds before the clock is corrected. */
const tolerated = 100
/** Difference in milliseconds from which the operator is warned. */
const remarkable = 5000
/** An answer that took longer is too imprecise. */
const promptly = 2000

/** Compares this machine's clock with the database's, at the start and every minute. */
export async function followClock(db: Db, log: Log): Promise<Clock> {
  let offset = 0
  let isCurrent = false
  const compare = async (): Promise<void> => {
    const asked = Date.now()
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db)
    const answered = Date.now()
    const theirs = rows[0]?.now ?? asked
    if (answered - asked > promptly) return
    // The database read its clock between the two times.
    const difference = theirs < asked ? theirs - asked : Math.max(0, theirs - answered)
    offset = Math.abs(difference) > tolerated ? difference : 0
    const isRemarkable = Math.abs(offset) > remarkable
    if (isRemarkable && !isCurrent)
      log.warn({ offset }, 'the clock of this machine differs from the database’s, which counts')
    isCurrent = isRemarkable
  }
  await compare()
  const comparing = setInterval(() => {
    compare().catch(() => {})
  }, compareEveryMs)
  return { now: () => Date.now() + offset, close: () => clearInterval(comparing) }
}
