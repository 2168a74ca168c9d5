// Those who are behind: whoever stands furthest back comes first, and those beside them are brought on with them.
import { setImmediate } from 'node:timers/promises'
import type { Channel, Client } from './clients.ts'
import { addUnconfirmed, decide, readFrom } from './delivery.ts'
import { readAfter } from './event-log.ts'
import { createReceivers } from './receivers.ts'

/** Clients that are brought on together. */
export const catchUpBatch = 256

/** Answers what brings on everybody who is behind, until nobody is. */
export function createCatchUp(channel: Channel): () => void {
  const { db, log, sees, sessions, frames, clients, closing } = channel
  let isRunning = false

  /** Brings some of those who are behind one batch further. */
  const bringOn = async (group: readonly Client[]): Promise<void> => {
    for (const client of group) clients.behind.delete(client)
    try {
      const from = Math.min(...group.map(readFrom))
      // Read after the actors: what it is decided with is at least as old as what is decided.
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
      // Old events end: where none is left, everything up to the place of the others, and of each login, has been read.
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
