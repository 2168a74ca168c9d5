/*
 * The queue worker of every process. It takes due jobs (rows.ts), of each kind as many as the kind's concurrency
 * permits, renews its leases, and notifies those who wait for an outcome. It is woken by commits of its own process,
 * through the fan-out by those of others, and polls once a second. Polling covers lost nudges, retries, and jobs left
 * by a dead process.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Fanout } from '../fanout.ts'
import { type Log, plainError } from '../log.ts'
import { HopelessJob, type Job, LeaseLost, readStored, usualBackoff } from './job.ts'
import type { JobKind, JobStatus, Queue } from './kind.ts'
import {
  type ClaimedRow,
  cancelledTopic,
  claim,
  dueKinds,
  endedTopic,
  extendLeases,
  fail,
  finish,
  giveBack,
  type StatusRow,
  statusOf,
  stillLeased,
  waitingTopic,
} from './rows.ts'

export interface QueueParts {
  readonly database: Pick<Database, 'db' | 'onCommit'>
  readonly fanout: Fanout
  /** All kinds of jobs in this build, requested at the start. A process takes no others. */
  readonly kinds: () => readonly Job[]
  readonly log: Log
  readonly now: () => number
  readonly pause?: (point: string) => Promise<void>
  /** Whether this process runs jobs. It can enqueue and wait for jobs in any case. */
  readonly works?: boolean
  readonly leaseMs?: number
  /** Polling interval. Tests set it to never, or to all the time. */
  readonly pollEveryMs?: number
}

export interface WorkingQueue extends Queue {
  /** Starts taking due jobs. */
  start(): void
  /** Stops the running jobs and releases them to other processes. Resolves when that is written. */
  stop(): Promise<void>
}

/** The lease: a dead process is noticed after this time. A living one renews three times as often. */
const usualLeaseMs = 20_000
const usualPollMs = 1000
/** How long running jobs have to end when the process stops. */
const stopWithinMs = 300

