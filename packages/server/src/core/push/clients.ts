/*
 * Everybody who is logged in, and where they stand: live, which is where the events end, or behind. Every frame to them
 * leaves by here, right after their sessions have been checked.
 */
import { setImmediate } from 'node:timers/promises'
import type { PushOf } from '@cloudoc/contract'
import type { AccountActor } from '../actor.ts'
import { closeCodes, type Line, send, write as writeTo } from './connections.ts'
import type { Frame, Subscriber } from './delivery.ts'
import type { Frames } from './frames.ts'
import type { HubParts } from './parts.ts'
import { createReceivers, type Receivers } from './receivers.ts'

/** Receivers whose sessions are asked for at once, right before they are written to. */
export const sessionCheckBatch = 500
/** Bytes that wait in a socket from which on it gets no more until it is empty. */
export const bufferedMost = 256 * 1024

/** The cursor of a client that has not had its answer yet. */
export const beforeWelcome = -1

export interface Client extends Subscriber, Line {
  readonly address: string
  actor: AccountActor
  /** The version of departments, roles and settings that the actor was read with. */
  version: number
  cursor: number
  /** Since when its socket's buffer is full; it is behind once that is empty. */
  stalledAt: number | undefined
  /** When its session was found to hold no more: from then on it is told nothing but why. */
  endedAt?: number
  heardAt: number
  heartbeatAt: number
}

export interface Clients {
  readonly all: Set<Client>
  /** Those who stand where the events end; they all were read with a version of at least `liveVersion`. */
  readonly live: Receivers<Client>
  liveVersion: number
  /** Up to where it is being decided for those who are live: whoever joins them has passed it. */
  frontier: number
  /** Those who do not, and whose socket takes more. */
  readonly behind: Set<Client>
  /** Puts a client where it belongs by what has been written to it. */
  place(client: Client): void
  forget(client: Client): void
  /** Closes a client's socket and says why. */
  endSession(client: Client, elsewhere: boolean): void
  /** Tells a client nothing more; the event that ends its session says why, and where none comes, time does. */
  silence(client: Client): void
  /**
   * Writes to those whose sessions hold, and silences the others. Answers false, and may have written to some, once
   * departments, roles or settings are not those that it was decided with: then it is decided anew from the cursors.
   */
  deliver(toSend: ReadonlyMap<Client, readonly Frame[]>, version: number): Promise<boolean>
}

/** What the parts of the channel work with. */
export interface Channel extends HubParts {
  readonly frames: Frames
  readonly clients: Clients
  /** Aborted when the channel closes. */
  readonly closing: AbortSignal
}

/** Nobody yet; `fellBehind` is told whenever somebody does. */
export function createClients(
  { frames, sessions, now, steady }: Pick<Channel, 'frames' | 'sessions' | 'now' | 'steady'>,
  fellBehind: () => void,
): Clients {
  /** Writes to a client as long as its socket takes more. Once it does not, the client waits for it and is then behind. */
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
      // Where nobody has listened for a while the frontier lags: who joined beyond it is still owed what was before that.
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
    endSession(client, elsewhere) {
      clients.forget(client)
      const told: PushOf<'loginElsewhere'> = { name: 'loginElsewhere', payload: { serverId: 0, time: now() } }
      send(client, elsewhere ? frames.push(told, 0) : frames.refusal('notLoggedIn'))
      client.socket.close(closeCodes.noSession)
    },
    silence(client) {
      // Nobody who is still logging in was told of a session that could end.
      if (client.cursor === beforeWelcome) return clients.endSession(client, false)
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
