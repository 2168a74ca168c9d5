/*
 * Fan-out: nudges between processes. A nudge has only a topic, is delivered at most once, and is never the source of
 * truth. A nudged process reads the event table. A process that misses a nudge finds the events at the next poll.
 *
 * Nudges are sent by PostgreSQL's LISTEN and NOTIFY, or by NATS if configured. With NATS every process also listens to
 * PostgreSQL, and publishes through it while its NATS connection is down: processes without NATS still reach those with
 * NATS.
 */
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node'
import pg from 'pg'
import { connectionOf, settleSession } from './db/database.ts'
import type { DatabaseTarget } from './db/target.ts'
import type { Log } from './log.ts'

export interface Fanout {
  /** Nudges every process, possibly including this one. Never fails. */
  publish(topic: string): Promise<void>
  subscribe(topic: string, heard: () => void): void
  /** What is unavailable now, for the operator. Nudges between processes then arrive a second later. */
  readonly away: string | undefined
  close(): Promise<void>
}

const reconnectMs = 1000
const connectWithinMs = 10_000
/** A silent connection is probed after this time. If its machine is gone, it is closed soon after. */
const keepAliveMs = 5000

/** Subscribers by topic. */
class Listeners {
  readonly byTopic = new Map<string, Set<() => void>>()

  add(topic: string, heard: () => void): void {
    this.byTopic.set(topic, (this.byTopic.get(topic) ?? new Set()).add(heard))
  }

  tell(topic: string): void {
    for (const heard of this.byTopic.get(topic) ?? []) heard()
  }

  /** Called after a reconnect, because nudges may have been missed. */
  tellAll(): void {
    for (const topic of this.byTopic.keys()) this.tell(topic)
  }
}

/** Fan-out over PostgreSQL's LISTEN and NOTIFY, on a separate connection. */
export function createPostgresFanout(target: DatabaseTarget): Fanout {
  const listeners = new Listeners()
  /** Topics to be sent after the running send: one nudge is as good as many. */
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
  // Connects after the caller has subscribed, so that the connection listens to every topic from its start.
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
  /** nats:// or tls:// URLs of one cluster, separated by commas. */
  readonly url: string
  /** Distinguishes installations that share a NATS. */
  readonly installation: string
  readonly log: Log
  /** Sends the nudges while NATS is unavailable. */
  readonly fallback: Fanout
}

/** Fan-out over NATS. Connecting and reconnecting run in the background. */
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
    // Loaded only when needed: it takes a tenth of the memory of an idle server.
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
  // Connects after the caller has subscribed.
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

/** The NATS client takes user names and passwords separately, not in the URLs. */
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
