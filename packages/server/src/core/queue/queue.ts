/*
 * The queue worker of every process. It takes due jobs (rows.ts), of each kind as many as the kind's concurrency
 * permits, renews its leases, and notifies those who wait for an outcome. It is woken by commits of its own process,
 * through the fan-out by those of others, and polls once a second. Polling covers lost nudges, retries, and jobs left
 * by a dead process.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Db } from '../db/database.ts'
import type { Fanout } from '../fanout.ts'
import type { Log } from '../log.ts'
import type { Job } from './job.ts'
import { loseLease, type Running, runJob } from './job-run.ts'
import type { Queue } from './kind.ts'
import {
  type ClaimedRow,
  cancelledTopic,
  claim,
  dueKinds,
  endedTopic,
  extendLeases,
  giveBack,
  type StatusRow,
  statusOf,
  stillLeased,
  waitingTopic,
} from './rows.ts'
import { serialised } from './serialised.ts'
import { createWaiters, statusFrom } from './waiters.ts'

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

/** Extends leases that have not been renewed for a while, and writes the progress of their jobs. */
async function keepUp(db: Db, held: readonly Running[], until: number, olderThanMs: number): Promise<void> {
  const at = performance.now()
  const stale = held.filter((one) => one.progress !== one.written || at - one.leasedAt > olderThanMs)
  if (stale.length === 0) return
  const said = stale.map(({ row: { id, fence }, progress }) => ({ id, fence, progress }))
  await extendLeases(db, said, until)
  for (const [n, one] of stale.entries()) {
    one.leasedAt = at
    one.written = said[n]?.progress ?? 0
  }
}

export function createQueue(parts: QueueParts): WorkingQueue {
  const { database, fanout, log, now } = parts
  const { db } = database
  const { pause = () => Promise.resolve(), works = true, leaseMs = usualLeaseMs, pollEveryMs = usualPollMs } = parts
  const kinds = new Map<string, Job>()
  const running = new Set<Running>()
  const waiters = createWaiters(db, log)
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
    one.ended = runJob({ db, log, now, pause }, one)
      .then((isOver) => {
        if (isOver) tellOfEnd()
      })
      .finally(() => {
        running.delete(one)
        if (asked.has(job.name)) void takeDue()
      })
  }

  /** Waiters may be on any process. */
  const tellOfEnd = (): void => {
    void fanout.publish(endedTopic)
    void waiters.tell()
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
    await keepUp(
      db,
      held.filter(({ signal }) => !signal.aborted),
      now() + leaseMs,
      leaseMs / 3,
    )
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
    void waiters.tell()
  }
  fanout.subscribe(waitingTopic, askForAll)
  fanout.subscribe(cancelledTopic, lookAfterEnd)
  fanout.subscribe(endedTopic, () => void waiters.tell())

  const find = async (kind: string, key: string, by = db): Promise<StatusRow | undefined> =>
    (await statusOf(by, [{ kind, key }]))[0]

  return {
    async find(kind, key, by) {
      return statusFrom(kind, await find(kind.name, key, by))
    },
    async waitFor(kind, key, signal) {
      return statusFrom(kind, await waiters.wait(kind.name, key, signal))
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
