/*
 * The live channel (decisions "JSON channel"). Everybody whose socket has room stands at the same place, and one reader
 * for the whole process brings them on together: it reads a stretch of events, decides once who hears of what, asks in one
 * statement which of those sessions still hold, and writes. Whoever cannot follow, because their line is full or because
 * they have just come, is behind: those who are behind are brought on together in the same way, until they stand where the
 * others do. So the number of statements depends on what happens, not on how many listen, and nobody waits for another.
 *
 * Nothing is kept of what was decided: what is written after a wait is read and decided after it. Right before each write
 * the session and the versions of departments, roles and settings are those that were decided for, or it is decided anew.
 */
import { setImmediate } from 'node:timers/promises'
import {
  ClientFrame,
  type PushName,
  type PushPayload,
  pushes,
  type ServerFrame,
  ServerFrame as ServerFrameSchema,
} from '@cloudoc/contract'
import { type CodeName, codeMessage, codes, limits, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WebSocket } from 'ws'
import type { Actor } from '../actor.ts'
import type { Db } from '../db/database.ts'
import type { ItemEvent, PersonalEvent, RefetchEvent, SessionEvent } from '../events.ts'
import type { Fanout } from '../fanout.ts'
import { gathered, type Outcome } from '../gather.ts'
import type { Log } from '../log.ts'
import { type AudibleEvent, createReceivers, type Receivers } from './receivers.ts'

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

/** Whose sockets these are; implemented by people, who know sessions. Each answers for any number in a few statements. */
export interface HubSessions {
  byTokens(tokens: readonly string[], now: number): Promise<{ version: number; actors: Map<string, Actor | CodeName> }>
  byIds(sessionIds: readonly number[], now: number): Promise<{ version: number; actors: Map<number, Actor> }>
  holding(sessionIds: readonly number[], now: number): Promise<{ version: number; held: Set<number> }>
}

