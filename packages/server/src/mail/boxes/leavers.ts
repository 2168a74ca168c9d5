// Hand-over when a user leaves: their mailboxes are taken away with the stored passwords and the mails fetched from them.
// Nobody else reads them, and nothing is fetched or sent in their name any more. The mail servers keep what they have.
import { sql } from 'kysely'
import { idsOf, type Leaver } from '../../core/leavers.ts'

export const mailboxesOf: Leaver = {
  kind: 'mailboxes',
  columns: ['mailbox.account_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, address as name from mailbox where account_id = ${leaverId} order by id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'ends' })) }
  },
  async carryOut({ tx }, { leaverId }, items) {
    await sql`
      delete from mailbox where account_id = ${leaverId} and id = any(${idsOf(items, 'ends')}::bigint[])`.execute(tx)
  },
}
