/*
 * The live channel (decisions "JSON channel"). Clients whose socket has room are live: they share one position, and one
 * reader for the whole process advances them (live.ts). It reads a batch of events, determines the recipients once,
 * checks in one statement which of those sessions are still valid, and writes. Clients that cannot follow, because
 * their buffer is full or they have just connected, are behind. They are advanced in batches in the same manner
 * (catch-up.ts) until they reach the others. The number of statements therefore depends on the events, not on the
 * number of clients, and no client waits for another.
 *
 * Decisions are not cached: what is written after a wait is read and decided after it. Right before each write, the
 * session and the versions of departments, roles and settings are compared with those of the decision. If they differ,
 * the recipients are determined again.
 */
import { noIdentity } from '@cloudoc/contract'
import type { AccountActor } from '../actor.ts'
import { createCatchUp } from './catch-up.ts'
import { beforeWelcome, bufferedMost, type Channel, createClients } from './clients.ts'
import { type Connections, createConnections, send } from './connections.ts'
import { createFrames, type PushMessage } from './frames.ts'
import { sendHeartbeats } from './heartbeat.ts'
import { createLiveReader } from './live-reader.ts'
import { createLogins } from './logins.ts'
import type { HubParts } from './parts.ts'

export interface Hub extends Pick<Connections, 'accept'> {
  /** Looks for new events now. */
  wake(): void
  readonly size: number
  /** Accounts that have logged in. */
  present(): ReadonlySet<number>
  /** The connected actors by session, as last read. */
  listening(): ReadonlyMap<number, AccountActor>
  /** Sends a push once to the given sessions, if they are valid and their sockets accept data. */
  say(sessionIds: ReadonlySet<number>, push: PushMessage): Promise<void>
  close(): Promise<void>
}

export const eventsTopic = 'cloudoc_events'

const tickMs = 1000

/** Starts the channel of this process. */
export function createHub(parts: HubParts): Hub {
  const { log, steady } = parts
  const closing = new AbortController()
  const frames = createFrames(parts)
  const clients = createClients({ ...parts, frames }, () => catchUp())
  const channel: Channel = { ...parts, frames, clients, closing: closing.signal }
  const catchUp = createCatchUp(channel)
  const live = createLiveReader(channel)
  const login = createLogins(channel, live)
  const connections = createConnections({ log, frames, steady, login, left: (client) => clients.forget(client) })

  /** Wakes the reader after a change. Does nothing while no client is connected. */
  const wake = (): void => {
    if (clients.all.size > 0) live.poll()
  }
  parts.fanout.subscribe(eventsTopic, wake)
  live.poll()

  const ticking = setInterval(() => {
    live.poll()
    if (clients.behind.size > 0) catchUp()
    connections.tidy()
    sendHeartbeats(channel).catch((error: unknown) => {
      log.error({ err: error }, 'sessions of sockets could not be read')
    })
  }, tickMs)

  return {
    wake,
    get size() {
      return clients.all.size
    },
    present: () => new Set([...clients.all].map(({ actor }) => actor.accountId)),
    listening: () => new Map([...clients.all].map(({ actor }) => [actor.sessionId, actor])),
    async say(sessionIds, push) {
      const { held } = await parts.sessions.stillValid([...sessionIds], parts.now())
      const bytes = frames.push(push, Number(noIdentity))
      for (const client of clients.all) {
        const { actor, cursor, socket } = client
        if (!held.has(actor.sessionId) || client.endedAt !== undefined || cursor === beforeWelcome) continue
        if (socket.bufferedAmount + bytes.json.length < bufferedMost) send(client, bytes)
      }
    },
    accept: (socket, opened) => connections.accept(socket, opened),
    async close() {
      closing.abort()
      clearInterval(ticking)
      connections.close()
      await live.settled()
      connections.terminate()
    },
  }
}
