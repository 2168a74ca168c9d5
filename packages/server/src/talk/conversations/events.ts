// Events of conversations other than messages, and who hears of them.
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { FeatureEvent } from '../../core/events.ts'
import { type AudibleEvent, type Audience, toThemselves } from '../../core/push/index.ts'
import { audibleTo } from '../messages/index.ts'

/** Members, name or rules of a conversation have changed. */
export interface ChatEvent extends FeatureEvent {
  readonly kind: 'talk.chat'
  readonly conversationId: number
  readonly position: number
}

/** What a person keeps of a conversation has changed: pinned, muted, draft, off the list. */
export interface TalkListEvent extends FeatureEvent {
  readonly kind: 'talk.kept'
  readonly accountId: number
  readonly conversationId: number
}

/** A person has read a conversation up to a message. */
export interface ReadEvent extends FeatureEvent {
  readonly kind: 'talk.read'
  readonly accountId: number
  readonly conversationId: number
  readonly from: number
  readonly to: number
}

/** Those who were members at that position: the present ones, and those whose membership this change has ended. */
export const chatAudience: Audience<ChatEvent> = {
  async prepare(db, events) {
    const { rows } = await sql<{ id: number; position: number; accountIds: number[] }>`
      select q.id, q.position, array_agg(s.account_id) as "accountIds"
      from (select distinct * from unnest(${events.map(({ event }) => event.conversationId)}::bigint[],
        ${events.map(({ event }) => event.position)}::bigint[]) as k (id, position)) q
      join talk_stay s on s.conversation_id = q.id
        and (s.until_position is null or s.until_position >= q.position) and s.after_position <= q.position
      group by q.id, q.position`.execute(db)
    const byKey = new Map(rows.map((row) => [`${row.id} ${row.position}`, new Set(row.accountIds.map(Number))]))
    return new Map(
      events.map(({ position, event }): [number, AudibleEvent] => {
        const people = byKey.get(`${event.conversationId} ${event.position}`) ?? new Set()
        const view = { name: 'talkChanged' as const, payload: { conversationId: event.conversationId } }
        return [
          position,
          audibleTo(people, ({ accountId, isGuest }) => (people.has(accountId) && !isGuest ? view : undefined)),
        ]
      }),
    )
  },
}

/** The person's own devices. */
export const listAudience = toThemselves<TalkListEvent>(({ conversationId }) => ({
  name: 'talkChanged',
  payload: { conversationId },
}))

/** Senders whose messages were read are told, the latest of them. */
const mostTold = 20

async function sendersBetween(db: Db, events: readonly ReadEvent[]): Promise<number[][]> {
  const { rows } = await sql<{ n: number; accountIds: number[] }>`
    select q.n, array_agg(distinct m.sender_id) as "accountIds"
    from unnest(${events.map((_, n) => n)}::int[], ${events.map((event) => event.conversationId)}::bigint[],
      ${events.map((event) => event.from)}::bigint[], ${events.map((event) => event.to)}::bigint[])
      as q (n, id, low, high)
    cross join lateral (select sender_id from talk_message m where m.conversation_id = q.id
      and m.number > q.low and m.number <= q.high and m.type <> 'notify'
      order by m.number desc limit ${mostTold}) m
    group by q.n`.execute(db)
  const byN = new Map(rows.map(({ n, accountIds }) => [n, accountIds.map(Number)]))
  return events.map((_, n) => byN.get(n) ?? [])
}

/** The reader's own devices, and those whose messages were read. */
export const readAudience: Audience<ReadEvent> = {
  async prepare(db, events) {
    const senders = await sendersBetween(
      db,
      events.map(({ event }) => event),
    )
    return new Map(
      events.map(({ position, event }, n): [number, AudibleEvent] => {
        const people = new Set([event.accountId, ...(senders[n] ?? [])])
        const { conversationId, accountId: userId, to: readNumber } = event
        const view = { name: 'talkRead' as const, payload: { conversationId, userId, readNumber } }
        return [
          position,
          audibleTo(people, ({ accountId, isGuest }) => (people.has(accountId) && !isGuest ? view : undefined)),
        ]
      }),
    )
  },
}

/** Reports that a conversation has changed. */
export const chatChanged = (conversationId: number, position: number): ChatEvent => ({
  kind: 'talk.chat',
  conversationId,
  position,
})

/** Reports a change of what a person keeps of a conversation. */
export const listChanged = (accountId: number, conversationId: number): TalkListEvent => ({
  kind: 'talk.kept',
  accountId,
  conversationId,
})

/** Reports that a person has read a conversation up to a message. */
export const wasRead = (event: Omit<ReadEvent, 'kind'>): ReadEvent => ({ kind: 'talk.read', ...event })
