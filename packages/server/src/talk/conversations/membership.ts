// How people become members of a group and cease to be, and the lines that say so.
import { randomUUID } from 'node:crypto'
import type { TalkData } from '@cloudoc/contract'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { append } from '../messages/index.ts'
import { chatChanged } from './events.ts'

export type Person = { readonly userId: number; readonly name: string }

/** Those of the people whom the caller sees and may write to (X74), in the given order. */
export async function reachable(context: WriteContext, userIds: readonly number[]): Promise<Person[]> {
  const ids = [...new Set(userIds)]
  const known = await knownOf(
    context.tx,
    actorOf(context),
    ids.map((subjectId) => ({ subjectType: 'user' as const, subjectId })),
  )
  const { rows } = await sql<Person>`
    select id as "userId", name from account
    where id = any(${known.map(({ subjectId }) => subjectId)}) and state <> 'disabled'
      and not talk_refused(${actorOf(context).accountId}, id)`.execute(context.tx)
  const byId = new Map(rows.map((row) => [row.userId, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Writes a system line and reports the change to members. Returns its number. */
export async function line(
  context: WriteContext,
  conversationId: number,
  what: NonNullable<TalkData['what']>,
  people: readonly Person[] = [],
  value = '',
): Promise<number> {
  const { number, events } = await append(
    context.tx,
    conversationId,
    {
      uuid: randomUUID(),
      senderId: actorOf(context).accountId,
      type: 'notify',
      value,
      data: { what, people: people.slice(0, 20) },
    },
    context.now,
  )
  for (const event of events) context.event(event)
  context.event(chatChanged(conversationId, number))
  return number
}

/** Lets people in from a position on, or with the whole history. */
export async function admit(
  tx: Tx,
  conversationId: number,
  people: readonly Person[],
  { after, now, owner }: { readonly after: number; readonly now: number; readonly owner?: number },
): Promise<void> {
  const ids = people.map(({ userId }) => userId)
  await sql`
    insert into talk_member (conversation_id, account_id, role, joined_at, read_number)
    select ${conversationId}, id, case when id = ${owner ?? 0} then 'owner' else 'member' end, ${now}, ${after}
    from unnest(${ids}::bigint[]) as p (id)
    on conflict (conversation_id, account_id) do update set is_member = true, role = 'member', joined_at = ${now},
      hidden_position = null`.execute(tx)
  if (after === 0)
    await sql`
      delete from talk_stay where conversation_id = ${conversationId} and account_id = any(${ids})`.execute(tx)
  await sql`
    insert into talk_stay (conversation_id, account_id, after_position)
    select ${conversationId}, id, ${after}::bigint from unnest(${ids}::bigint[]) as p (id)`.execute(tx)
  await sql`
    delete from talk_invitation where conversation_id = ${conversationId} and account_id = any(${ids})`.execute(tx)
}

/** Ends memberships at a position: what is written after it is not theirs. */
export async function dismiss(tx: Tx, conversationId: number, ids: readonly number[], until: number): Promise<void> {
  await sql`
    update talk_member set is_member = false, role = 'member', draft = '', draft_at = null
    where conversation_id = ${conversationId} and account_id = any(${[...ids]})`.execute(tx)
  await sql`
    update talk_stay set until_position = ${until} where conversation_id = ${conversationId}
      and account_id = any(${[...ids]}) and until_position is null`.execute(tx)
}
