/*
 * One clock for all processes of an installation: that of their database. What expires (sessions, tickets, rights) is
 * written by one machine and read by another, and machines whose clocks differ would disagree about it.
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
/** What a clock may differ by before it is corrected. */
const tolerated = 100
/** What it may differ by before the operator is told. */
const remarkable = 5000
/** An answer that took longer says little. */
const promptly = 2000

/** Compares this machine's clock with the database's, now and each minute. */
export async function followClock(db: Db, log: Log): Promise<Clock> {
  let offset = 0
  let isTold = false
  const compare = async (): Promise<void> => {
    const asked = Date.now()
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db)
    const answered = Date.now()
    const theirs = rows[0]?.now ?? asked
    if (answered - asked > promptly) return
    // The database looked at its clock between the two.
    const difference = theirs < asked ? theirs - asked : Math.max(0, theirs - answered)
    offset = Math.abs(difference) > tolerated ? difference : 0
    const isRemarkable = Math.abs(offset) > remarkable
    if (isRemarkable && !isTold)
      log.warn({ offset }, 'the clock of this machine differs from the database’s, which counts')
    isTold = isRemarkable
  }
  await compare()
  const comparing = setInterval(() => {
    compare().catch(() => {})
  }, compareEveryMs)
  return { now: () => Date.now() + offset, close: () => clearInterval(comparing) }
}
