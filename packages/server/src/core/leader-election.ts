/*
 * Work that exactly one process does at a time. The holder has an advisory lock on a connection of its own; when the
 * process or the connection dies, PostgreSQL releases the lock and another process takes over within seconds.
 */
import pg from 'pg'
import { connectionOf, settleSession } from './db/database.ts'
import type { DatabaseTarget } from './db/target.ts'

export interface Leadership {
  /** Whether this process does the work now. */
  isLeader(): boolean
  /** Lets go; resolves when the work has stopped. */
  stop(): Promise<void>
}

const tryEveryMs = 1000
const connectWithinMs = 10_000
/** Seconds of silence after which either end looks whether the other is still there. */
const keepAliveS = 5
const lockKey = 0x636c6f75

/** Runs `work` while this process holds the lock; the signal is aborted when it no longer does. */
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
      // A holder whose machine has gone says no goodbye: PostgreSQL is to look for it soon, not after two hours.
      await client.query(
        `set tcp_keepalives_idle = ${keepAliveS}; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 10`,
      )
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

/** Waits, at most until the signal. */
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
