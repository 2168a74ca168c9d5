/*
 * Notices of unread messages ([R100]). Written behind the messages by an event reader, so no sender waits for it, and
 * only for those who have not read the message by then. A conversation has one unread notice, of the newest state.
 */
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { type NewEvent, personal } from '../../core/events.ts'
import { settleNotices } from '../../core/notices/index.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import type { MessageEvent } from '../messages/index.ts'
import type { ReadEvent } from './events.ts'

/** In larger groups only those are notified who are mentioned; the others see the count in the list. */
const mostNotified = 100

interface Target {
  readonly accountId: number
  readonly conversationId: number
  readonly number: number
  readonly kind: 'user' | 'group'
  readonly name: string
  readonly senderId: number
  readonly by: string
  readonly mentioned: boolean
  readonly length: number
}

/** Writes notices for the new messages among the events, and for people whom an edit has newly mentioned. */
export async function notifyUnread(tx: Tx, events: readonly StoredEvent<MessageEvent>[]): Promise<readonly NewEvent[]> {
  const fresh = events.filter(({ event }) => event.position === event.number || event.mentions !== undefined)
  if (fresh.length === 0) return []
  const { rows } = await sql<Target>`
    with asked as (
      select distinct on (q.id, q.number) q.id, q.number, q.fresh
      from unnest(${fresh.map(({ event }) => event.conversationId)}::bigint[],
        ${fresh.map(({ event }) => event.number)}::bigint[],
        ${fresh.map(({ event }) => event.position === event.number)}::boolean[]) as q (id, number, fresh)
      order by q.id, q.number, q.fresh desc
    ), said as (
      select m.*, c.kind, c.name as chat, q.fresh, a.name as by,
        (select count(*) from talk_member o where o.conversation_id = c.id and o.is_member) as members
      from asked q join talk_message m on m.conversation_id = q.id and m.number = q.number
      join talk_conversation c on c.id = m.conversation_id join account a on a.id = m.sender_id
      where m.recalled_at is null and m.type <> 'notify'
    ), meant as (
      select distinct on (w.account_id, s.conversation_id) w.account_id, s.conversation_id, s.number, s.kind, s.chat,
        s.sender_id, s.by, w.read_number, bool_or(s.mentions && array[0, w.account_id])
          over (partition by w.account_id, s.conversation_id) as mentioned
      from said s join talk_member w on w.conversation_id = s.conversation_id and w.is_member
        and w.account_id <> s.sender_id and w.read_number < s.number
      join talk_stay t on t.conversation_id = w.conversation_id and t.account_id = w.account_id
        and t.until_position is null and s.number > t.after_position
      where s.mentions && array[0, w.account_id]
        or (s.fresh and not w.muted and (s.kind = 'user' or s.members <= ${mostNotified}))
      order by w.account_id, s.conversation_id, s.number desc
    )
    select t.account_id as "accountId", t.conversation_id as "conversationId", t.number, t.kind,
      case when t.kind = 'group' then t.chat else t.by end as name, t.sender_id as "senderId", t.by, t.mentioned,
      (select count(*)::int from (select 1 from talk_message m where m.conversation_id = t.conversation_id
        and m.number > t.read_number and m.sender_id <> t.account_id and m.recalled_at is null and m.type <> 'notify'
        limit 100) u) as length
    from meant t`.execute(tx)
  const targets = await stillUnread(tx, rows)
  return targets.map(({ accountId, conversationId, kind, name, senderId, by, mentioned, length }) =>
    personal('unreadMessages', [accountId], {
      serverId: 0,
      conversationId,
      name,
      length: Math.max(1, length),
      push: kind === 'group' ? 'GROUP' : 'USER',
      id: kind === 'group' ? conversationId : senderId,
      mentioned,
      by,
    }),
  )
}

/**
 * Those who have not read the message by now. Their rows stay locked until the notices are written: who reads meanwhile
 * settles the notice afterwards, so none of what was read remains.
 */
async function stillUnread(tx: Tx, targets: readonly Target[]): Promise<Target[]> {
  if (targets.length === 0) return []
  const { rows } = await sql<{ accountId: number; conversationId: number }>`
    select w.account_id as "accountId", w.conversation_id as "conversationId"
    from unnest(${targets.map(({ conversationId }) => conversationId)}::bigint[],
      ${targets.map(({ accountId }) => accountId)}::bigint[], ${targets.map(({ number }) => number)}::bigint[])
      as q (conversation_id, account_id, number)
    join talk_member w on w.conversation_id = q.conversation_id and w.account_id = q.account_id
      and w.read_number < q.number
    order by 2, 1 for share of w`.execute(tx)
  const unread = new Set(rows.map(({ accountId, conversationId }) => `${conversationId} ${accountId}`))
  return targets.filter(({ accountId, conversationId }) => unread.has(`${conversationId} ${accountId}`))
}

/**
 * Settles notices of conversations that were read while their notice was on its way: it is stored when its event gets
 * its position, which is before that of the reading.
 */
export async function settleRead(
  tx: Tx,
  events: readonly StoredEvent<ReadEvent>[],
  now: number,
): Promise<readonly NewEvent[]> {
  const asked = [...new Map(events.map(({ event }) => [`${event.conversationId} ${event.accountId}`, event])).values()]
  const { rows } = await sql<{ accountId: number; key: string }>`
    select w.account_id as "accountId",
      case when c.kind = 'group' then 'GROUP ' || c.id
        else 'USER ' || case when c.low_id = w.account_id then c.high_id else c.low_id end end as key
    from unnest(${asked.map(({ conversationId }) => conversationId)}::bigint[],
      ${asked.map(({ accountId }) => accountId)}::bigint[]) as q (conversation_id, account_id)
    join talk_member w on w.conversation_id = q.conversation_id and w.account_id = q.account_id
    join talk_conversation c on c.id = w.conversation_id
    where not exists (select 1 from talk_message m where m.conversation_id = w.conversation_id
      and m.number > w.read_number and m.sender_id <> w.account_id and m.recalled_at is null and m.type <> 'notify')
    order by 1, 2`.execute(tx)
  const settled: NewEvent[] = []
  for (const { accountId, key } of rows)
    settled.push(...(await settleNotices(tx, accountId, { group: 'instantMessage', key }, now)))
  return settled
}
