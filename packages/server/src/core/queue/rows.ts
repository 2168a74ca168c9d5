/*
 * The rows of jobs. Three rules:
 *
 * - A row has a due time, from which on it may be taken. Taking it postpones the due time by a lease, which the holder renews. If the holder dies, the row becomes due again.
 * - Its fence (fencing token) increases with every change of holder. A holder writes with the fence it received. A write with an old fence changes nothing.
 * - There is one row per key, created by the first caller.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Db, notifyOnCommit, type Tx, withCommit } from '../db/database.ts'
import type { Write } from './job.ts'
import type { JobKind, JobState } from './kind.ts'

/** Notification topics: jobs are waiting, running jobs were taken from their holders, jobs have ended. */
export const waitingTopic = 'cloudoc_jobs_waiting'
export const cancelledTopic = 'cloudoc_jobs_cancelled'
export const endedTopic = 'cloudoc_jobs_ended'

const hourMs = 60 * 60_000
const weekMs = 7 * 24 * hourMs
const longestKey = 500
const longestMessage = 500
const removalBatch = 1000

/** How long the outcome of a job is retained. */
const retentionMs = (kind: JobKind): number => kind.retentionMs ?? (kind.result === undefined ? hourMs : weekMs)

/** Options of an enqueue. */
export interface EnqueueOptions {
  /** Also restarts a failed job. Without it the failure remains, so that a hopeless job is not retried forever. */
  readonly retryFailed?: boolean
  /**
   * How many milliseconds earlier than now it counts as enqueued: it precedes what was enqueued since then without a
   * lead, even if it is already waiting.
   */
  readonly leadMs?: number
}

/**
 * Enqueues a job. It exists only if the transaction commits, and a process takes it at once. Returns its key. Nothing
 * is written if the job waits, runs, is done with a retained result, or has failed. Call it late in a transaction:
 * other callers with the same key wait for its end.
 */
export async function enqueue<I, R>(
  write: Write,
  kind: JobKind<I, R>,
  input: I,
  asking?: EnqueueOptions,
): Promise<string> {
  await enqueueAll(write, kind, [input], asking)
  return kind.key(input)
}

/** Enqueues many jobs of a kind in one statement. */
export async function enqueueAll<I, R>(
  { tx, now }: Write,
  kind: JobKind<I, R>,
  inputs: readonly I[],
  { retryFailed = false, leadMs = 0 }: EnqueueOptions = {},
): Promise<void> {
  const wanted = inputs.map((input) => {
    const key = kind.key(input)
    if (key.length > longestKey) throw new Error(`a key of ${kind.name} is too long`)
    return { key, input: kind.input.parse(input) }
  })
  // Sorted, so that two callers with the same keys cannot deadlock.
  wanted.sort((a, b) => (a.key < b.key ? -1 : 1))
  const keeps = kind.result !== undefined
  const due = now - leadMs
  // The same condition twice: the first avoids locking rows that stay unchanged, the second decides.
  const begins = sql`(j.state = 'cancelled' or (j.state = 'done' and not ${keeps}::boolean)
    or (j.state = 'failed' and ${retryFailed}::boolean) or j.kept_until <= ${now}::bigint)`
  await sql`
    insert into job as j (kind, key, input, due, created_at)
    select ${kind.name}, w.key, w.input, ${due}::bigint, ${now}::bigint
    from jsonb_to_recordset(${JSON.stringify(dedupe(wanted))}::jsonb) as w (key text, input jsonb)
    where not exists (select 1 from job j where j.kind = ${kind.name} and j.key = w.key and not coalesce(${begins}, false))
    on conflict (kind, key) do update set state = 'waiting', input = excluded.input, due = excluded.due,
      created_at = excluded.created_at, attempts = 0, fence = j.fence + 1, progress = 0, result = null,
      error_code = null, error_message = null, ended_at = null, kept_until = null
    where ${begins}
    ${notifyOnCommit(waitingTopic)}`.execute(tx)
  if (leadMs === 0) return
  await sql`
    update job set due = ${due}::bigint
    where kind = ${kind.name} and key = any(${wanted.map(({ key }) => key)}::text[])
      and state = 'waiting' and attempts = 0 and due > ${due}::bigint`.execute(tx)
}

/**
 * Moves the waiting jobs of these kinds whose inputs contain a part back by so many milliseconds, or forward by a
 * negative number; never beyond now. Rows that another transaction holds stay where they are.
 */
export async function postponeWaiting(
  { tx, now }: Write,
  kinds: readonly JobKind[],
  part: Readonly<Record<string, unknown>>,
  ms: number,
): Promise<void> {
  await sql`
    update job set due = least(due + ${ms}::bigint, ${now}::bigint)
    where id in (
      select id from job where kind = any(${kinds.map(({ name }) => name)}::text[]) and due <= ${now}::bigint
        and state = 'waiting' and input @> ${JSON.stringify(part)}::jsonb
      order by id for update skip locked)`.execute(tx)
}

