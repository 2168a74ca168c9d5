// Converts notifications of link applications from our own pushes to the documented push.
import { type Kysely, sql } from 'kysely'

/** SQL for the payload of push 57 from one of 150 or 151, using the columns `payload` and `push_type`. */
export const said = `jsonb_build_object(
  'serverId', 0, 'applicationId', payload->'reviewId', 'operateType', 2, 'applicationTitle', payload->'fName',
  'applicationTitleType', payload->'fType', 'itemCount', 1,
  'nodeState', case when push_type = 150 then 1 when (payload->>'approved')::boolean then 2 else 4 end,
  'handlerUserName', '', 'createTime', payload->'createTime', 'fType', payload->'fType', 'fId', payload->'fId',
  'userId', payload->'userId', 'userName', payload->'userName', 'externalId', payload->'externalId',
  'answer', coalesce(payload->'answer', '""'))`

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Of one request only the newest stands.
delete from notice n using notice o
where n.push_type in (150, 151) and o.push_type in (150, 151) and n.account_id = o.account_id
  and n.payload->'reviewId' = o.payload->'reviewId' and n.remind_id < o.remind_id;
update notice set notice_group = 'operationApply', key = payload->>'reviewId', payload = ${said}, push_type = 57
where push_type in (150, 151);
update personal_push set payload = ${said}, push_type = 57 where push_type in (150, 151);
`)
    .execute(db)
}
