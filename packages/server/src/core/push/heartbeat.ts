// Heartbeats: they keep clients that answer, drop clients that do not answer or whose socket accepts nothing, and close
// those whose session ended without an event that gives the reason.
import { limits } from '@cloudoc/domain'
import { beforeWelcome, bufferedMost, type Channel, type Client, sessionCheckBatch } from './clients.ts'
import { closeCodes, send } from './connections.ts'

/**
 * How long a channel with an invalid session waits, silent, for the event with the reason. The event follows within
 * moments. An expired session has none.
 */
export const endedAfterMs = 3000

/** Sends the heartbeats that are due. */
export async function sendHeartbeats({ clients, frames, sessions, steady, now }: Channel): Promise<void> {
  const at = steady()
  const due: Client[] = []
  // A socket that does not answer the close frame either ends within half a minute.
  const giveUp = (client: Client, status: number): void => {
    clients.forget(client)
    client.socket.close(status)
  }
  for (const client of clients.all) {
    if (client.endedAt !== undefined) {
      if (at - client.endedAt >= endedAfterMs) clients.endSession(client, { elsewhere: false })
    } else if (at - client.heardAt > limits.heartbeatLostMs) giveUp(client, closeCodes.silent)
    else if (at - (client.stalledAt ?? at) > limits.heartbeatLostMs) giveUp(client, closeCodes.stuck)
    else if (client.heartbeatAt <= at && client.cursor !== beforeWelcome) due.push(client)
  }
  for (const client of due) {
    client.heartbeatAt = at + limits.heartbeatMs
    client.socket.ping()
    if (client.socket.bufferedAmount < bufferedMost) send(client, frames.heartbeat)
  }
  for (let n = 0; n < due.length; n += sessionCheckBatch) {
    const some = due.slice(n, n + sessionCheckBatch)
    const { held } = await sessions.stillValid(
      some.map(({ actor }) => actor.sessionId),
      now(),
    )
    for (const client of some) {
      if (clients.all.has(client) && !held.has(client.actor.sessionId)) clients.silence(client)
    }
  }
}
