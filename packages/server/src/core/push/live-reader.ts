// Live clients: one reader advances them together, as events arrive.

import type { SessionEvent } from '../events.ts'
import type { Channel } from './clients.ts'
import { decide, framesMost } from './delivery.ts'
import { batchMost, type Prepared, readAfter, readHead } from './event-log.ts'

export interface LiveReader {
  /** Looks for new events now. */
  poll(): void
  /** Resolves once the position of the newest event is known. */
  readonly started: Promise<void>
  /** The newest position delivered to live clients. Undefined until the table was read once. */
  readonly position: number | undefined
  /** Resolves once the batch in progress is delivered. */
  settled(): Promise<void>
}

export function createLiveReader(channel: Channel): LiveReader {
  const { db, log, sessions, frames, clients, closing } = channel
  const { live } = clients
  let position: number | undefined
  let batch = batchMost
  let reading: Promise<void> | undefined
  let readAgain = false
  const begun = Promise.withResolvers<void>()

  /** Reads the actors of the live clients again. */
  const readActors = async (): Promise<void> => {
    const asked = [...live]
    const { version, actors } = await sessions.byIds(
      asked.map(({ actor }) => actor.sessionId),
      channel.now(),
    )
    for (const client of asked) {
      const actor = actors.get(client.actor.sessionId)
      if (!live.has(client)) continue
      if (actor === undefined || !channel.mayCome(actor, client)) {
        clients.silence(client)
        continue
      }
      // The index must find the client by its old departments and roles.
      live.delete(client)
      client.actor = actor
      client.version = version
      live.add(client)
    }
    clients.liveVersion = version
    // A client that joined meanwhile may have been read with an older version.
    for (const client of [...live]) {
      if (client.version >= version) continue
      live.delete(client)
      clients.place(client)
    }
  }

  /** Closes the sockets of ended sessions, live or behind. */
  const endSessions = (events: readonly Prepared[]): void => {
    const ended = new Map<number, SessionEvent>()
    for (const { event } of events) {
      if (event.kind === 'session') for (const id of event.sessionIds) ended.set(id, event)
    }
    if (ended.size === 0) return
    for (const client of [...clients.all]) {
      const event = ended.get(client.actor.sessionId)
      if (event !== undefined) clients.endSession(client, event)
    }
  }

  const readNew = async (): Promise<void> => {
    if (position === undefined) {
      position = clients.frontier = (await readHead(db)).head
      begun.resolve()
    }
    do {
      readAgain = false
      if (clients.all.size === 0) {
        // No client is connected: only the position advances, unless a client connects meanwhile, which may be before
        // it.
        const { head } = await readHead(db)
        if (clients.all.size === 0) position = clients.frontier = Math.max(clients.frontier, head)
        else readAgain = true
        continue
      }
      while (!closing.aborted) {
        const { events, version } = await readAfter(channel, position, { most: batch })
        if (events.length === 0) break
        if (live.size > 0 && version !== clients.liveVersion) await readActors()
        endSessions(events)
        const { toSend, count, to } = decide(frames, live, events)
        clients.frontier = Math.max(clients.frontier, to)
        if (!(await clients.deliver(toSend, clients.liveVersion))) continue
        position = to
        if (count > framesMost) batch = Math.max(1, batch >> 1)
        else if (count < framesMost / 4) batch = Math.min(batchMost, batch * 2)
      }
    } while (readAgain && !closing.aborted)
  }

  const look = (): void => {
    if (closing.aborted) return
    readAgain = true
    reading ??= readNew().then(
      () => {
        reading = undefined
        // Requested between the last read and now.
        if (readAgain) look()
      },
      (error: unknown) => {
        reading = undefined
        log.error({ err: error }, 'events could not be read; it is tried again')
      },
    )
  }

  return {
    poll: look,
    started: begun.promise,
    get position() {
      return position
    },
    async settled() {
      await reading
    },
  }
}