/** The first entry of each key. */
function dedupe<T extends { readonly key: string }>(sorted: readonly T[]): T[] {
  return sorted.filter(({ key }, n) => key !== sorted[n - 1]?.key)
}

/**
 * Cancels a job with the transaction. A waiting job never starts. A running job is notified within a second and can no
 * longer write its outcome. Returns whether there was a job to cancel.
 */
export async function cancel<I, R>({ tx, now }: Write, kind: JobKind<I, R>, key: string): Promise<boolean> {
  const { rows } = await sql`
    update job set state = 'cancelled', due = null, fence = fence + 1, ended_at = ${now}::bigint,
      kept_until = ${now + hourMs}::bigint
    where kind = ${kind.name} and key = ${key} and due is not null
    returning id
    ${notifyOnCommit(cancelledTopic)}`.execute(tx)
  return rows.length > 0
}

/** Cancels a job by its id. Returns what it was, if it was waiting or running. */
export async function cancelById(
  { tx, now }: Write,
  id: number,
): Promise<{ readonly kind: string; readonly input: unknown } | undefined> {
  const { rows } = await sql<{ kind: string; input: unknown }>`
    update job set state = 'cancelled', due = null, fence = fence + 1, ended_at = ${now}::bigint,
      kept_until = ${now + hourMs}::bigint
    where id = ${id} and due is not null
    returning kind, input
    ${notifyOnCommit(cancelledTopic)}`.execute(tx)
  return rows[0]
}

/** Lets jobs run again from their first attempt, at once. Running jobs stay as they are. Returns how many. */
export async function retry({ tx, now }: Write, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    update job set state = 'waiting', due = ${now}::bigint, attempts = 0, fence = fence + 1, progress = 0, result = null,
      error_code = null, error_message = null, ended_at = null, kept_until = null
    where ${which} and state <> 'running'
    returning id
    ${notifyOnCommit(waitingTopic)}`.execute(tx)
  return rows.length
}

/** A job that a process holds. */
export interface ClaimedJob {
  readonly id: number
  readonly fence: number
}

/** The capacity of a process for one kind. */
export interface FreeSlots {
  readonly kind: string
  /** Number of additional jobs. */
  readonly free: number
  /** Maximum number of attempts of a job. */
  readonly attempts: number
  readonly newestFirst: boolean
}

/** Which of these kinds have due jobs. Read-only, for idle servers. */
export async function dueKinds(db: Db, kinds: readonly string[], now: number): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from due_kinds(${kinds}::text[], ${now}::bigint) as d (kind)`.execute(db)
  return rows.map(({ kind }) => kind)
}

export interface ClaimedRow extends ClaimedJob {
  readonly kind: string
  readonly key: string
  readonly input: unknown
  readonly attempts: number
  readonly state: 'running' | 'failed'
}

/**
 * Takes due jobs, of each kind as many as there are free slots. A job that has used up its attempts because all its
 * holders died is returned as failed: it must not run again.
 */
