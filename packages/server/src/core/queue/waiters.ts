// Those who wait for the end of a job, on any process.

import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { readStored } from './job.ts'
import type { JobKind, JobStatus } from './kind.ts'
import { type StatusRow, statusOf } from './rows.ts'
import { serialised } from './serialised.ts'

interface Waiter {
  readonly kind: string
  readonly key: string
  readonly notify: (row: StatusRow | undefined) => void
}

/** The waiters of this process. */
export function createWaiters(db: Db, log: Log) {
  const waiters = new Set<Waiter>()

  /** Notifies those whose job has ended. */
  const tell = serialised(log, async () => {
    if (waiters.size === 0) return
    const waiting = [...waiters]
    const rows = await statusOf(db, waiting)
    for (const { kind, key, notify } of waiting) {
      const row = rows.find((one) => one.kind === kind && one.key === key)
      if (row === undefined || !isOpen(row)) notify(row)
    }
  })

  return {
    tell,

    /** The state of a job once it has ended. Undefined if it is not there. */
    async wait(kind: string, key: string, signal: AbortSignal | undefined): Promise<StatusRow | undefined> {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<StatusRow | undefined>()
      const waiter: Waiter = { kind, key, notify: resolve }
      const leave = (): void => reject(signal?.reason)
      signal?.addEventListener('abort', leave)
      waiters.add(waiter)
      try {
        // Checked after the waiter is registered: the job may have ended in between.
        void tell()
        return await promise
      } finally {
        waiters.delete(waiter)
        signal?.removeEventListener('abort', leave)
      }
    },
  }
}

const isOpen = ({ state }: StatusRow): boolean => state === 'waiting' || state === 'running'

/** A row as the status of a kind. */
export function statusFrom<I, R>(kind: JobKind<I, R>, row: StatusRow | undefined): JobStatus<R> | undefined {
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
