/*
 * The live channel (decisions "JSON channel"): every socket has a cursor and pumps the events after it, in order, as far
 * as its account may see them. Live delivery and replay are the same pump: a socket that falls behind its line waits for
 * the line, not for the others, and reads on from the table.
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
import type { ItemEvent, PersonalEvent, SessionEvent } from '../events.ts'
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
export type Audience = (db: Db, events: readonly StoredEvent<ItemEvent>[]) => Promise<Map<number, AudibleEvent>>

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
/** Bytes in a socket's line at which the pump waits. */
const lineFull = 256 * 1024
/** How many prepared events are kept for sockets that are up to date. */
const recentMost = 2000

type AnyEvent = ItemEvent | PersonalEvent | SessionEvent

interface Prepared extends StoredEvent<AnyEvent> {
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
  let newest = 0
  let recent: Prepared[] = []
  let reading: Promise<void> | undefined
  let readAgain = false
  let closed = false

  const send = (socket: WebSocket, frame: ServerFrame): Promise<void> => {
    if (parts.strictAnswers) ServerFrameSchema.parse(frame)
    return new Promise((resolve) => {
      socket.send(JSON.stringify(frame), () => {
        if (socket.bufferedAmount < lineFull) resolve()
      })
      if (socket.bufferedAmount < lineFull) resolve()
      socket.once('close', resolve)
    })
  }

  const push = <N extends PushName>(client: Client, name: N, position: number, data: PushPayload<N>): Promise<void> =>
    send(client.socket, {
      pushType: pushes[name].type,
      identity: String(position),
      epoch: parts.epoch,
      data,
    } as ServerFrame)

  const prepare = async (rows: readonly EventRow[]): Promise<Prepared[]> => {
    const events = rows.map((row) => ({
      position: row.position,
      at: row.created_at,
      actorId: row.actor_id,
      event: row.payload,
    }))
    const items = events.filter((stored): stored is StoredEvent<ItemEvent> => stored.event.kind === 'item')
    const audible = items.length === 0 ? new Map<number, AudibleEvent>() : await parts.audience(db, items)
    return events.map((stored) => ({ ...stored, audible: audible.get(stored.position) }))
  }

  const readAfter = async (position: number): Promise<EventRow[]> => {
    const { rows } = await sql<EventRow>`
      select position, created_at, actor_id, payload from event where position > ${position}
      order by position limit ${batchSize}`.execute(db)
    return rows
  }

  /** Sends what one event means for one client. */
  const deliver = async (client: Client, actor: Actor, prepared: Prepared): Promise<void> => {
    const { event, position } = prepared
    if (event.kind === 'item') {
      const view = prepared.audible?.viewFor(actor)
      if (view !== undefined) await push(client, view.name, position, view.payload)
    } else if (event.kind === 'personal') {
      if (!event.accountIds.includes(client.accountId)) return
      const name = personalName(event.pushType)
      if (name !== undefined) await push(client, name, position, event.data as PushPayload<typeof name>)
    }
  }

  /** Brings one client from its cursor to the newest event. */
  const pump = async (client: Client): Promise<void> => {
    if (client.pumping) return
    client.pumping = true
    try {
      while (client.cursor < newest && client.socket.readyState === client.socket.OPEN) {
        const first = recent[0]
        const batch =
          first !== undefined && first.position <= client.cursor + 1
            ? recent.slice(client.cursor + 1 - first.position, client.cursor + 1 - first.position + batchSize)
            : await prepare(await readAfter(client.cursor))
        if (batch.length === 0) {
          client.cursor = newest
          break
        }
        // Read once for a batch: rights that ended meanwhile end here, whatever nudges were lost.
        const actor = await parts.actorById(client.sessionId)
        for (const prepared of batch) {
          if (client.socket.readyState !== client.socket.OPEN) return
          if (prepared.position <= newest) await deliver(client, actor, prepared)
          client.cursor = prepared.position
        }
      }
    } catch (error) {
      if (error instanceof ResultError) endSession(client, false)
      else log.error({ err: error }, 'a push could not be delivered')
    } finally {
      client.pumping = false
    }
    if (client.cursor < newest && client.socket.readyState === client.socket.OPEN) void pump(client)
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
    void send(client.socket, frame).then(() => client.socket.close(4001))
  }

