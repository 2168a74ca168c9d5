// Catch-up of clients that are behind: the client with the oldest cursor comes first, and clients near it are advanced
// in the same batch.
import { setImmediate } from 'node:timers/promises'
import type { Channel, Client } from './clients.ts'
import { addUnconfirmed, decide, readFrom } from './delivery.ts'
import { readAfter } from './event-log.ts'
import { createReceivers } from './receivers.ts'

/** Maximum number of clients that are advanced in one batch. */
export const catchUpBatch = 256

/** Returns a function that advances all clients that are behind, until none is. */
export function createCatchUp(channel: Channel): () => void {
  const { db, log, sees, sessions, frames, clients, closing } = channel
  let isRunning = false

  /** Advances some of the clients that are behind by one batch. */
  const bringOn = async (group: readonly Client[]): Promise<void> => {
    for (const client of group) clients.behind.delete(client)
    try {
      const from = Math.min(...group.map(readFrom))
      // Read after the actors: the data the decision uses is at least as recent as theirs.
      const { version, actors } = await sessions.byIds(
        group.map(({ actor }) => actor.sessionId),
        channel.now(),
      )
      for (const client of group) {
        const actor = actors.get(client.actor.sessionId)
        if (actor === undefined || !channel.mayCome(actor, client)) clients.silence(client)
        else Object.assign(client, { actor, version })
      }
      const begunAt = clients.frontier
      const { events } = await readAfter(channel, from)
      // Old events are deleted. If none is left, everything up to the frontier and up to each login position has been
      // read.
      const present = group.filter((client) => clients.all.has(client) && client.endedAt === undefined)
      const { toSend, to: decided } = decide(frames, createReceivers(present), events)
      const to = events.length === 0 ? Math.max(from, begunAt, ...group.map(({ joinedAt }) => joinedAt)) : decided
      const reached = present.filter((client) => readFrom(client) <= to)
      await addUnconfirmed({ db, frames, sees, toSend, subscribers: reached, upTo: to })
      const isDone = await clients.deliver(toSend, version)
      for (const client of group) {
        if (isDone && client.stalledAt === undefined && reached.includes(client))
          client.cursor = Math.max(client.cursor, to)
        clients.place(client)
      }
    } catch (error) {
      for (const client of group) clients.place(client)
      throw error
    }
  }

  const run = async (): Promise<void> => {
    await setImmediate()
    while (clients.behind.size > 0 && !closing.aborted) {
      await bringOn([...clients.behind].sort((a, b) => readFrom(a) - readFrom(b)).slice(0, catchUpBatch))
    }
  }

  return () => {
    if (isRunning || closing.aborted) return
    isRunning = true
    run()
      .catch((error: unknown) => log.error({ err: error }, 'those who are behind are brought on later'))
      .finally(() => {
        isRunning = false
      })
  }
}
