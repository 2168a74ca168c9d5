// Files sent as attachments, for the report of who can see what: the receivers of the mails.
import { sql } from 'kysely'
import type { AccessSource } from '../../drive/rights/index.ts'

export const mailAccessRecords: AccessSource = {
  way: 'mail',
  select: (question) => sql`
    select distinct a.id as user_id, coalesce(nullif(p.person ->> 'name', ''), p.person ->> 'address') as who,
      i.id as item_id, i.name as item_name, o.subject as what, s.name as given_by, o.modified_at as at,
      null::bigint as ends_at, true as is_open
    from mail_attachment t join outgoing_mail o on o.id = t.outgoing_id join item i on i.id = t.item_id
      join account s on s.id = o.account_id
      cross join lateral jsonb_array_elements(
        (o.people::jsonb -> 'to') || (o.people::jsonb -> 'cc') || (o.people::jsonb -> 'bcc')) p (person)
      left join account a on a.email <> '' and lower(a.email) = lower(p.person ->> 'address')
    where o.state in ('accepted', 'filed', 'unsure') and ${
      'userId' in question ? sql`a.id = ${question.userId}` : sql`t.item_id = any(${[...question.items]})`
    }`,
}
