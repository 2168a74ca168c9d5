/*
 * Nudges between processes: a topic and nothing else, at most once, never the truth. Whoever is nudged reads the event
 * table; whoever misses a nudge finds the events at the next poll.
 *
 * PostgreSQL's LISTEN and NOTIFY carry them, or NATS where there is one. With NATS every process listens to PostgreSQL as
 * well, and speaks through it as long as its NATS is away: so those who have lost NATS are heard by those who have not.
 */
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node'
import pg from 'pg'
import { connectionOf, settleSession } from './db/database.ts'
import type { DatabaseTarget } from './db/target.ts'
import type { Log } from './log.ts'

export interface Fanout {
  /** Nudges every process, this one included or not; never fails. */
  publish(topic: string): Promise<void>
  subscribe(topic: string, heard: () => void): void
  /** What is away now, for the operator; processes then hear of each other a second later. */
  readonly away: string | undefined
  close(): Promise<void>
}

const reconnectMs = 1000
const connectWithinMs = 10_000
/** A silent connection is looked at after so long; one whose machine has gone is given up soon after. */
const keepAliveMs = 5000

/** Who hears which topic. */
class Listeners {
  readonly byTopic = new Map<string, Set<() => void>>()

  add(topic: string, heard: () => void): void {
    this.byTopic.set(topic, (this.byTopic.get(topic) ?? new Set()).add(heard))
  }

  tell(topic: string): void {
    for (const heard of this.byTopic.get(topic) ?? []) heard()
  }

  /** After a connection has come back: something may have been said meanwhile. */
  tellAll(): void {
    for (const topic of this.byTopic.keys()) this.tell(topic)
  }
}

/** Fan-out over PostgreSQL's LISTEN and NOTIFY, on one connection of its own. */
export function createPostgresFanout(target: DatabaseTarget): Fanout {
  const listeners = new Listeners()
  /** Topics that are to be told once the telling under way has ended: one nudge is as good as many. */
  const waiting = new Set<string>()
  let telling: Promise<void> | undefined
  let client: pg.Client | undefined
  let closed = false
  let connecting: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const lost = (gone: pg.Client): void => {
    if (client !== undefined && client !== gone) return
    client = undefined
    if (!closed) retry ??= setTimeout(reconnect, reconnectMs)
  }

  const open = async (fresh: pg.Client): Promise<void> => {
    fresh.on('error', () => {})
    fresh.on('end', () => lost(fresh))
    fresh.on('notification', ({ channel }) => listeners.tell(channel))
    await fresh.connect()
    await settleSession(target, fresh)
    for (const topic of listeners.byTopic.keys()) await fresh.query(`listen ${pg.escapeIdentifier(topic)}`)
    client = fresh
    listeners.tellAll()
  }

  const reconnect = (): void => {
    retry = undefined
    const fresh = new pg.Client({
      ...connectionOf(target),
      connectionTimeoutMillis: connectWithinMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
    })
    connecting = open(fresh).catch(() => {
      fresh.end().catch(() => {})
      lost(fresh)
    })
  }
  // After the caller has subscribed, so that one connection listens to everything from its start.
  retry = setTimeout(reconnect)

  const tellWaiting = async (): Promise<void> => {
    await connecting
    while (waiting.size > 0) {
      const topics = [...waiting]
      waiting.clear()
      await client?.query("select pg_notify(topic, '') from unnest($1::text[]) topic", [topics]).catch(() => {})
    }
  }

  return {
    publish(topic) {
      waiting.add(topic)
      telling ??= tellWaiting().finally(() => {
        telling = undefined
      })
      return telling
    },
    subscribe(topic, heard) {
      listeners.add(topic, heard)
      client?.query(`listen ${pg.escapeIdentifier(topic)}`).catch(() => {})
    },
    get away() {
      return client === undefined ? 'PostgreSQL notifications' : undefined
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}

export interface NatsParts {
  /** nats:// or tls:// addresses of one cluster, by commas. */
  readonly url: string
  /** Tells installations apart that share a NATS. */
  readonly installation: string
  readonly log: Log
  /** Carries the nudges while NATS is away. */
  readonly fallback: Fanout
}

/** Fan-out over NATS; its connection is made, lost and made again without anybody waiting for it. */
export function createNatsFanout({ url, installation, log, fallback }: NatsParts): Fanout {
  const listeners = new Listeners()
  const subjectOf = (topic: string): string => `cloudoc.${installation}.${topic}`
  let nats: NatsConnection | undefined
  let isReached = false
  let isKnownAway = false
  let retry: NodeJS.Timeout | undefined
  let closed = false

  const reached = (now: boolean, reason?: unknown): void => {
    isReached = now
    if (now) {
      if (isKnownAway) log.info({}, 'NATS is back')
      isKnownAway = false
      listeners.tellAll()
    } else if (!isKnownAway && !closed) {
      isKnownAway = true
      const message = reason instanceof Error ? reason.message : undefined
      log.warn({ reason: message }, 'NATS is away; processes tell each other through PostgreSQL until it is back')
    }
  }

  const listen = (connection: NatsConnection, topic: string): void => {
    connection.subscribe(subjectOf(topic), { callback: () => listeners.tell(topic) })
  }

  const watch = async (connection: NatsConnection): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'staleConnection') reached(false)
      if (type === 'reconnect') reached(true)
    }
  }

  const open = async (): Promise<void> => {
    // Loaded where it is used: a tenth of what an idle server holds.
    const { connect } = await import('@nats-io/transport-node')
    const fresh = await connect({
      ...credentialsOf(url),
      name: 'cloudoc',
      timeout: connectWithinMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMs,
      pingInterval: keepAliveMs,
      maxPingOut: 2,
    })
    if (closed) return fresh.close()
    nats = fresh
    for (const topic of listeners.byTopic.keys()) listen(fresh, topic)
    await fresh.flush()
    void watch(fresh).catch(() => {})
    reached(true)
    const error = await fresh.closed()
    nats = undefined
    throw error ?? new Error('the connection was closed')
  }

  const keepOpen = (): void => {
    open().catch((error: unknown) => {
      reached(false, error)
      if (!closed) retry = setTimeout(keepOpen, reconnectMs)
    })
  }
  // After the caller has subscribed.
  retry = setTimeout(keepOpen)

  return {
    async publish(topic) {
      if (isReached) nats?.publish(subjectOf(topic))
      else await fallback.publish(topic)
    },
    subscribe(topic, heard) {
      listeners.add(topic, heard)
      fallback.subscribe(topic, heard)
      if (nats !== undefined) listen(nats, topic)
    },
    get away() {
      return isReached ? fallback.away : 'NATS'
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await nats?.close().catch(() => {})
      await fallback.close()
    },
  }
}

/** The client takes names and passwords beside the addresses, not in them. */
function credentialsOf(url: string): ConnectionOptions {
  const urls = url.split(',').map((one) => new URL(one))
  const [first] = urls
  const [user, pass] = [decodeURIComponent(first?.username ?? ''), decodeURIComponent(first?.password ?? '')]
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? 4222 : port}`),
    ...(first?.protocol === 'tls:' && { tls: {} }),
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
  }
}
