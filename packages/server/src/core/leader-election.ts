/*
 * Leader election: work that exactly one process does at a time. The leader holds an advisory lock on a separate
 * connection. When the process or the connection dies, PostgreSQL releases the lock and another process takes over
 * within seconds.
 */
import pg from 'pg'
import { connectionOf, settleSession } from './db/database.ts'
import type { DatabaseTarget } from './db/target.ts'

export interface Leadership {
  /** Whether this process is the leader. */
  isLeader(): boolean
  /** Gives up the leadership. Resolves when the work has stopped. */
  stop(): Promise<void>
}

const tryEveryMs = 1000
const connectWithinMs = 10_000
/** Seconds of silence after which either end of the connection probes the other. */
const keepAliveS = 5
const lockKey = 0x636c6f75

/** The advisory lock that every running server shares: a migration needs it alone. */
export const serverLock = 0x72756e73

/** Runs `work` while this process holds the lock. The signal is aborted when it no longer does. */
export function elect(target: DatabaseTarget, work: (signal: AbortSignal) => Promise<void>): Leadership {
  const stopping = new AbortController()
  let holding = false

  const term = async (): Promise<void> => {
    const client = new pg.Client({
      ...connectionOf(target),
      connectionTimeoutMillis: connectWithinMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveS * 1000,
    })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    try {
      await client.connect()
      await settleSession(target, client)
      // A leader whose machine disappears does not close its connection. PostgreSQL must notice it soon, not after two
      // hours.
      await client.query(
        `set tcp_keepalives_idle = ${keepAliveS}; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 10`,
      )
      // Not waited for: a migration that runs now would keep this process from its work.
      await client.query('select pg_try_advisory_lock_shared($1)', [serverLock])
      const signal = AbortSignal.any([stopping.signal, lost.signal])
      while (!signal.aborted) {
        const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lockKey])
        if (rows[0]?.held === true) {
          holding = true
          await work(signal)
        } else {
          await pause(tryEveryMs, signal)
        }
      }
    } finally {
      holding = false
      await client.end().catch(() => {})
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await term().catch(() => {})
      await pause(tryEveryMs, stopping.signal)
    }
  })()

  return {
    isLeader: () => holding,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Waits for a time, or until the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
