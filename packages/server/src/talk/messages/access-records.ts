// Files sent in conversations, for the report of who can see what: their members, as long as a version has the content.
import { sql } from 'kysely'
import type { AccessSource } from '../../drive/rights/index.ts'

export const talkAccessRecords: AccessSource = {
  way: 'talk',
  select: (question) => sql`
    select distinct m.account_id as user_id, a.name as who, i.id as item_id, i.name as item_name,
      case when c.kind = 'group' then c.name else '' end as what, s.name as given_by, f.created_at as at,
      null::bigint as ends_at, m.is_member and c.dissolved_at is null as is_open
    from version v join item i on i.id = v.item_id join talk_file f on f.blob_id = v.blob_id
      join talk_message g on g.file_id = f.id and g.recalled_at is null
      join talk_conversation c on c.id = f.conversation_id
      join talk_member m on m.conversation_id = c.id
      join account a on a.id = m.account_id join account s on s.id = f.account_id
    where not i.purged and ${
      'userId' in question ? sql`m.account_id = ${question.userId}` : sql`v.item_id = any(${[...question.items]})`
    }`,
}
