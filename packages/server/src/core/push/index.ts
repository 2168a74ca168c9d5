// The live channel: assigns positions to events, delivers events to sockets, and records the users' confirmations.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { actorOf } from '../call/context.ts'
import { implement } from '../call/implement.ts'
import { readHead } from './event-log.ts'

export {
  type AudibleEvent,
  type Audience,
  type Audiences,
  audibleToAccount,
  prepareAll,
  type StoredEvent,
  toThemselves,
} from './audience.ts'
export { type PushMessage, type Wire, wires } from './frames.ts'
export { createHub, eventsTopic, type Hub } from './hub.ts'
export { type SocketCaller, type SocketRoute, socketRoutes } from './other-sockets.ts'
export { createReaders, type EventReader, readBatch } from './readers.ts'
export { openRooms, type RoomKind, type RoomMember, type Rooms } from './rooms.ts'
export { createSequencer, sequenceBatch } from './sequencer.ts'
export { upgradeToPush } from './upgrade.ts'

/** The handlers of the push calls, for an installation with this epoch. */
export function pushHandlers(epoch: string) {
  return implement(features.push.calls, {
    async getPushPosition({ db }) {
      const { head } = await readHead(db)
      return { epoch, lastIdentity: String(head) }
    },
    async confirmMsg(context, { list }) {
      const { tx } = context
      const { rows } = await sql`
        delete from personal_push where account_id = ${actorOf(context).accountId} and (position, push_type) in (
          select * from unnest(${list.map((entry) => Number(entry.identity))}::bigint[],
            ${list.map((entry) => entry.pushType)}::int[]))
        returning position`.execute(tx)
      return { confirmed: rows.length }
    },
  })
}
