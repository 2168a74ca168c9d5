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
import type { PushCatalogue, PushOf } from '@cloudoc/contract'
import { type CodeName, limits, ResultError } from '@cloudoc/domain'
import type { WebSocket } from 'ws'
import type { Actor } from '../actor.ts'
import type { Db } from '../db/database.ts'
import type { Fanout } from '../fanout.ts'
import { gathered, type Outcome } from '../gather.ts'
import type { Log } from '../log.ts'
import type { Audiences } from './audience.ts'
import { createDoor, type Door, type Join, say } from './door.ts'
import { createFrames } from './frames.ts'
import { createReceivers, type Receivers } from './receivers.ts'
import {
  addUnconfirmed,
  decide,
  type Follower,
  type Frame,
  framesMost,
  type Prepared,
  readAfter,
  readFrom,
  readPlace,
  stretchMost,
} from './stretches.ts'

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
  /** The pushes that this server sends. */
  readonly pushes: PushCatalogue
  readonly audiences: Audiences
  readonly sessions: HubSessions
  readonly strictAnswers: boolean
}

export interface Hub extends Pick<Door, 'accept'> {
  /** Looks for new events now. */
  wake(): void
  readonly size: number
  close(): Promise<void>
}

export const eventsTopic = 'cloudoc_events'

const tickMs = 1000
/**
 * How long a channel whose session no longer holds waits, silent, for the event that says why. It follows within
 * moments; a session that has expired has none.
 */
export const endedAfterMs = 3000
/** Receivers whose sessions are asked for at once, right before they are written to. */
const checkedAtOnce = 500
/** Replay goes this far back; beyond it the client fetches again. */
const longestReplay = 10_000
/** Clients that are brought on together. */
const togetherMost = 256
/** Bytes in a socket's line from which on it gets no more until the line is empty. */
const lineFull = 256 * 1024

/** The cursor of a client that has not had its answer yet. */
const beforeWelcome = -1

interface Client extends Follower {
  readonly socket: WebSocket
  actor: Actor
  /** The version of departments, roles and settings that the actor was read with. */
  version: number
  cursor: number
  /** Set while its line is full; it is behind once the line is empty. */
  stalled: boolean
  /** When its session was found to hold no more: from then on it is told nothing but why. */
  endedAt?: number
  heardAt: number
  beatAt: number
}

