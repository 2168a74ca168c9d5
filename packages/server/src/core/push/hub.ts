/*
 * The live channel (decisions "JSON channel"). Everybody whose socket has room is live: they stand at the same position, and
 * one reader for the whole process brings them on together (live.ts): it reads a batch of events, decides once who hears of
 * what, asks in one statement which of those sessions still hold, and writes. Whoever cannot follow, because their socket's
 * buffer is full or because they have just come, is behind: those who are behind are brought on together in the same way
 * (catch-up.ts), until they stand where the others do. So the number of statements depends on what happens, not on how many
 * listen, and nobody waits for another.
 *
 * Nothing is kept of what was decided: what is written after a wait is read and decided after it. Right before each write
 * the session and the versions of departments, roles and settings are those that were decided for, or it is decided anew.
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
  /** Who listens in which session, as they were read last. */
  listening(): ReadonlyMap<number, AccountActor>
  /** Says something once to those sessions, as far as they hold and their sockets take more. */
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

  /** Something has happened: of no interest while nobody listens. */
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
