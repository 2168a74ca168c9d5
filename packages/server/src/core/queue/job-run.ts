// One run of a job: its work, then its result or its failure.
import type { Db } from '../db/database.ts'
import { type Log, plainError } from '../log.ts'
import { HopelessJob, type Job, LeaseLost, readStored, usualBackoff } from './job.ts'
import { type ClaimedRow, fail, finish } from './rows.ts'

/** A job that this process holds. */
export interface Running {
  readonly row: ClaimedRow
  readonly job: Job
  readonly abort: AbortController
  readonly signal: AbortSignal
  ended: Promise<void>
  progress: number
  written: number
  /** When the lease was last renewed, by the monotonic clock. */
  leasedAt: number
}

interface RunParts {
  readonly db: Db
  readonly log: Log
  readonly now: () => number
  readonly pause: (point: string) => Promise<void>
}

/** Runs a job once and writes its outcome. If that cannot be written, its lease expires. Whether it is over. */
export async function runJob(parts: RunParts, one: Running): Promise<boolean> {
  const { db, log, now } = parts
  const { row, job, signal, abort } = one
  try {
    await runAndFinish(parts, one)
  } catch (error) {
    // A lost job writes nothing. A job that is running at the stop is given back.
    if (abort.signal.aborted) return false
    const isHopeless = error instanceof HopelessJob || row.attempts >= job.attempts
    const about = { err: error, job: row.kind, key: row.key, attempt: row.attempts }
    log[isHopeless ? 'error' : 'warn'](about, 'a job failed')
    const due = isHopeless ? undefined : now() + (job.backoffMs?.(row.attempts) ?? usualBackoff(row.attempts))
    const failure = signal.aborted ? { code: 'timeout', message: `it took over ${job.timeoutMs} ms` } : failureOf(error)
    await fail(db, row, failure, now(), due).catch((unwritten: unknown) =>
      log.warn({ ...about, err: unwritten }, 'the failure of a job could not be written'),
    )
  }
  return true
}

async function runAndFinish({ db, log, now, pause }: RunParts, one: Running): Promise<void> {
  const { row, job, signal } = one
  const input = readStored(job.input, row.input)
  await pause(`job ${row.kind} taken`)
  signal.throwIfAborted()
  const ran = await job.run(
    {
      db,
      attempt: row.attempts,
      signal,
      log,
      progress(thousandths) {
        one.progress = Math.max(0, Math.min(1000, Math.round(thousandths)))
      },
    },
    input,
  )
  signal.throwIfAborted()
  const result = job.result?.parse(ran)
  await pause(`job ${row.kind} ran`)
  const at = now()
  await db.transaction().execute(async (tx) => {
    if (!(await finish({ tx, now: at }, row, job, result))) throw loseLease(one)
    await job.commit?.({ tx, now: at }, input, ran)
  })
}

/** Stops a job whose lease another process has, or nobody. */
export function loseLease({ row, abort }: Running): LeaseLost {
  const lost = new LeaseLost(`${row.kind} was cancelled or taken by another process`)
  abort.abort(lost)
  return lost
}

/** The stored part of a failure. */
function failureOf(error: unknown): { code: string; message: string } {
  const { type, code, message } = plainError(error)
  return { code: code ?? type, message: message ?? '' }
}