/** A job that this process holds. */
interface Running {
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

interface Waiter {
  readonly kind: string
  readonly key: string
  readonly notify: (row: StatusRow | undefined) => void
}

export function createQueue(parts: QueueParts): WorkingQueue {
  const { database, fanout, log, now } = parts
  const { db } = database
  const { pause = () => Promise.resolve(), works = true, leaseMs = usualLeaseMs, pollEveryMs = usualPollMs } = parts
  const kinds = new Map<string, Job>()
  const running = new Set<Running>()
  const waiters = new Set<Waiter>()
  /** Kinds that may have more due jobs than were taken. */
  const asked = new Set<string>()
  /** Whether this process has enqueued jobs that other processes have not been notified of. */
  let isNews = false
  let stopping = false
  let ticking: NodeJS.Timeout | undefined

  const placesOf = (job: Job): number => {
    let taken = 0
    for (const one of running) if (one.job === job) taken += 1
    return job.concurrency - taken
  }

  const takeDue = serialised(log, async () => {
    if (stopping) return
    const places = [...kinds.values()].flatMap((job) => {
      const free = placesOf(job)
      const { name, attempts, newestFirst = false } = job
      return asked.has(name) && free > 0 ? [{ kind: name, free, attempts, newestFirst }] : []
    })
    for (const { kind } of places) asked.delete(kind)
    if (places.length > 0) {
      const rows = await claim(db, places, now(), leaseMs)
      for (const { kind, free } of places) if (rows.filter((row) => row.kind === kind).length === free) asked.add(kind)
      if (stopping) return giveBack(db, rows, now())
      for (const row of rows) begin(row)
    }
    // Notifies other processes if this one has no free slot for the jobs it enqueued.
    if (isNews && (!works || asked.size > 0)) void fanout.publish(waitingTopic)
    isNews = false
  })

  /** Any kind may have due jobs. */
  const askForAll = (): void => {
    for (const kind of kinds.keys()) asked.add(kind)
    void takeDue()
  }

  const lookForDue = serialised(log, async () => {
    const free = [...kinds.values()].filter((job) => placesOf(job) > 0).map(({ name }) => name)
    if (free.length === 0) return
    const due = await dueKinds(db, free, now())
    for (const kind of due) asked.add(kind)
    if (due.length > 0) await takeDue()
  })

  const begin = (row: ClaimedRow): void => {
    const job = kinds.get(row.kind)
    if (job === undefined) return
    if (row.state === 'failed') {
      log.error(
        { job: row.kind, key: row.key, attempts: row.attempts },
        'a job has failed: who ran it never came to its end',
      )
      return tellOfEnd()
    }
    const abort = new AbortController()
    const one: Running = {
      row,
      job,
      abort,
      signal: AbortSignal.any([abort.signal, AbortSignal.timeout(job.timeoutMs)]),
      ended: Promise.resolve(),
      progress: 0,
      written: 0,
      leasedAt: performance.now(),
    }
    // This process was blocked for longer than its lease, and has taken its own job again.
    for (const before of running) if (before.row.id === row.id) loseLease(before)
    running.add(one)
    one.ended = attempt(one).finally(() => {
      running.delete(one)
      if (asked.has(job.name)) void takeDue()
    })
  }

  /** Runs a job once and writes its outcome. If that cannot be written, its lease expires. */
  const attempt = async (one: Running): Promise<void> => {
    const { row, job, signal, abort } = one
    try {
      await runAndFinish(one)
    } catch (error) {
      // A lost job writes nothing. A job that is running at the stop is given back.
      if (abort.signal.aborted) return
      const isHopeless = error instanceof HopelessJob || row.attempts >= job.attempts
      const about = { err: error, job: row.kind, key: row.key, attempt: row.attempts }
      log[isHopeless ? 'error' : 'warn'](about, 'a job failed')
      const due = isHopeless ? undefined : now() + (job.backoffMs?.(row.attempts) ?? usualBackoff(row.attempts))
      const failure = signal.aborted
        ? { code: 'timeout', message: `it took over ${job.timeoutMs} ms` }
        : failureOf(error)
      await fail(db, row, failure, now(), due).catch((unwritten: unknown) =>
        log.warn({ ...about, err: unwritten }, 'the failure of a job could not be written'),
      )
    }
    tellOfEnd()
  }

  const runAndFinish = async (one: Running): Promise<void> => {
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

  /** Waiters may be on any process. */
  const tellOfEnd = (): void => {
    void fanout.publish(endedTopic)
    void tellWaiters()
  }

  const loseLease = ({ row, abort }: Running): LeaseLost => {
    const lost = new LeaseLost(`${row.kind} was cancelled or taken by another process`)
    abort.abort(lost)
    return lost
  }

  /** Renews the leases, and learns which jobs are lost. */
  const look = serialised(log, async () => {
    // The lease of a job that runs beyond its timeout is not renewed.
    const held = [...running].filter(({ signal }) => !signal.aborted)
    for (const one of held) if (performance.now() - one.leasedAt > leaseMs) loseLease(one)
    if (held.length === 0) return
    const ids = await stillLeased(
      db,
      held.map(({ row }) => row),
    )
    for (const one of held) if (!ids.has(one.row.id) && running.has(one)) loseLease(one)
    await keepUp(held.filter(({ signal }) => !signal.aborted))
  })

  const keepUp = async (held: readonly Running[]): Promise<void> => {
    const at = performance.now()
    const stale = held.filter((one) => one.progress !== one.written || at - one.leasedAt > leaseMs / 3)
    if (stale.length === 0) return
    const said = stale.map(({ row: { id, fence }, progress }) => ({ id, fence, progress }))
    await extendLeases(db, said, now() + leaseMs)
    for (const [n, one] of stale.entries()) {
      one.leasedAt = at
      one.written = said[n]?.progress ?? 0
    }
  }

  const tellWaiters = serialised(log, async () => {
    if (waiters.size === 0) return
    const waiting = [...waiters]
    const rows = await statusOf(db, waiting)
    for (const { kind, key, notify } of waiting) {
      const row = rows.find((one) => one.kind === kind && one.key === key)
      if (row === undefined || !isOpen(row)) notify(row)
    }
  })

  database.onCommit((topic) => {
    if (topic === waitingTopic) {
      isNews = true
      askForAll()
    }
    if (topic === cancelledTopic) {
      void fanout.publish(cancelledTopic)
      lookAfterEnd()
    }
  })
  const lookAfterEnd = (): void => {
    void look()
    void tellWaiters()
  }
  fanout.subscribe(waitingTopic, askForAll)
  fanout.subscribe(cancelledTopic, lookAfterEnd)
  fanout.subscribe(endedTopic, () => void tellWaiters())

  const find = async (kind: string, key: string, by = db): Promise<StatusRow | undefined> =>
    (await statusOf(by, [{ kind, key }]))[0]

  return {
    async find(kind, key, by) {
      return statusFrom(kind, await find(kind.name, key, by))
    },
    async waitFor(kind, key, signal) {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<StatusRow | undefined>()
      const waiter: Waiter = { kind: kind.name, key, notify: resolve }
      const leave = (): void => reject(signal?.reason)
      signal?.addEventListener('abort', leave)
      waiters.add(waiter)
      try {
        // Checked after the waiter is registered: the job may have ended in between.
        void tellWaiters()
        return statusFrom(kind, await promise)
      } finally {
        waiters.delete(waiter)
        signal?.removeEventListener('abort', leave)
      }
    },
    start() {
      if (works) for (const job of parts.kinds()) kinds.set(job.name, job)
      ticking = setInterval(() => {
        void lookForDue()
        lookAfterEnd()
      }, pollEveryMs).unref()
      askForAll()
    },
    async stop() {
      stopping = true
      clearInterval(ticking)
      await takeDue()
      const held = [...running]
      if (held.length === 0) return
      for (const { abort } of held) abort.abort(new Error('the process stops'))
      await Promise.race([Promise.all(held.map(({ ended }) => ended)), delay(stopWithinMs, undefined, { ref: false })])
      const left = held.map(({ row }) => row)
      await giveBack(db, left, now()).catch((error: unknown) =>
        log.warn({ err: error }, 'what was running is taken by others when its lease is over'),
      )
      await fanout.publish(waitingTopic)
    },
  }
}

/** The stored part of a failure. */
function failureOf(error: unknown): { code: string; message: string } {
  const { type, code, message } = plainError(error)
  return { code: code ?? type, message: message ?? '' }
}

const isOpen = ({ state }: StatusRow): boolean => state === 'waiting' || state === 'running'

function statusFrom<I, R>(kind: JobKind<I, R>, row: StatusRow | undefined): JobStatus<R> | undefined {
  if (row === undefined) return undefined
  const { state, progress, attempts, result, error_code: code, error_message: message } = row
  return {
    state,
    progress,
    attempts,
    result: state === 'done' && kind.result !== undefined ? readStored(kind.result, result) : undefined,
    error: code === null ? undefined : { code, message: message ?? '' },
  }
}

/** Runs work once at a time. Requests during a run are served by the next run. */
function serialised(log: Log, work: () => Promise<void>): () => Promise<void> {
  let isAsked = false
  let working: Promise<void> | undefined
  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false
      await work().catch((error: unknown) => log.warn({ err: error }, 'the queue is looked at again in a second'))
    }
    working = undefined
  }
  return () => {
    isAsked = true
    working ??= run()
    return working
  }
}
