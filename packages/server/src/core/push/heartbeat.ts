// Heartbeats keep those alive who answer, give up those who do not or whose socket takes nothing, and end those whose session ended and nothing said why.
import { limits } from '@cloudoc/domain'
import { beforeWelcome, bufferedMost, type Channel, type Client, sessionCheckBatch } from './clients.ts'
import { closeCodes, send } from './connections.ts'

/**
 * How long a channel whose session no longer holds waits, silent, for the event that says why. It follows within
 * moments; a session that has expired has none.
 */
export const endedAfterMs = 3000

/** Sends the heartbeats that are due. */
export async function sendHeartbeats({ clients, frames, sessions, steady, now }: Channel): Promise<void> {
  const at = steady()
  const due: Client[] = []
  // A socket that does not answer that either ends within half a minute.
  const giveUp = (client: Client, status: number): void => {
    clients.forget(client)
    client.socket.close(status)
  }
  for (const client of clients.all) {
    if (client.endedAt !== undefined) {
      if (at - client.endedAt >= endedAfterMs) clients.endSession(client, false)
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
