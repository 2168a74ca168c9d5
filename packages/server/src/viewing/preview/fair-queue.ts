/*
 * A fair order of conversions by person: start-time fair queueing (docs/adr/0193). A conversion has a virtual start and
 * end. It starts at the end of the previous one of its person, or with what is running now if that is later, and ends
 * after its estimated time. Conversions are done in the order of their ends. So the document of somebody who has asked
 * for little precedes the rest of somebody who has asked for much, and a small one precedes a large one. Afterwards the
 * estimate is corrected by the time that was used.
 */
import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { postponeWaiting } from '../../core/queue/rows.ts'

/** What somebody waits for precedes what nobody waits for, unless the person is further ahead of time than this. */
const leadMs = 60 * 60_000
/** How long a conversion can be preceded by those of people who come later. */
const patienceMs = 5 * 60_000
/** How often a conversion whose time slice is over looks for others that wait. */
const lookEveryMs = 500
/** The estimated time of a conversion: a document of any size takes a second, and more by its size. */
const leastMs = 1000
const mostMs = 30_000
const bytesPerMs = 100

/** The estimated time of converting a content, in milliseconds. */
export function estimateMs(size: number): number {
  return Math.min(mostMs, leastMs + Math.floor(size / bytesPerMs))
}

/** Names whoever asks: an account, or an outsider such as the visitors of one link. */
export function personOf(actor: Actor): string {
  return actor.kind === 'account' ? `account ${actor.accountId}` : `${actor.kind} ${actor.reference}`
}

/** The place of a conversion in the queue: its virtual start, and its lead in the queue. */
export interface QueuePlace {
  readonly start: number
  readonly leadMs: number
}

/** Adds a conversion to the time of a person. With a cost of 0 the time is only read. */
export async function placeInQueue(
  tx: Tx,
  kind: JobKind,
  person: string,
  costMs: number,
  now: number,
): Promise<QueuePlace> {
  // Running jobs are due in the future, when their leases end. The remainder keeps the order of those who come while
  // the same job runs.
  const { rows } = await sql<{ until: number }>`
    with running as (
      select greatest(${now - patienceMs}::bigint, least(${now}::bigint,
        coalesce(max((input ->> 'start')::bigint), ${now}::bigint))) as start
      from job where kind = ${kind.name} and due > ${now}::bigint and state = 'running'
    ), begins as (select start + (${now}::bigint - start) / 1000 as start from running)
    insert into conversion_usage as t (person, until)
    select ${person}::text, start + ${costMs}::bigint from begins
    on conflict (person) do update set
      until = greatest(t.until, (select start from begins)) + ${costMs}::bigint
    returning until`.execute(tx)
  const until = rows[0]?.until ?? now
  return { start: until - costMs, leadMs: Math.max(0, leadMs - (until - now)) }
}

/** Corrects the time of a person by what a conversion took beyond its estimate, also for what waits already. */
export async function recordTime(
  db: Db,
  kinds: readonly JobKind[],
  { person, moreMs }: { readonly person: string; readonly moreMs: number },
  now: number,
): Promise<void> {
  const ms = Math.round(moreMs)
  await db.transaction().execute(async (tx) => {
    await sql`update conversion_usage set until = until + ${ms}::bigint where person = ${person}`.execute(tx)
    await postponeWaiting({ tx, now }, kinds, { by: person }, ms)
  })
}

/** The time slice of a conversion. Disposing of it stops looking. */
export interface TimeSlice extends Disposable {
  /** Aborted when the time slice is over and somebody waits for the place. */
  readonly signal: AbortSignal
}

/** Begins a time slice of at least so many milliseconds, which lasts until another conversion of the kind is waited for. */
export function beginTimeSlice(db: Db, kind: JobKind, timeSliceMs: number, now: () => number): TimeSlice {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const { rows } = await sql`
      select 1 from job where kind = ${kind.name} and due <= ${now()}::bigint and state = 'waiting'
        and input ->> 'by' is not null limit 1`.execute(db)
    if (rows.length > 0) over.abort(new Error('others wait for its place'))
  }
  const lookLater = (ms: number): void => {
    timer = setTimeout(() => {
      lookLater(lookEveryMs)
      // A database that is away is asked again.
      look().catch(() => {})
    }, ms)
  }
  lookLater(timeSliceMs)
  return { signal: over.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Removes the times that have passed. Returns their number. */
export async function dropConversionUsage(db: Db, now: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from conversion_usage where until < ${now - leadMs}`.execute(db)
  return Number(numAffectedRows)
}