/** Starts the channel of this process. */
export function createHub(parts: HubParts): Hub {
  const { db, log, sessions } = parts
  const frames = createFrames(parts)
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

  const isOpen = ({ socket }: Client): boolean => socket.readyState === socket.OPEN

  const forget = (client: Client): void => {
    clients.delete(client)
    live.delete(client)
    behind.delete(client)
  }

  const endSession = (client: Client, elsewhere: boolean): void => {
    forget(client)
    const told: PushOf<'loginElsewhere'> = { name: 'loginElsewhere', payload: { serverId: 0, time: parts.now() } }
    say(client.socket, elsewhere ? frames.push(told, 0) : frames.refusal('notLoggedIn'))
    client.socket.close(4001)
  }

  /** Tells a client nothing more; the event that ends its session says why, and where none comes, time does. */
  const silence = (client: Client): void => {
    // Nobody who is still logging in was told of a session that could end.
    if (client.cursor === beforeWelcome) return endSession(client, false)
    live.delete(client)
    behind.delete(client)
    client.endedAt ??= parts.steady()
  }

  /** Writes to a client as long as its line has room. Once it has not, the client waits for its line and is then behind. */
  const write = (client: Client, list: readonly Frame[]): void => {
    const { socket } = client
    for (const { position, bytes } of list) {
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
   * Writes to those whose sessions hold, and silences the others. Answers false, and may have written to some, once
   * departments, roles or settings are not those that it was decided with: then it is decided anew from the cursors.
   */
  const deliver = async (toSend: ReadonlyMap<Client, readonly Frame[]>, version: number): Promise<boolean> => {
    const all = [...toSend]
    for (let at = 0; at < all.length; at += checkedAtOnce) {
      if (at > 0) await setImmediate()
      const some = all.slice(at, at + checkedAtOnce)
      const holding = await sessions.holding(
        some.map(([{ actor }]) => actor.sessionId),
        parts.now(),
      )
      for (const [client, list] of some) {
        if (!holding.held.has(client.actor.sessionId)) silence(client)
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
        silence(client)
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
      newest = frontier = (await readPlace(db)).place
      begun.resolve()
    }
    do {
      readAgain = false
      if (clients.size === 0) {
        // Nobody listens: only the place is kept, unless somebody comes meanwhile, who may stand before it.
        const { place } = await readPlace(db)
        if (clients.size === 0) newest = frontier = Math.max(frontier, place)
        else readAgain = true
        continue
      }
      while (!closed) {
        const { events, version } = await readAfter(parts, newest, { most: stretch })
        const last = events.at(-1)
        if (last === undefined) break
        if (live.size > 0 && version !== liveVersion) await readActors()
        endSessions(events)
        const { frames: toSend, count, to } = decide(frames, live, events)
        frontier = Math.max(frontier, to)
        if (!(await deliver(toSend, liveVersion))) continue
        newest = to
        if (count > framesMost) stretch = Math.max(1, stretch >> 1)
        else if (count < framesMost / 4) stretch = Math.min(stretchMost, stretch * 2)
      }
    } while (readAgain && !closed)
  }

  const look = (): void => {
    if (closed) return
    readAgain = true
    reading ??= readNew().then(
      () => {
        reading = undefined
        // Asked for between the last look and now.
        if (readAgain) look()
      },
      (error: unknown) => {
        reading = undefined
        log.error({ err: error }, 'events could not be read; it is tried again')
      },
    )
  }

  /** Something has happened: of no interest while nobody listens. */
  const wake = (): void => {
    if (clients.size > 0) look()
  }

  /** Puts a client where it belongs by what has been written to it. */
  const place = (client: Client): void => {
    if (!isOpen(client) || !clients.has(client)) return forget(client)
    if (client.stalled || client.endedAt !== undefined) return
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
        if (actor === undefined) silence(client)
        else Object.assign(client, { actor, version })
      }
      const begunAt = frontier
      const { events } = await readAfter(parts, from)
      // Old events end: where none is left, everything up to the place of the others has been read.
      const present = group.filter((client) => clients.has(client) && client.endedAt === undefined)
      const { frames: toSend, to: decided } = decide(frames, createReceivers(present), events)
      const to = events.length === 0 ? Math.max(from, begunAt) : decided
      const reached = present.filter((client) => readFrom(client) <= to)
      await addUnconfirmed(db, frames, toSend, reached, to)
      const isDone = await deliver(toSend, version)
      for (const client of group) {
        if (isDone && !client.stalled && reached.includes(client)) client.cursor = Math.max(client.cursor, to)
        place(client)
      }
    } catch (error) {
      for (const client of group) place(client)
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
    const count = (toSend: ReadonlyMap<Client, readonly Frame[]>): void => {
      for (const [client, list] of toSend) backlog.set(client, (backlog.get(client) ?? 0) + list.length)
    }
    const receivers = createReceivers(group)
    for (let at = Math.min(...group.map(readFrom)); at < joinedAt; ) {
      const { events } = await readAfter(parts, at, { upTo: joinedAt })
      const { frames: toSend, to } = decide(frames, receivers, events)
      count(toSend)
      at = events.length === 0 ? joinedAt : to
    }
    const unconfirmed = new Map<Client, Frame[]>()
    await addUnconfirmed(db, frames, unconfirmed, group, joinedAt)
    count(unconfirmed)
    return backlog
  }

  /** Answers logins together: who they are, how much follows, and what follows. */
  const joinAll = async (joins: readonly Join[]): Promise<Outcome<Client>[]> => {
    await begun.promise
    const { place: joinedAt, oldest } = await readPlace(db)
    // Read after the place they join at: a session that ends later has its event behind that place.
    const { version, actors } = await sessions.byTokens(
      joins.map(({ token }) => token),
      parts.now(),
    )
    const refetch = new Set<Client>()
    const outcomes = joins.map((join): Outcome<Client> => {
      const actor = actors.get(join.token) ?? 'notLoggedIn'
      if (typeof actor === 'string') return { error: new ResultError(actor) }
      if ((join.accountId ?? actor.accountId) !== actor.accountId) return { error: new ResultError('notLoggedIn') }
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
      const welcomes = new Map(
        group.map((client): [Client, Frame[]] => {
          const more = { backlog: backlog.get(client) ?? 0, refetch: refetch.has(client) }
          return [client, [{ position: 0, bytes: frames.welcome(joinedAt, more) }]]
        }),
      )
      await deliver(welcomes, version)
      for (const client of group) {
        if (client.cursor === beforeWelcome) continue
        // What follows is decided anew when it is written: counting it may have taken long.
        if (!backlog.has(client)) client.cursor = joinedAt
        place(client)
      }
      // What happened during the login of the first one woke nobody.
      look()
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

  const door = createDoor({ log, frames, steady: parts.steady, login, left: forget })

  parts.fanout.subscribe(eventsTopic, wake)
  look()

  /** Keeps those alive who answer, gives up those who do not, and ends those whose session ended and nothing said why. */
  const beat = async (): Promise<void> => {
    const now = parts.steady()
    door.tidy()
    const due: Client[] = []
    for (const client of clients) {
      if (client.endedAt !== undefined) {
        if (now - client.endedAt >= endedAfterMs) endSession(client, false)
      } else if (now - client.heardAt > limits.heartbeatLostMs) client.socket.terminate()
      else if (client.beatAt <= now && client.cursor !== beforeWelcome) due.push(client)
    }
    for (const client of due) {
      client.beatAt = now + limits.heartbeatMs
      client.socket.ping()
      if (client.socket.bufferedAmount < lineFull) client.socket.send(frames.heartbeat, { binary: false })
    }
    for (let at = 0; at < due.length; at += checkedAtOnce) {
      const some = due.slice(at, at + checkedAtOnce)
      const { held } = await sessions.holding(
        some.map(({ actor }) => actor.sessionId),
        parts.now(),
      )
      for (const client of some) {
        if (clients.has(client) && !held.has(client.actor.sessionId)) silence(client)
      }
    }
  }

  const ticking = setInterval(() => {
    look()
    if (behind.size > 0) catchUp()
    beat().catch((error: unknown) => log.error({ err: error }, 'sessions of sockets could not be read'))
  }, tickMs)

  return {
    wake,
    get size() {
      return clients.size
    },
    accept(socket, cookieToken) {
      door.accept(socket, cookieToken)
    },
    async close() {
      closed = true
      clearInterval(ticking)
      door.close()
      await reading
      door.terminate()
    },
  }
}
