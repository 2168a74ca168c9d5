// Also converts notifications of link applications that had no position yet when 0083 ran to the documented push. Since
// they may have got a position meanwhile, the stored notices and pushes are converted again.
import { type Kysely, sql } from 'kysely'
import { said } from './0083-link-applications.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Of one request only the newest stands.
delete from notice n using notice o
where n.push_type in (57, 150, 151) and o.push_type in (57, 150, 151) and (n.push_type <> 57 or o.push_type <> 57)
  and n.account_id = o.account_id and n.remind_id < o.remind_id
  and coalesce(n.payload->'reviewId', n.payload->'applicationId')
    = coalesce(o.payload->'reviewId', o.payload->'applicationId');
update notice set notice_group = 'operationApply', key = payload->>'reviewId', payload = ${said}, push_type = 57
where push_type in (150, 151);
update personal_push set payload = ${said}, push_type = 57 where push_type in (150, 151);
update event e set payload = e.payload || jsonb_build_object('pushType', 57, 'data', old.said,
  'notice', e.payload->'notice' || jsonb_build_object('group', 'operationApply', 'key', old.key))
from (
  select id, payload->>'reviewId' as key, ${said} as said
  from (
    select id, payload->'data' as payload, (payload->>'pushType')::int as push_type
    from event where position is null and kind = 'personal'
  ) waiting where push_type in (150, 151)
) old where e.id = old.id;
`)
    .execute(db)
}
