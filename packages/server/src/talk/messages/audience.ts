// Who hears of a message: those whose membership covers it, evaluated at delivery.
import { isWithin, type Stay } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { AudibleEvent, Audience } from '../../core/push/index.ts'
import type { MessageEvent } from './append.ts'
import { type MessageRow, messageColumns, messageJoins, messageOf } from './records.ts'

const nobody: ReadonlySet<number> = new Set()

/** The recipients of a push: accounts by name, each with its view. */
export function audibleTo(accountIds: ReadonlySet<number>, viewFor: AudibleEvent['viewFor']): AudibleEvent {
  return { concerns: { accountIds, groupIds: nobody, roleIds: nobody }, perAccount: true, viewFor }
}

interface StayOf extends Stay {
  readonly conversationId: number
  readonly accountId: number
}

/** The stays in conversations that last at least until a position. */
async function staysIn(db: Db, asked: ReadonlyMap<number, number>): Promise<Map<number, StayOf[]>> {
  const { rows } = await sql<StayOf>`
    select s.conversation_id as "conversationId", s.account_id as "accountId", s.after_position as after,
      s.until_position as until
    from unnest(${[...asked.keys()]}::bigint[], ${[...asked.values()]}::bigint[]) as q (id, position)
    join talk_stay s on s.conversation_id = q.id
      and (s.until_position is null or s.until_position >= q.position)`.execute(db)
  return Map.groupBy(rows, ({ conversationId }) => conversationId)
}

/**
 * Of a new message: those who may read it. Of a change: those who may read the message and were members when it was
 * changed. They receive it as it is now, so an edit, and even more so a recall, that came after is in it.
 */
export const messageAudience: Audience<MessageEvent> = {
  async prepare(db, events) {
    const keys = events.map(({ event }) => event)
    const { rows } = await sql<MessageRow>`
      select ${messageColumns}
      from (select distinct * from unnest(${keys.map((key) => key.conversationId)}::bigint[],
        ${keys.map((key) => key.number)}::bigint[]) as k (conversation_id, number)) q
      join talk_message m on m.conversation_id = q.conversation_id and m.number = q.number ${messageJoins}`.execute(db)
    const messages = new Map(rows.map((row) => [`${row.conversation_id} ${row.number}`, row]))
    const oldest = new Map<number, number>()
    for (const { conversationId, number } of keys)
      oldest.set(conversationId, Math.min(number, oldest.get(conversationId) ?? number))
    const stays = await staysIn(db, oldest)
    return new Map(
      events.flatMap(({ position, event }): [number, AudibleEvent][] => {
        const row = messages.get(`${event.conversationId} ${event.number}`)
        if (row === undefined) return []
        const own = Map.groupBy(stays.get(event.conversationId) ?? [], ({ accountId }) => accountId)
        // The newest state is shown only to who may see it.
        const newest = Math.max(event.position, row.number, row.edited_position ?? 0)
        const people = new Set(
          [...own].filter(([, all]) => isWithin(all, row.number) && isWithin(all, newest)).map(([id]) => id),
        )
        const views = [false, true].map((isSender) => ({
          name: 'messageReceived' as const,
          payload: messageOf(row, { isSender }),
        }))
        const viewFor: AudibleEvent['viewFor'] = ({ accountId, isGuest }) =>
          people.has(accountId) && !isGuest ? views[accountId === row.sender_id ? 1 : 0] : undefined
        return [[position, audibleTo(people, viewFor)]]
      }),
    )
  },
}
