// Signing, for the report of who can see what: the signers of a file, also those without an account.
import { sql } from 'kysely'
import type { AccessSource } from '../../drive/rights/index.ts'

export const signingAccessRecords: AccessSource = {
  way: 'signing',
  select: (question) => sql`
    select s.account_id as user_id, coalesce(a.name, o.name || ' (' || o.mail || ')', s.role_name) as who,
      coalesce(i.id, 0) as item_id, coalesce(i.name, t.file_name) as item_name, t.title as what, l.name as given_by,
      t.created_at as at, t.ended_at as ends_at, t.ended_at is null and s.state <> 'left' as is_open
    from sign_activity t join sign_signer s on s.activity_id = t.id join account l on l.id = t.launcher_id
      left join account a on a.id = s.account_id left join sign_outsider o on o.signer_id = s.id
      left join item i on i.id = t.item_id
    where ${'userId' in question ? sql`s.account_id = ${question.userId}` : sql`t.item_id = any(${[...question.items]})`}`,
}
