// Handover of groups when their owner leaves.
import { sql } from 'kysely'
import { idsOf, type Leaver } from '../../core/leavers.ts'
import { admit, line } from './membership.ts'

/** The groups that the leaver owns. The successor becomes their owner, and a member where they were none. */
export const ownedGroups: Leaver = {
  kind: 'chatGroups',
  columns: ['talk_conversation.founder_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from talk_conversation where founder_id = ${leaverId} and kind = 'group' and dissolved_at is null
      order by id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'passes' })) }
  },
  async carryOut(context, { leaverId, successorId, now }, items) {
    const { tx } = context
    const { rows: people } = await sql<{ userId: number; name: string }>`
      select id as "userId", name from account where id = ${successorId}`.execute(tx)
    const [successor] = people
    if (successor === undefined) return
    for (const id of idsOf(items, 'passes')) {
      const { rows } = await sql<{ position: number; isMember: boolean }>`
        select c.position, exists (select 1 from talk_member m where m.conversation_id = c.id
          and m.account_id = ${successorId} and m.is_member) as "isMember"
        from talk_conversation c where c.id = ${id} for no key update`.execute(tx)
      const [group] = rows
      if (group === undefined) continue
      if (!group.isMember) await admit(tx, id, [successor], { after: group.position, now })
      await sql`update talk_conversation set founder_id = ${successorId} where id = ${id}`.execute(tx)
      await sql`
        update talk_member set role = case when account_id = ${successorId} then 'owner' else 'member' end
        where conversation_id = ${id} and account_id = any(${[leaverId, successorId]}::bigint[])`.execute(tx)
      await line(context, id, 'owner', [successor])
    }
  },
}
