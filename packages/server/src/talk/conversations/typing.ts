// Who types in a conversation just now: told to those who have it open, stored nowhere for long.
import type { PushContent } from '@cloudoc/contract'
import { sql } from 'kysely'
import { openRooms, type RoomKind, type RoomMember, type Rooms } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'

type Typing = PushContent<'talkTyping'>['people'][number] & { readonly until: number }

/** How long a conversation counts as open, and a person as typing, without being heard of. */
const openMs = 60_000
export const typingMs = 6000

interface OpenRow {
  readonly roomId: number
  readonly sessionId: number
  readonly userId: number
  readonly name: string
  readonly until: number
  readonly isMember: boolean
}

/** Opens the rooms of conversations in this process. */
export function openTyping(
  services: Pick<Services, 'db' | 'now' | 'log' | 'listening' | 'say' | 'fanout' | 'invalidations'>,
): Rooms {
  const { db, now } = services
  const kind: RoomKind<{ readonly typing: readonly Typing[] }, RoomMember> = {
    name: 'open conversation',
    topic: 'cloudoc_talk',
    async roomsOf(sessionIds) {
      const { rows } = await sql<{ id: number }>`
        select distinct conversation_id as id from talk_open
        where session_id = any(${[...sessionIds]}::bigint[])`.execute(db)
      return rows.map(({ id }) => id)
    },
    async read(ids) {
      const at = now()
      const { rows } = await sql<OpenRow>`
        select o.conversation_id as "roomId", o.session_id as "sessionId", o.account_id as "userId", a.name,
          o.typing_until as until, m.is_member as "isMember"
        from talk_open o join account a on a.id = o.account_id
        join talk_member m on m.conversation_id = o.conversation_id and m.account_id = o.account_id
        where o.conversation_id = any(${[...ids]}::bigint[]) and o.seen_at > ${at - openMs}
        order by o.session_id`.execute(db)
      const byRoom = Map.groupBy(
        rows.filter(({ isMember }) => isMember),
        ({ roomId }) => roomId,
      )
      return new Map(
        Array.from(byRoom, ([id, all]) => [
          id,
          {
            // The time makes typing again a change.
            state: {
              typing: all.filter(({ until }) => until > at).map(({ userId, name, until }) => ({ userId, name, until })),
            },
            members: all.map(({ sessionId, userId }) => ({ sessionId, userId })),
          },
        ]),
      )
    },
    async check(asked) {
      const { rows } = await sql<{ conversation_id: number; account_id: number }>`
        select m.conversation_id, m.account_id from talk_member m
        join unnest(${asked.map(({ roomId }) => roomId)}::bigint[], ${asked.map(({ member }) => member.userId)}::bigint[])
          as q (id, account_id) on m.conversation_id = q.id and m.account_id = q.account_id
        where m.is_member`.execute(db)
      const held = new Set(rows.map((row) => `${row.conversation_id} ${row.account_id}`))
      return asked.map(({ roomId, member }) => (held.has(`${roomId} ${member.userId}`) ? member : undefined))
    },
    message: ({ roomId, state }) =>
      Promise.resolve({
        name: 'talkTyping' as const,
        payload: { conversationId: roomId, people: state.typing.map(({ userId, name }) => ({ userId, name })) },
      }),
  }
  return openRooms(services, kind)
}

/** Forgets conversations that nobody has open any more. */
export async function removeClosed({ db, now }: Pick<Services, 'db' | 'now'>): Promise<boolean> {
  await sql`delete from talk_open where seen_at <= ${now() - openMs}`.execute(db)
  return false
}