export async function claim(db: Db, places: readonly FreeSlots[], now: number, leaseMs: number): Promise<ClaimedRow[]> {
  return db.transaction().execute(async (tx) => {
    // Sent together. A plan made when nothing waited would scan each row when much does.
    const [, { rows }] = await Promise.all([
      sql`
        select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
          set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(tx),
      claimIn(tx, places, now, leaseMs),
    ])
    return rows
  })
}

function claimIn(tx: Tx, places: readonly FreeSlots[], now: number, leaseMs: number) {
  const gone = sql`(j.attempts >= p.attempts)`
  const dueIn = (newestFirst: boolean) => sql`
    select f.id from place p cross join lateral (
      select id from job where job.kind = p.kind and job.due <= ${now}::bigint
      order by job.due ${newestFirst ? sql`desc` : sql`asc`} limit p.free for update skip locked) f
    where p.newest_first = ${newestFirst}`
  return sql<ClaimedRow>`
    with place as materialized (
      select * from unnest(${places.map(({ kind }) => kind)}::text[], ${places.map(({ free }) => free)}::int[],
        ${places.map(({ attempts }) => attempts)}::int[], ${places.map(({ newestFirst }) => newestFirst)}::boolean[])
        as p (kind, free, attempts, newest_first)
    ), due as materialized (${dueIn(false)} union all ${dueIn(true)})
    update job j set
      state = case when ${gone} then 'failed' else 'running' end,
      due = case when ${gone} then null else ${now + leaseMs}::bigint end,
      ended_at = case when ${gone} then ${now}::bigint end,
      kept_until = case when ${gone} then ${now + weekMs}::bigint end,
      attempts = case when ${gone} then j.attempts else j.attempts + 1 end,
      fence = j.fence + 1,
      progress = 0,
      error_code = case when j.state = 'running' then 'lost' else j.error_code end,
      error_message = case when j.state = 'running' then 'the process that ran it has ended' else j.error_message end
    from place p
    where j.id = any(array(select id from due)) and p.kind = j.kind
    returning j.id, j.kind, j.key, j.input, j.attempts, j.fence, j.state
    ${withCommit}`.execute(tx)
}

/** Which of these jobs are still held with the given fence. */
export async function stillLeased(db: Db, taken: readonly ClaimedJob[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select j.id from job j join ${theirs(taken)} on j.id = t.id and j.fence = t.fence where j.state = 'running'`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

const theirs = (taken: readonly ClaimedJob[]) => sql`
  unnest(${taken.map(({ id }) => id)}::bigint[], ${taken.map(({ fence }) => fence)}::int[]) as t (id, fence)`

/** Renews the leases of the jobs and writes their progress. */
export async function extendLeases(
  db: Db,
  taken: readonly (ClaimedJob & { readonly progress: number })[],
  until: number,
): Promise<void> {
  await sql`
    update job j set due = ${until}::bigint, progress = t.progress
    from unnest(${taken.map(({ id }) => id)}::bigint[], ${taken.map(({ fence }) => fence)}::int[],
      ${taken.map(({ progress }) => progress)}::int[]) as t (id, fence, progress)
    where j.id = t.id and j.fence = t.fence and j.state = 'running'`.execute(db)
}

/**
 * Ends a job that is done. Returns whether the holder still had it. Other transactions on the row wait for the end of
 * this one.
 */
export async function finish(
  { tx, now }: Write,
  { id, fence }: ClaimedJob,
  kind: JobKind,
  result: unknown,
): Promise<boolean> {
  const stored = kind.result === undefined ? null : JSON.stringify(result)
  const { rows } = await sql`
    update job set state = 'done', due = null, progress = 1000, result = ${stored}::jsonb,
      error_code = null, error_message = null, ended_at = ${now}::bigint, kept_until = ${now + retentionMs(kind)}::bigint
    where id = ${id} and fence = ${fence} and state = 'running' returning id`.execute(tx)
  return rows.length > 0
}

/** Records a failure: the job is retried at `due`, or has failed permanently. */
export async function fail(
  db: Db,
  { id, fence }: ClaimedJob,
  { code, message }: { readonly code: string; readonly message: string },
  now: number,
  due: number | undefined,
): Promise<void> {
  const state: JobState = due === undefined ? 'failed' : 'waiting'
  await sql`
    update job set state = ${state}, due = ${due ?? null}::bigint, fence = fence + 1,
      ended_at = ${due === undefined ? now : null}::bigint,
      kept_until = ${due === undefined ? now + weekMs : null}::bigint,
      error_code = ${code}, error_message = ${message.slice(0, longestMessage)}
    where id = ${id} and fence = ${fence} and state = 'running'`.execute(db)
}

/** Returns jobs to the waiting state as if they had not been taken. */
export async function giveBack(db: Db, taken: readonly ClaimedJob[], now: number): Promise<void> {
  await sql`
    update job j set state = 'waiting', due = ${now}::bigint, fence = j.fence + 1, attempts = j.attempts - 1, progress = 0
    from ${theirs(taken)} where j.id = t.id and j.fence = t.fence and j.state = 'running'`.execute(db)
}

export interface StatusRow {
  readonly kind: string
  readonly key: string
  readonly state: JobState
  readonly progress: number
  readonly attempts: number
  readonly result: unknown
  readonly error_code: string | null
  readonly error_message: string | null
}

/** The status of the jobs with these keys, as far as they exist. */
export async function statusOf(
  db: Db,
  wanted: readonly { readonly kind: string; readonly key: string }[],
): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`
    select j.kind, j.key, j.state, j.progress, j.attempts, j.result, j.error_code, j.error_message
    from unnest(${wanted.map(({ kind }) => kind)}::text[], ${wanted.map(({ key }) => key)}::text[]) as w (kind, key)
    join job j on j.kind = w.kind and j.key = w.key`.execute(db)
  return rows
}

/** Removes some of the jobs whose retention has ended. Returns how many. */
export async function removeEndedJobs(db: Db | Tx, now: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from job where id in (
      select id from job where kept_until <= ${now} order by kept_until limit ${removalBatch} for update skip locked)`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** The waiting, running and failed jobs, by kind. */
export interface JobCount {
  readonly kind: string
  readonly waiting: number
  readonly running: number
  readonly failed: number
  /** Milliseconds for which the longest-waiting due job has been due. */
  readonly oldest: number
}

/** Counts jobs that are not successfully done, by indexes that contain only those. */
export async function countJobs(db: Db, now: number): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select kind, sum(waiting)::bigint as waiting, sum(running)::bigint as running, sum(failed)::bigint as failed,
      greatest(0, ${now}::bigint - coalesce(min(oldest), ${now}::bigint))::bigint as oldest
    from (
      select kind, count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'running') as running,
        0 as failed, min(greatest(due, created_at)) filter (where state = 'waiting') as oldest
      from job where due is not null group by kind
      union all
      select kind, 0, 0, count(*), null from job where state = 'failed' group by kind) counted
    group by kind`.execute(db)
  return rows
}
