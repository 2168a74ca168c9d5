/*
 * The live channel (decisions "JSON channel"): every socket has a cursor and pumps the events after it, in order, as far
 * as its account may see them. A socket whose line is full waits for its line, not for the others, and reads on from the
 * table. What a client missed is put together before its login is answered, since the answer says how much follows.
 *
 * Who may see an event is decided at delivery by the audience that drive gives.
 */
import {
  ClientFrame,
  type PushName,
  type PushPayload,
  pushes,
  type ServerFrame,
  ServerFrame as ServerFrameSchema,
} from '@cloudoc/contract'
import { codeMessage, codes, limits, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WebSocket } from 'ws'
import type { Actor } from '../actor.ts'
import type { Db } from '../db/database.ts'
import type { ItemEvent, PersonalEvent, RefetchEvent, SessionEvent } from '../events.ts'
import type { Fanout } from '../fanout.ts'
import type { Log } from '../log.ts'

/** What an item event is for one account; undefined where it is none of their business. */
export type ItemView =
  | { readonly name: 'fileChange'; readonly payload: PushPayload<'fileChange'> }
  | { readonly name: 'folderChange'; readonly payload: PushPayload<'folderChange'> }
  | undefined

/** An event whose audience is known. */
export interface AudibleEvent {
  viewFor(actor: Actor): ItemView
}

/** A numbered event of the table. */
export interface StoredEvent<E> {
  readonly position: number
  readonly at: number
  readonly actorId: number | null
  readonly event: E
}

/** Decides who hears of changes to items; implemented by drive, which knows rights. */
export type Audience = (
  db: Db,
  events: readonly StoredEvent<ItemEvent>[],
  now: number,
) => Promise<Map<number, AudibleEvent>>

export interface HubParts {
  readonly db: Db
  readonly fanout: Fanout
  readonly log: Log
  readonly epoch: string
  readonly now: () => number
  readonly audience: Audience
  /** The actor of a session as of now; fails with its code when the session has ended. */
  readonly actorById: (sessionId: number) => Promise<Actor>
  readonly actorByToken: (token: string) => Promise<Actor>
  readonly strictAnswers: boolean
}

export interface Hub {
  /** Takes over a socket that has just been opened; `cookieToken` is the session of the page that opened it. */
  accept(socket: WebSocket, cookieToken: string | undefined): void
  /** Looks for new events now. */
  wake(): void
  readonly size: number
  close(): Promise<void>
}

export const eventsTopic = 'cloudoc_events'

const pollMs = 1000
const loginWithinMs = 10_000
const batchSize = 200
/** Replay goes this far back; beyond it the client fetches again. */
const longestReplay = 10_000
/** Replays put together at the same time: a storm of clients that come back must not hold all connections. */
const replaysAtOnce = 4
/** Bytes in a socket's line at which the pump waits. */
const lineFull = 256 * 1024
/** How many prepared events are kept for sockets that are up to date, and how long: rights in them grow old. */
const recentMost = 2000
const recentLifeMs = 30_000

type AnyEvent = ItemEvent | PersonalEvent | SessionEvent | RefetchEvent

interface Prepared extends StoredEvent<AnyEvent> {
  readonly preparedAt: number
  readonly audible: AudibleEvent | undefined
}

interface Client {
  readonly socket: WebSocket
  readonly sessionId: number
  readonly accountId: number
  cursor: number
  pumping: boolean
  heardAt: number
}