  const refusal = (code: 'notLoggedIn' | 'badRequest'): ServerFrame => ({
    pushType: 19,
    identity: '0',
    epoch: parts.epoch,
    data: { code: codes[code].code, msg: codeMessage(code, 'zh') },
  })

  const readNew = async (): Promise<void> => {
    do {
      readAgain = false
      while (!closed) {
        const prepared = await prepare(await readAfter(newest))
        const last = prepared.at(-1)
        if (last === undefined) break
        newest = last.position
        recent = [...recent, ...prepared].slice(-recentMost)
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
      .catch((error: unknown) => log.error({ err: error }, 'events could not be read'))
      .finally(() => {
        reading = undefined
      })
  }

  const begun = sql<{ value: number }>`select value from stamp where name = 'event'`.execute(db).then(({ rows }) => {
    newest = rows[0]?.value ?? 0
    parts.fanout.subscribe(eventsTopic, wake)
  })

  const login = async (socket: WebSocket, frame: ClientFrame, cookieToken: string | undefined): Promise<Client> => {
    if (frame.cmd !== 'login') throw new ResultError('badRequest')
    const token = frame.token === undefined || frame.token === '' ? cookieToken : frame.token
    if (token === undefined) throw new ResultError('notLoggedIn')
    const actor = await parts.actorByToken(token)
    await begun
    const last = frame.lastIdentity === undefined || frame.lastIdentity === '' ? undefined : Number(frame.lastIdentity)
    const { rows } = await sql<{ oldest: number | null }>`select min(position) as oldest from event`.execute(db)
    const joinedAt = newest
    const oldest = rows[0]?.oldest ?? joinedAt + 1
    const known = last !== undefined && frame.epoch === parts.epoch && last <= joinedAt
    const replayable = known && last >= oldest - 1 && joinedAt - last <= longestReplay
    const client: Client = {
      socket,
      sessionId: actor.sessionId,
      accountId: actor.accountId,
      cursor: replayable ? last : joinedAt,
      pumping: true,
      heardAt: parts.now(),
    }
    clients.add(client)
    const personal = await db
      .selectFrom('personal_push')
      .select(['position', 'push_type', 'payload'])
      .where('account_id', '=', actor.accountId)
      .where('position', '<=', client.cursor)
      .orderBy('position')
      .limit(1000)
      .execute()
    await send(socket, {
      pushType: 18,
      identity: '0',
      epoch: parts.epoch,
      data: {
        serverTime: parts.now(),
        epoch: parts.epoch,
        lastIdentity: String(joinedAt),
        backlog: personal.length + (joinedAt - client.cursor),
        refetch: last !== undefined && !replayable,
      },
    })
    for (const row of personal) {
      const name = personalName(row.push_type)
      if (name !== undefined) await push(client, name, row.position, row.payload as PushPayload<typeof name>)
    }
    client.pumping = false
    void pump(client)
    return client
  }

  const poll = setInterval(() => {
    wake()
    const now = parts.now()
    for (const client of clients) {
      if (now - client.heardAt > limits.heartbeatLostMs) client.socket.terminate()
    }
  }, pollMs)
  const heartbeat = setInterval(() => {
    for (const client of clients) {
      client.socket.ping()
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
      const deadline = setTimeout(() => socket.close(4000), loginWithinMs)
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
          void send(socket, refusal('badRequest')).then(() => socket.close(4002))
          return
        }
        state = 'busy'
        login(socket, frame, cookieToken).then(
          (joined) => {
            clearTimeout(deadline)
            state = 'in'
            client = joined
            if (socket.readyState !== socket.OPEN) clients.delete(joined)
          },
          (error: unknown) => {
            if (!(error instanceof ResultError)) log.error({ err: error }, 'a push login failed')
            const code = error instanceof ResultError ? codes[error.code].code : codes.serverException.code
            const msg = error instanceof ResultError ? codeMessage(error.code, 'zh') : codes.serverException.zh
            void send(socket, { pushType: 19, identity: '0', epoch: parts.epoch, data: { code, msg } }).then(() =>
              socket.close(4001),
            )
          },
        )
      })
    },
    async close() {
      closed = true
      clearInterval(poll)
      clearInterval(heartbeat)
      for (const socket of sockets) socket.close(1001)
      await begun.catch(() => {})
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
