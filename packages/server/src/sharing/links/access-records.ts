// External links, for the report of who can see what: of the item, or of a folder above it.
import { sql } from 'kysely'
import type { AccessSource } from '../../drive/rights/index.ts'

/** Whoever has the address opens a link, unless it names people. */
export const linkAccessRecords: AccessSource = {
  way: 'link',
  select: (question, now) => sql`
    select p.id as user_id, coalesce(p.name, nullif(array_to_string(l.mails, ', '), ''), '') as who, i.id as item_id,
      i.name as item_name, l.note as what, a.name as given_by, l.created_at as at, l.ends_at,
      l.cancelled_at is null and l.paused_at is null and l.ends_at > ${now}::bigint
        and coalesce(l.approval::text, 'approved') = 'approved' as is_open
    from external_link l join item i on i.id = l.item_id join account a on a.id = l.account_id
      left join account p on p.id = any(l.people)
    where ${
      'userId' in question
        ? sql`p.id = ${question.userId}`
        : sql`l.item_id = any(${[...question.items, ...question.above]})`
    }`,
}