export interface HubParts {
  readonly db: Db
  readonly fanout: Fanout
  readonly log: Log
  readonly epoch: string
  readonly now: () => number
  /** Milliseconds on a clock that is never set: silence is measured with it. */
  readonly steady: () => number
  readonly audience: Audience
  readonly sessions: HubSessions
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

const tickMs = 1000
const loginWithinMs = 10_000
/** Events read at once. */
const stretchMost = 500
/** Frames decided at once; more means that fewer events are read the next time. */
const framesMost = 20_000
/** Receivers whose sessions are asked for at once, right before they are written to. */
const checkedAtOnce = 500
/** Replay goes this far back; beyond it the client fetches again. */
const longestReplay = 10_000
/** Pushes of one person that a login brings again; what is not among them comes after those are confirmed. */
const unconfirmedMost = 1000
/** Clients that are brought on together. */
const togetherMost = 256
/** Bytes in a socket's line from which on it gets no more until the line is empty. */
const lineFull = 256 * 1024

/** The cursor of a client that has not had its answer yet. */
const beforeWelcome = -1

type AnyEvent = ItemEvent | PersonalEvent | SessionEvent | RefetchEvent

interface Prepared extends StoredEvent<AnyEvent> {
  readonly audible: AudibleEvent | undefined
}

interface Frame {
  readonly position: number
  readonly bytes: Buffer
}

type Frames = Map<Client, Frame[]>

interface Client {
  readonly socket: WebSocket
  actor: Actor
  /** The version of departments, roles and settings that the actor was read with. */
  version: number
  /** What is at or before this position has been written, or is not for this client. */
  cursor: number
  /** Of what was before the login only unconfirmed personal pushes count, and events after `replayAfter`. */
  readonly joinedAt: number
  readonly replayAfter: number
  /** Set while its line is full; it is behind once the line is empty. */
  stalled: boolean
  heardAt: number
  beatAt: number
}

/** A login that waits for its answer. */
interface Join {
  readonly socket: WebSocket
  readonly token: string
  readonly last: number | undefined
  readonly epoch: string | undefined
}

/** Starts the channel of this process. */
export function createHub(parts: HubParts): Hub {
  const { db, log, sessions } = parts
  const sockets = new Set<WebSocket>()
  const waitingForLogin = new Map<WebSocket, number>()
  /** Everybody who is logged in. */
  const clients = new Set<Client>()
  /** Those who stand at `newest`; they all were read with a version of at least `liveVersion`. */
  const live: Receivers<Client> = createReceivers()
  let liveVersion = 0
  /** Those who do not, and whose line has room. */
  const behind = new Set<Client>()
  /** The newest position that those who are live have been told of; undefined until the table has been asked once. */
  let newest: number | undefined
  /** Up to where it is being decided for those who are live: whoever joins them has passed it. */
  let frontier = 0
  let stretch = stretchMost
  let reading: Promise<void> | undefined
  let readAgain = false
  let closed = false
  const begun = Promise.withResolvers<void>()

  const encode = (frame: ServerFrame): Buffer => {
    if (parts.strictAnswers) ServerFrameSchema.parse(frame)
    return Buffer.from(JSON.stringify(frame))
  }

  const pushFrame = <N extends PushName>(name: N, position: number, data: PushPayload<N>): ServerFrame => ({
    pushType: pushes[name].type,
    identity: String(position),
    epoch: parts.epoch,
    data,
  })

  const welcome = (position: number, more: { backlog: number; refetch: boolean }): ServerFrame => ({
    pushType: 18,
    identity: '0',
    epoch: parts.epoch,
    data: { serverTime: parts.now(), epoch: parts.epoch, lastIdentity: String(position), ...more },
  })

  const refusal = (code: CodeName): ServerFrame => ({
    pushType: 19,
    identity: '0',
    epoch: parts.epoch,
    data: { code: codes[code].code, msg: codeMessage(code, 'zh') },
  })

  const heartbeat = encode({ pushType: 1, identity: '0', epoch: parts.epoch, data: {} })

  const say = (socket: WebSocket, frame: ServerFrame): void => {
    if (socket.readyState === socket.OPEN) socket.send(encode(frame), { binary: false })
  }

  const isOpen = ({ socket }: Client): boolean => socket.readyState === socket.OPEN

  const forget = (client: Client): void => {
    clients.delete(client)
    live.delete(client)
    behind.delete(client)
  }

  const endSession = (client: Client, elsewhere: boolean): void => {
    forget(client)
    const data = { serverId: 0, time: parts.now() }
    say(client.socket, elsewhere ? pushFrame('loginElsewhere', 0, data) : refusal('notLoggedIn'))
    client.socket.close(4001)
  }

  /** Events after a position, with the version that actors must have to be asked about them. */
  const readAfter = async (
    position: number,
    upTo: number,
    most: number,
  ): Promise<{ events: Prepared[]; version: number }> => {
    const { rows } = await sql<EventRow>`
      select position, created_at, actor_id, payload,
        (select value from stamp where name = 'organisation') as organisation,
        (select value from stamp where name = 'settings') as settings
      from event where position > ${position} and position <= ${upTo} order by position limit ${most}`.execute(db)
    const events = rows.map((row) => ({
      position: row.position,
      at: row.created_at,
      actorId: row.actor_id,
      event: row.payload,
    }))
    const items = events.filter((stored): stored is StoredEvent<ItemEvent> => stored.event.kind === 'item')
    const audible = items.length === 0 ? new Map<number, AudibleEvent>() : await parts.audience(db, items, parts.now())
    return {
      events: events.map((stored) => ({ ...stored, audible: audible.get(stored.position) })),
      version: (rows[0]?.organisation ?? 0) + (rows[0]?.settings ?? 0),
    }
  }

  /** Where a client stands among the events. */
  const readFrom = ({ cursor, replayAfter }: Client): number => Math.max(cursor, replayAfter)

  /** What events are for those who listen, up to an event with which they are many: a frame is made once for all. */
  const decide = (
    receivers: Receivers<Client>,
    events: readonly Prepared[],
  ): { frames: Frames; count: number; to: number } => {
    const frames: Frames = new Map()
    let [count, to] = [0, 0]
    const add = (client: Client, frame: Frame): void => {
      count += 1
      const list = frames.get(client)
      if (list === undefined) frames.set(client, [frame])
      else list.push(frame)
    }
    const tell = (accountIds: readonly number[], frame: Frame, isFor: (client: Client) => boolean): void => {
      for (const accountId of accountIds) {
        for (const client of receivers.ofAccount(accountId)) if (isFor(client)) add(client, frame)
      }
    }
    for (const { event, position, audible } of events) {
      if (count > framesMost) break
      to = position
      if (event.kind === 'item' && audible !== undefined) {
        const made = new Map<string, Frame>()
        let last: { view: unknown; frame: Frame } | undefined
        for (const [client, view] of receivers.views(audible)) {
          if (position <= readFrom(client)) continue
          if (last?.view !== view) {
            const key = JSON.stringify(view)
            const frame = made.get(key) ?? { position, bytes: encode(pushFrame(view.name, position, view.payload)) }
            made.set(key, frame)
            last = { view, frame }
          }
          add(client, last.frame)
        }
      } else if (event.kind === 'personal') {
        const name = personalName(event.pushType)
        if (name === undefined) continue
        const bytes = encode(pushFrame(name, position, event.data as PushPayload<typeof name>))
        // Those from before a login come from their own table: confirmed ones do not come again.
        tell(event.accountIds, { position, bytes }, (client) => position > Math.max(client.cursor, client.joinedAt))
      } else if (event.kind === 'refetch') {
        const bytes = encode(welcome(position, { backlog: 0, refetch: true }))
        tell(event.accountIds, { position, bytes }, (client) => position > readFrom(client))
      }
    }
    return { frames, count, to }
  }

  /** Adds what people have not confirmed, of the time before their login and after their cursor. */
  const addUnconfirmed = async (frames: Frames, group: readonly Client[], upTo: number): Promise<void> => {
    const asking = group.filter((client) => client.cursor < client.joinedAt)
    if (asking.length === 0) return
    const { rows } = await sql<{ n: number; position: number; push_type: number; payload: object }>`
      select a.n, p.position, p.push_type, p.payload
      from unnest(${asking.map(({ actor }) => actor.accountId)}::bigint[], ${asking.map(({ cursor }) => cursor)}::bigint[],
        ${asking.map(({ joinedAt }) => Math.min(joinedAt, upTo))}::bigint[])
        with ordinality a (account_id, after, up_to, n)
      cross join lateral (
        select position, push_type, payload from personal_push
        where account_id = a.account_id and position > a.after and position <= a.up_to
        order by position limit ${unconfirmedMost}) p`.execute(db)
    const touched = new Set<Frame[]>()
    for (const { n, position, push_type, payload } of rows) {
      const client = asking[n - 1]
      const name = personalName(push_type)
      if (client === undefined || name === undefined) continue
      const list = frames.get(client) ?? []
      frames.set(client, list)
      list.push({ position, bytes: encode(pushFrame(name, position, payload as PushPayload<typeof name>)) })
      touched.add(list)
    }
    for (const list of touched) list.sort((a, b) => a.position - b.position)
  }

  /** Writes to a client as long as its line has room. Once it has not, the client waits for its line and is then behind. */
  const write = (client: Client, frames: readonly Frame[]): void => {
    const { socket } = client
    for (const { position, bytes } of frames) {
      if (!isOpen(client)) return
      if (position <= client.cursor) continue
      client.cursor = position
      if (socket.bufferedAmount + bytes.length < lineFull) {
        socket.send(bytes, { binary: false })
        continue
      }
      live.delete(client)
      client.stalled = true
      socket.send(bytes, { binary: false }, () => {
        client.stalled = false
        place(client)
      })
      return
    }
  }

  /**
   * Writes to those whose sessions hold, and ends the others. Answers false, and may have written to some, once
   * departments, roles or settings are not those that it was decided with: then it is decided anew from the cursors.
   */
  const deliver = async (frames: Frames, version: number): Promise<boolean> => {
    const all = [...frames]
    for (let at = 0; at < all.length; at += checkedAtOnce) {
      if (at > 0) await setImmediate()
      const some = all.slice(at, at + checkedAtOnce)
      const holding = await sessions.holding(
        some.map(([{ actor }]) => actor.sessionId),
        parts.now(),
      )
      for (const [client, list] of some) {
        if (!holding.held.has(client.actor.sessionId)) endSession(client, false)
        else if (holding.version === version) write(client, list)
        else return false
      }
    }
    return true
  }

  /** Reads again who those are who are live. */
  const readActors = async (): Promise<void> => {
    const asked = [...live]
    const { version, actors } = await sessions.byIds(
      asked.map(({ actor }) => actor.sessionId),
      parts.now(),
    )
    for (const client of asked) {
      const actor = actors.get(client.actor.sessionId)
      if (!live.has(client)) continue
      if (actor === undefined) {
        endSession(client, false)
        continue
      }
      // The index must find the client where its old departments and roles are.
      live.delete(client)
      client.actor = actor
      client.version = version
      live.add(client)
    }
    liveVersion = version
    // Whoever joined meanwhile may have been read before.
    for (const client of [...live]) {
      if (client.version >= version) continue
      live.delete(client)
      place(client)
    }
  }

  const readPlace = async (): Promise<{ place: number; oldest: number | null }> => {
    const { rows } = await sql<{ place: number; oldest: number | null }>`
      select value as place, (select min(position) from event) as oldest from stamp where name = 'event'`.execute(db)
    return rows[0] ?? { place: 0, oldest: null }
  }

  /** Closes the sockets of sessions that have ended, wherever they stand. */
  const endSessions = (events: readonly Prepared[]): void => {
    const ended = new Map<number, boolean>()
    for (const { event } of events) {
      if (event.kind === 'session') for (const id of event.sessionIds) ended.set(id, event.elsewhere)
    }
    if (ended.size === 0) return
    for (const client of [...clients]) {
      const elsewhere = ended.get(client.actor.sessionId)
      if (elsewhere !== undefined) endSession(client, elsewhere)
    }
  }

  const readNew = async (): Promise<void> => {
    if (newest === undefined) {
      newest = frontier = (await readPlace()).place
      begun.resolve()
    }
    do {
      readAgain = false
      if (clients.size === 0) {
        // Nobody listens: only the place is kept, unless somebody comes meanwhile, who may stand before it.
        const { place } = await readPlace()
        if (clients.size === 0) newest = frontier = Math.max(frontier, place)
        else readAgain = true
        continue
      }
      while (!closed) {
        const { events, version } = await readAfter(newest, Number.MAX_SAFE_INTEGER, stretch)
        const last = events.at(-1)
        if (last === undefined) break
        if (live.size > 0 && version !== liveVersion) await readActors()
        endSessions(events)
        const { frames, count, to } = decide(live, events)
        frontier = Math.max(frontier, to)
        if (!(await deliver(frames, liveVersion))) continue
        newest = to
        if (count > framesMost) stretch = Math.max(1, stretch >> 1)
        else if (count < framesMost / 4) stretch = Math.min(stretchMost, stretch * 2)
      }
    } while (readAgain && !closed)
  }

  const wake = (): void => {
    if (closed) return
    readAgain = true
    reading ??= readNew().then(
      () => {
        reading = undefined
        // Asked for between the last look and now.
        if (readAgain) wake()
      },
      (error: unknown) => {
        reading = undefined
        log.error({ err: error }, 'events could not be read; it is tried again')
      },
    )
  }

  /** Puts a client where it belongs by what has been written to it. */
  const place = (client: Client): void => {
    if (!isOpen(client) || !clients.has(client)) return forget(client)
    if (client.stalled) return
    if (live.size === 0 && client.cursor >= frontier) liveVersion = client.version
    if (client.cursor >= frontier && client.version >= liveVersion) live.add(client)
    else {
      behind.add(client)
      catchUp()
    }
  }

  /** Brings some of those who are behind one stretch further. */
  const bringOn = async (group: readonly Client[]): Promise<void> => {
    for (const client of group) behind.delete(client)
    try {
      const from = Math.min(...group.map(readFrom))
      // Read after the actors: what it is decided with is at least as old as what is decided.
      const { version, actors } = await sessions.byIds(
        group.map(({ actor }) => actor.sessionId),
        parts.now(),
      )
      for (const client of group) {
        const actor = actors.get(client.actor.sessionId)
        if (actor === undefined) endSession(client, false)
        else Object.assign(client, { actor, version })
      }
      const begunAt = frontier
      const { events } = await readAfter(from, Number.MAX_SAFE_INTEGER, stretchMost)
      // Old events end: where none is left, everything up to the place of the others has been read.
      const present = group.filter((client) => clients.has(client))
      const { frames, to: decided } = decide(createReceivers(present), events)
      const to = events.length === 0 ? Math.max(from, begunAt) : decided
      const reached = present.filter((client) => readFrom(client) <= to)
      await addUnconfirmed(frames, reached, to)
      const isDone = await deliver(frames, version)
      for (const client of group) {
        if (isDone && !client.stalled && reached.includes(client)) client.cursor = Math.max(client.cursor, to)
        place(client)
      }
    } catch (error) {
      for (const client of group) if (clients.has(client) && !client.stalled) behind.add(client)
      throw error
    }
  }

  let catchingUp = false
  const catchUp = (): void => {
    if (catchingUp || closed) return
    catchingUp = true
    const run = async (): Promise<void> => {
      await setImmediate()
      while (behind.size > 0 && !closed) {
        await bringOn([...behind].sort((a, b) => readFrom(a) - readFrom(b)).slice(0, togetherMost))
      }
    }
    run()
      .catch((error: unknown) => log.error({ err: error }, 'those who are behind are brought on later'))
      .finally(() => {
        catchingUp = false
      })
  }

  const enter = (join: Join, actor: Actor, version: number, at: { joinedAt: number; replayAfter: number }): Client => {
    const heardAt = parts.steady()
    const client: Client = {
      socket: join.socket,
      actor,
      version,
      cursor: beforeWelcome,
      ...at,
      stalled: false,
      heardAt,
      // Those who come together do not all get their heartbeats together.
      beatAt: heardAt + limits.heartbeatMs * Math.random(),
    }
    clients.add(client)
    return client
  }

  /** How much follows the logins of those for whom anything does. */
  const countBacklog = async (group: readonly Client[], joinedAt: number): Promise<Map<Client, number>> => {
    const backlog = new Map<Client, number>()
    const count = (frames: Frames): void => {
      for (const [client, list] of frames) backlog.set(client, (backlog.get(client) ?? 0) + list.length)
    }
    const receivers = createReceivers(group)
    for (let at = Math.min(...group.map(readFrom)); at < joinedAt; ) {
      const { events } = await readAfter(at, joinedAt, stretchMost)
      const { frames, to } = decide(receivers, events)
      count(frames)
      at = events.length === 0 ? joinedAt : to
    }
    const unconfirmed: Frames = new Map()
    await addUnconfirmed(unconfirmed, group, joinedAt)
    count(unconfirmed)
    return backlog
  }

  /** Answers logins together: who they are, how much follows, and what follows. */
  const joinAll = async (joins: readonly Join[]): Promise<Outcome<Client>[]> => {
    await begun.promise
    const { place: joinedAt, oldest } = await readPlace()
    // Read after the place they join at: a session that ends later has its event behind that place.
    const { version, actors } = await sessions.byTokens(
      joins.map(({ token }) => token),
      parts.now(),
    )
    const refetch = new Set<Client>()
    const outcomes = joins.map((join): Outcome<Client> => {
      const actor = actors.get(join.token) ?? 'notLoggedIn'
      if (typeof actor === 'string') return { error: new ResultError(actor) }
      const { last } = join
      const isKnown = last !== undefined && join.epoch === parts.epoch && last <= joinedAt
      const isReplayed = isKnown && last >= (oldest ?? joinedAt + 1) - 1 && joinedAt - last <= longestReplay
      const client = enter(join, actor, version, { joinedAt, replayAfter: isReplayed ? last : joinedAt })
      if (last !== undefined && !isReplayed) refetch.add(client)
      return { value: client }
    })
    const group = outcomes.flatMap((outcome) => ('value' in outcome ? outcome.value : []))
    try {
      const backlog = await countBacklog(group, joinedAt)
      const frames = new Map(
        group.map((client): [Client, Frame[]] => {
          const more = { backlog: backlog.get(client) ?? 0, refetch: refetch.has(client) }
          return [client, [{ position: 0, bytes: encode(welcome(joinedAt, more)) }]]
        }),
      )
      await deliver(frames, version)
      for (const client of group) {
        if (client.cursor === beforeWelcome) continue
        // What follows is decided anew when it is written: counting it may have taken long.
        if (!backlog.has(client)) client.cursor = joinedAt
        place(client)
      }
    } catch (error) {
      for (const client of group) forget(client)
      throw error
    }
    return again(joins, outcomes)
  }

  /** Lets those log in once more during whose login departments, roles or settings have changed. */
  const again = async (joins: readonly Join[], outcomes: Outcome<Client>[]): Promise<Outcome<Client>[]> => {
    const left = [...outcomes.entries()].flatMap(([n, outcome]) => {
      if (!('value' in outcome) || outcome.value.cursor !== beforeWelcome || !clients.has(outcome.value)) return []
      forget(outcome.value)
      const join = joins[n]
      return join === undefined || !isOpen(outcome.value) ? [] : { n, join }
    })
    if (left.length === 0) return outcomes
    const next = await joinAll(left.map(({ join }) => join))
    for (const [at, { n }] of left.entries()) outcomes[n] = next[at] ?? { error: new ResultError('serverException') }
    return outcomes
  }

  // Whoever was away for long holds up only those who were, too.
  const together = { most: togetherMost, atOnce: 1 }
  const [joinSoon, joinLong] = [gathered(together, joinAll), gathered(together, joinAll)]
  const login = (join: Join): Promise<Client> =>
    join.last !== undefined && (newest ?? 0) - join.last > stretchMost ? joinLong(join) : joinSoon(join)

  parts.fanout.subscribe(eventsTopic, wake)
  wake()

  /** Keeps those alive who answer, gives up those who do not, and ends those whose session ended without a word. */
  const beat = async (): Promise<void> => {
    const now = parts.steady()
    for (const [socket, openedAt] of waitingForLogin) if (now - openedAt > loginWithinMs) socket.close(4000)
    const due: Client[] = []
    for (const client of clients) {
      if (now - client.heardAt > limits.heartbeatLostMs) client.socket.terminate()
      else if (client.beatAt <= now) due.push(client)
    }
    for (const client of due) {
      client.beatAt = now + limits.heartbeatMs
      client.socket.ping()
      if (client.socket.bufferedAmount < lineFull) client.socket.send(heartbeat, { binary: false })
    }
    for (let at = 0; at < due.length; at += checkedAtOnce) {
      const some = due.slice(at, at + checkedAtOnce)
      const { held } = await sessions.holding(
        some.map(({ actor }) => actor.sessionId),
        parts.now(),
      )
      for (const client of some) {
        if (clients.has(client) && !held.has(client.actor.sessionId)) endSession(client, false)
      }
    }
  }

  const ticking = setInterval(() => {
    wake()
    if (behind.size > 0) catchUp()
    beat().catch((error: unknown) => log.error({ err: error }, 'sessions of sockets could not be read'))
  }, tickMs)

  return {
    wake,
    get size() {
      return clients.size
    },
    accept(socket, cookieToken) {
      sockets.add(socket)
      waitingForLogin.set(socket, parts.steady())
      let client: Client | undefined
      const refuse = (code: CodeName, status: number): void => {
        say(socket, refusal(code))
        socket.close(status)
      }
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        sockets.delete(socket)
        waitingForLogin.delete(socket)
        if (client !== undefined) forget(client)
      })
      socket.on('pong', () => {
        if (client !== undefined) client.heardAt = parts.steady()
      })
      socket.on('message', (bytes: Buffer) => {
        if (client !== undefined) client.heardAt = parts.steady()
        const frame = parseFrame(bytes)
        const isNew = waitingForLogin.has(socket)
        if (frame?.cmd === 'heartbeat' && !isNew) return
        if (frame?.cmd !== 'login' || !isNew) return refuse('badRequest', 4002)
        waitingForLogin.delete(socket)
        const token = frame.token === undefined || frame.token === '' ? cookieToken : frame.token
        if (token === undefined) return refuse('notLoggedIn', 4001)
        login({
          socket,
          token,
          last: frame.lastIdentity === undefined || frame.lastIdentity === '' ? undefined : Number(frame.lastIdentity),
          epoch: frame.epoch,
        }).then(
          (joined) => {
            client = joined
            if (socket.readyState !== socket.OPEN) forget(joined)
          },
          (error: unknown) => {
            if (!(error instanceof ResultError)) log.error({ err: error }, 'a push login failed')
            refuse(error instanceof ResultError ? error.code : 'serverException', 4001)
          },
        )
      })
    },
    async close() {
      closed = true
      clearInterval(ticking)
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
  readonly organisation: number
  readonly settings: number
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
