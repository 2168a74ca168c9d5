/*
 * Nudges between processes: a topic and a short text, at most once, never the truth. Whoever is nudged reads the event
 * table; whoever misses a nudge finds the events at the next poll.
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

  const lost = (gone: pg.Client): void => {
    if (client !== undefined && client !== gone) return
    client = undefined
    if (!closed) retry ??= setTimeout(reconnect, reconnectMs)
  }

  const connect = async (next: pg.Client): Promise<void> => {
    next.on('error', () => {})
    next.on('end', () => lost(next))
    next.on('notification', ({ channel }) => {
      for (const heard of listeners.get(channel) ?? []) heard()
    })
    await next.connect()
    for (const topic of listeners.keys()) await next.query(`listen ${pg.escapeIdentifier(topic)}`)
    client = next
    // What was said while nobody listened.
    for (const heard of [...listeners.values()].flatMap((set) => [...set])) heard()
  }

  const reconnect = (): void => {
    retry = undefined
    const next = new pg.Client({ ...connectionOf(target), connectionTimeoutMillis: connectWithinMs, keepAlive: true })
    connecting = connect(next).catch(() => {
      next.end().catch(() => {})
      lost(next)
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
