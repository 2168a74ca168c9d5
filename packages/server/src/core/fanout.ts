/*
 * Nudges between processes: a topic and a short text, at most once, never the truth. Whoever is nudged reads the event
 * table; whoever misses a nudge finds the events at the fresh poll.
 */
import pg from 'pg'
import { connectionOf } from './db/database.ts'
import type { DatabaseTarget } from './db/target.ts'

export interface Fanout {
  publish(topic: string): Promise<void>
  subscribe(topic: string, heard: () => void): void
  close(): Promise<void>
}

const reconnectMs = 1000
const connectWithinMs = 10_000

/** Fan-out over PostgreSQL's LISTEN and NOTIFY, on one connection of its own. */
export function createPostgresFanout(target: DatabaseTarget): Fanout {
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let closed = false
  let connecting: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const tell = (topic: string): void => {
    for (const heard of listeners.get(topic) ?? []) heard()
  }

  const lost = (gone: pg.Client): void => {
    if (client !== undefined && client !== gone) return
    client = undefined
    if (!closed) retry ??= setTimeout(reconnect, reconnectMs)
  }

  const connect = async (fresh: pg.Client): Promise<void> => {
    fresh.on('error', () => {})
    fresh.on('end', () => lost(fresh))
    fresh.on('notification', ({ channel }) => {
      tell(channel)
    })
    await fresh.connect()
    for (const topic of listeners.keys()) await fresh.query(`listen ${pg.escapeIdentifier(topic)}`)
    client = fresh
    // What was said while nobody listened.
    for (const topic of listeners.keys()) tell(topic)
  }

  const reconnect = (): void => {
    retry = undefined
    const fresh = new pg.Client({ ...connectionOf(target), connectionTimeoutMillis: connectWithinMs, keepAlive: true })
    connecting = connect(fresh).catch(() => {
      fresh.end().catch(() => {})
      lost(fresh)
    })
  }
  // After the caller has subscribed, so that one connection listens to everything from its start.
  retry = setTimeout(reconnect)

  return {
    async publish(topic) {
      await connecting
      await client?.query('select pg_notify($1, $2)', [topic, '']).catch(() => {})
    },
    subscribe(topic, heard) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(heard))
      client?.query(`listen ${pg.escapeIdentifier(topic)}`).catch(() => {})
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}