/** Starts the channel of this process. */
export function createHub(parts: HubParts): Hub {
  const { db, log } = parts
  const clients = new Set<Client>()
  const sockets = new Set<WebSocket>()
  /** The newest position this process knows; undefined until the table has been asked once. */
  let newest: number | undefined
  let recent: Prepared[] = []
  let reading: Promise<void> | undefined
  let readAgain = false
  let closed = false
  const begun = Promise.withResolvers<void>()

  /** Sends a frame; answers nothing while the line has room, else what resolves when the line has emptied or ended. */
  const send = (socket: WebSocket, frame: ServerFrame): Promise<void> | undefined => {
    if (parts.strictAnswers) ServerFrameSchema.parse(frame)
    if (socket.readyState !== socket.OPEN) return undefined
    const sent = Promise.withResolvers<void>()
    socket.send(JSON.stringify(frame), () => sent.resolve())
    return socket.bufferedAmount < lineFull ? undefined : sent.promise
  }

  const pushFrame = <N extends PushName>(name: N, position: number, data: PushPayload<N>): ServerFrame => ({
    pushType: pushes[name].type,
    identity: String(position),
    epoch: parts.epoch,
    data,
  })

  const prepare = async (rows: readonly EventRow[]): Promise<Prepared[]> => {
    const preparedAt = parts.now()
    const events = rows.map((row) => ({
      position: row.position,
      at: row.created_at,
      actorId: row.actor_id,
      event: row.payload,
    }))
    const items = events.filter((stored): stored is StoredEvent<ItemEvent> => stored.event.kind === 'item')
    const audible = items.length === 0 ? new Map<number, AudibleEvent>() : await parts.audience(db, items, preparedAt)
    return events.map((stored) => ({ ...stored, preparedAt, audible: audible.get(stored.position) }))
  }

  const readAfter = async (position: number, upTo = Number.MAX_SAFE_INTEGER): Promise<EventRow[]> => {
    const { rows } = await sql<EventRow>`
      select position, created_at, actor_id, payload from event where position > ${position} and position <= ${upTo}
      order by position limit ${batchSize}`.execute(db)
    return rows
  }

  /** What one event means for one client. */
  const frameOf = (actor: Actor, { event, position, audible }: Prepared): ServerFrame | undefined => {
    if (event.kind === 'item') {
      const view = audible?.viewFor(actor)
      return view === undefined ? undefined : pushFrame(view.name, position, view.payload)
    }
    if (event.kind === 'personal' && event.accountIds.includes(actor.accountId)) {
      const name = personalName(event.pushType)
      return name === undefined ? undefined : pushFrame(name, position, event.data as PushPayload<typeof name>)
    }
    if (event.kind === 'refetch' && event.accountIds.includes(actor.accountId)) {
      return welcome(position, { backlog: 0, refetch: true })
    }
    return undefined
  }

  const welcome = (position: number, more: { backlog: number; refetch: boolean }): ServerFrame => ({
    pushType: 18,
    identity: '0',
    epoch: parts.epoch,
    data: { serverTime: parts.now(), epoch: parts.epoch, lastIdentity: String(position), ...more },
  })

  /** Events after a position that this process has at hand; undefined where the table must be read. */
  const atHand = (position: number): Prepared[] | undefined => {
    const oldest = recent[0]
    if (oldest === undefined || oldest.position > position + 1) return undefined
    const batch = recent.slice(position + 1 - oldest.position, position + 1 - oldest.position + batchSize)
    return parts.now() - (batch[0]?.preparedAt ?? 0) > recentLifeMs ? undefined : batch
  }

  const isBehind = (client: Client): boolean =>
    newest !== undefined && client.cursor < newest && clients.has(client) && client.socket.readyState === 1

  /** Brings one client from its cursor to the newest event. */
  const pump = async (client: Client): Promise<void> => {
    if (client.pumping) return
    client.pumping = true
    try {
      while (isBehind(client)) {
        const batch = atHand(client.cursor) ?? (await prepare(await readAfter(client.cursor, newest)))
        if (batch.length === 0) break
        // Read once for a batch: rights that ended meanwhile end here, whatever nudges were lost.
        const actor = await parts.actorById(client.sessionId)
        for (const prepared of batch) {
          if (!isBehind(client)) return
          const frame = frameOf(actor, prepared)
          client.cursor = prepared.position
          const line = frame === undefined ? undefined : send(client.socket, frame)
          if (line === undefined) continue
          // A wait may be long: what is sent after it is decided after it.
          await line
          break
        }
      }
    } catch (error) {
      if (error instanceof ResultError) endSession(client, false)
      else log.error({ err: error }, 'a push could not be delivered; it is tried again')
    } finally {
      client.pumping = false
    }
  }

  const endSession = (client: Client, elsewhere: boolean): void => {
    const frame: ServerFrame = elsewhere
      ? {
          pushType: pushes.loginElsewhere.type,
          identity: '0',
          epoch: parts.epoch,
          data: { serverId: 0, time: parts.now() },
        }
      : refusal('notLoggedIn')
    clients.delete(client)
    void send(client.socket, frame)
    client.socket.close(4001)
  }

  const refusal = (code: 'notLoggedIn' | 'badRequest'): ServerFrame => ({
    pushType: 19,
    identity: '0',
    epoch: parts.epoch,
    data: { code: codes[code].code, msg: codeMessage(code, 'zh') },
  })

  const readNew = async (): Promise<void> => {
    if (newest === undefined) {
      const { rows } = await sql<{ value: number }>`select value from stamp where name = 'event'`.execute(db)
      newest = rows[0]?.value ?? 0
      begun.resolve()
    }
    do {
      readAgain = false
      if (clients.size === 0) {
        // Nobody listens: only the place is kept.
        const { rows } = await sql<{ value: number }>`select value from stamp where name = 'event'`.execute(db)
        newest = rows[0]?.value ?? newest
        recent = []
        continue
      }
      while (!closed) {
        const prepared = await prepare(await readAfter(newest))
        const last = prepared.at(-1)
        if (last === undefined) break
        newest = last.position
        // Rights in what was prepared before a change of rights are not those of now.
        recent = (prepared.some(changesRights) ? prepared : [...recent, ...prepared]).slice(-recentMost)
        for (const { event } of prepared) {
          if (event.kind !== 'session') continue
          for (const client of [...clients]) {
            if (event.sessionIds.includes(client.sessionId)) endSession(client, event.elsewhere)
          }
        }
        for (const client of clients) void pump(client)
      }
    } while (readAgain && !closed)
  }

  const wake = (): void => {
    if (closed) return
    readAgain = true
    reading ??= readNew()
      .catch((error: unknown) => log.error({ err: error }, 'events could not be read; it is tried again'))
      .finally(() => {
        reading = undefined
      })
  }
  parts.fanout.subscribe(eventsTopic, wake)
  wake()

  /** What an account missed between two positions, and what it has not confirmed up to the second, in order. */
  const missedBy = async (actor: Actor, from: number, upTo: number): Promise<ServerFrame[]> => {
    const missed: { position: number; frame: ServerFrame }[] = []
    const personal = await db
      .selectFrom('personal_push')
      .select(['position', 'push_type', 'payload'])
      .where('account_id', '=', actor.accountId)
      .where('position', '<=', upTo)
      .orderBy('position')
      .limit(longestReplay)
      .execute()
    for (const { position, push_type, payload } of personal) {
      const name = personalName(push_type)
      if (name === undefined) continue
      missed.push({ position, frame: pushFrame(name, position, payload as PushPayload<typeof name>) })
    }
    for (let position = from; position < upTo; ) {
      const batch = await prepare(await readAfter(position, upTo))
      const last = batch.at(-1)
      if (last === undefined) break
      position = last.position
      for (const prepared of batch) {
        // Personal pushes come from their own table: confirmed ones do not come again.
        const frame = prepared.event.kind === 'personal' ? undefined : frameOf(actor, prepared)
        if (frame !== undefined) missed.push({ position: prepared.position, frame })
      }
    }
    return missed.sort((a, b) => a.position - b.position).map(({ frame }) => frame)
  }

  const replays = limited(replaysAtOnce)

  const login = async (
    socket: WebSocket,
    frame: ClientFrame,
    cookieToken: string | undefined,
  ): Promise<Client | undefined> => {
    if (frame.cmd !== 'login') throw new ResultError('badRequest')
    const token = frame.token === undefined || frame.token === '' ? cookieToken : frame.token
    if (token === undefined) throw new ResultError('notLoggedIn')
    await begun.promise
    const last = frame.lastIdentity === undefined || frame.lastIdentity === '' ? undefined : Number(frame.lastIdentity)
    const { rows } = await sql<{ oldest: number | null; value: number }>`
      select (select min(position) from event) as oldest, value from stamp where name = 'event'`.execute(db)
    const { oldest, value: joinedAt } = rows[0] ?? { oldest: null, value: 0 }
    // Read after the place it joins at: a session that ends later has its event behind that place, and the pump finds it.
    const actor = await parts.actorByToken(token)
    const known = last !== undefined && frame.epoch === parts.epoch && last <= joinedAt
    const replayable = known && last >= (oldest ?? joinedAt + 1) - 1 && joinedAt - last <= longestReplay
    const missed = await replays(() => missedBy(actor, replayable ? last : joinedAt, joinedAt))
    if (socket.readyState !== socket.OPEN) return undefined
    const client: Client = {
      socket,
      sessionId: actor.sessionId,
      accountId: actor.accountId,
      cursor: joinedAt,
      pumping: true,
      heardAt: parts.now(),
    }
    clients.add(client)
    void send(socket, welcome(joinedAt, { backlog: missed.length, refetch: last !== undefined && !replayable }))
    for (const one of missed) await send(socket, one)
    client.pumping = false
    void pump(client)
    return client
  }

  const poll = setInterval(() => {
    wake()
    const now = parts.now()
    for (const client of clients) {
      if (now - client.heardAt > limits.heartbeatLostMs) client.socket.terminate()
      else if (isBehind(client)) void pump(client)
    }
  }, pollMs)
  const heartbeat = setInterval(() => {
    for (const client of clients) {
      client.socket.ping()
      if (client.socket.bufferedAmount < lineFull)
        void send(client.socket, { pushType: 1, identity: '0', epoch: parts.epoch, data: {} })
    }
  }, limits.heartbeatMs)

  return {
    wake,
    get size() {
      return clients.size
    },
    accept(socket, cookieToken) {
      sockets.add(socket)
      let client: Client | undefined
      let state: 'new' | 'busy' | 'in' = 'new'
      const deadline = setTimeout(() => state === 'new' && socket.close(4000), loginWithinMs)
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        clearTimeout(deadline)
        sockets.delete(socket)
        if (client !== undefined) clients.delete(client)
      })
      socket.on('pong', () => {
        if (client !== undefined) client.heardAt = parts.now()
      })
      socket.on('message', (bytes: Buffer) => {
        if (client !== undefined) client.heardAt = parts.now()
        const frame = parseFrame(bytes)
        if (frame?.cmd === 'heartbeat' && state !== 'new') return
        if (frame?.cmd !== 'login' || state !== 'new') {
          void send(socket, refusal('badRequest'))
          socket.close(4002)
          return
        }
        state = 'busy'
        login(socket, frame, cookieToken).then(
          (joined) => {
            clearTimeout(deadline)
            state = 'in'
            client = joined
            if (joined !== undefined && socket.readyState === socket.CLOSED) clients.delete(joined)
          },
          (error: unknown) => {
            if (!(error instanceof ResultError)) log.error({ err: error }, 'a push login failed')
            const code = error instanceof ResultError ? codes[error.code].code : codes.serverException.code
            const msg = error instanceof ResultError ? codeMessage(error.code, 'zh') : codes.serverException.zh
            void send(socket, { pushType: 19, identity: '0', epoch: parts.epoch, data: { code, msg } })
            socket.close(4001)
          },
        )
      })
    },
    async close() {
      closed = true
      clearInterval(poll)
      clearInterval(heartbeat)
      for (const socket of sockets) socket.close(1001)
      await reading
      for (const socket of sockets) socket.terminate()
    },
  }
}

interface EventRow {
  readonly position: number
  readonly created_at: number
  readonly actor_id: number | null
  readonly payload: AnyEvent
}

/** Whether an event may have changed who sees what. */
function changesRights({ event }: Prepared): boolean {
  return event.kind === 'item' && (event.before !== undefined || event.beforeParentId !== undefined)
}

/** Runs at most so many at a time; the others wait in order. */
function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

function personalName(pushType: number): 'shareRemind' | undefined {
  return pushType === pushes.shareRemind.type ? 'shareRemind' : undefined
}

function parseFrame(bytes: Buffer): ClientFrame | undefined {
  try {
    const parsed = ClientFrame.safeParse(JSON.parse(bytes.toString()))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
