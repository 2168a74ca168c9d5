/*
 * All logged-in clients and their state: live, at the end of the events, or behind. Every frame is sent from this
 * module, right after the session was checked.
 */
import { setImmediate } from 'node:timers/promises'
import type { PushOf } from '@cloudoc/contract'
import type { AccountActor } from '../actor.ts'
import type { SessionEvent } from '../events.ts'
import { closeCodes, type Line, send, write as writeTo } from './connections.ts'
import type { Frame, Subscriber } from './delivery.ts'
import type { Frames } from './frames.ts'
import type { HubParts } from './parts.ts'
import { createReceivers, type Receivers } from './receivers.ts'

/** Number of receivers whose sessions are checked in one query, right before they are written to. */
export const sessionCheckBatch = 500
/** Buffered bytes of a socket from which on it receives nothing until the buffer is empty. */
export const bufferedMost = 256 * 1024

/** The cursor of a client whose login is not answered yet. */
export const beforeWelcome = -1

export interface Client extends Subscriber, Line {
  readonly address: string
  actor: AccountActor
  /** The version of departments, roles and settings that the actor was read with. */
  version: number
  cursor: number
  /** When the socket's buffer became full. The client is behind once the buffer is empty. */
  stalledAt: number | undefined
  /** When its session was found to be invalid. From then on it receives only the reason. */
  endedAt?: number
  heardAt: number
  heartbeatAt: number
}

export interface Clients {
  readonly all: Set<Client>
  /** The clients at the end of the events. All were read with a version of at least `liveVersion`. */
  readonly live: Receivers<Client>
  liveVersion: number
  /**
   * The position up to which recipients are being determined for live clients. A client that becomes live has passed
   * it.
   */
  frontier: number
  /** The clients that are not live and whose socket accepts data. */
  readonly behind: Set<Client>
  /** Moves a client to live or behind, by what has been written to it. */
  place(client: Client): void
  forget(client: Client): void
  /** Closes a client's socket with the reason. */
  endSession(client: Client, end: Pick<SessionEvent, 'elsewhere' | 'agent'>): void
  /**
   * Sends a client nothing more. The event that ends its session gives the reason. If no event comes, a timeout closes
   * it.
   */
  silence(client: Client): void
  /**
   * Writes to clients with a valid session, and silences the others. Returns false, possibly after writing to some, if
   * departments, roles or settings differ from those the decision used. Then recipients must be determined again from
   * the cursors.
   */
  deliver(toSend: ReadonlyMap<Client, readonly Frame[]>, version: number): Promise<boolean>
}

/** What the modules of the channel share. */
export interface Channel extends HubParts {
  readonly frames: Frames
  readonly clients: Clients
  /** Aborted when the channel closes. */
  readonly closing: AbortSignal
}

/** Creates the set of clients, which is empty. `fellBehind` is called whenever a client falls behind. */
export function createClients(
  { frames, sessions, now, steady }: Pick<Channel, 'frames' | 'sessions' | 'now' | 'steady'>,
  fellBehind: () => void,
): Clients {
  /**
   * Writes to a client as long as its socket accepts data. Otherwise the client waits for its socket and is then
   * behind.
   */
  const write = (client: Client, list: readonly Frame[]): void => {
    const { socket } = client
    for (const { position, bytes } of list) {
      if (!isOpen(client)) return
      if (position <= client.cursor) continue
      client.cursor = position
      if (socket.bufferedAmount + bytes.json.length < bufferedMost) {
        writeTo(client, bytes)
        continue
      }
      clients.live.delete(client)
      client.stalledAt = steady()
      writeTo(client, bytes, () => {
        client.stalledAt = undefined
        clients.place(client)
      })
      return
    }
  }

  const clients: Clients = {
    all: new Set(),
    live: createReceivers(),
    liveVersion: 0,
    frontier: 0,
    behind: new Set(),
    place(client) {
      if (!isOpen(client) || !clients.all.has(client)) return clients.forget(client)
      if (client.stalledAt !== undefined || client.endedAt !== undefined) return
      // The frontier lags if nobody has listened for a while. A client that joined beyond it must still receive what
      // was before that.
      const hasPassed = client.cursor >= Math.max(clients.frontier, client.joinedAt)
      if (clients.live.size === 0 && hasPassed) clients.liveVersion = client.version
      if (hasPassed && client.version >= clients.liveVersion) clients.live.add(client)
      else {
        clients.behind.add(client)
        fellBehind()
      }
    },
    forget(client) {
      clients.all.delete(client)
      clients.live.delete(client)
      clients.behind.delete(client)
    },
    endSession(client, { elsewhere, agent }) {
      clients.forget(client)
      const payload = { serverId: 0, time: now(), ...(agent !== undefined && { agent }) }
      const told: PushOf<'loginElsewhere'> = { name: 'loginElsewhere', payload }
      send(client, elsewhere ? frames.push(told, 0) : frames.refusal('notLoggedIn'))
      client.socket.close(closeCodes.noSession)
    },
    silence(client) {
      // A client that is still logging in has received nothing about a session that could end.
      if (client.cursor === beforeWelcome) return clients.endSession(client, { elsewhere: false })
      clients.live.delete(client)
      clients.behind.delete(client)
      client.endedAt ??= steady()
    },
    async deliver(toSend, version) {
      const all = [...toSend]
      for (let at = 0; at < all.length; at += sessionCheckBatch) {
        if (at > 0) await setImmediate()
        const some = all.slice(at, at + sessionCheckBatch)
        const holding = await sessions.stillValid(
          some.map(([{ actor }]) => actor.sessionId),
          now(),
        )
        for (const [client, list] of some) {
          if (!holding.held.has(client.actor.sessionId)) clients.silence(client)
          else if (holding.version === version) write(client, list)
          else return false
        }
      }
      return true
    },
  }
  return clients
}

export function isOpen({ socket }: Pick<Client, 'socket'>): boolean {
  return socket.readyState === socket.OPEN
}
