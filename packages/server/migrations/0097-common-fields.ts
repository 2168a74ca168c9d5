// Pushes 6 and 55 get the common fields of all pushes, and the pushes about editing get the number of the server
// ([R341], X53). Converts earlier pushes wherever they are stored or pending.
import { type Kysely, sql } from 'kysely'

const ofEditing = [13, 14, 15, 66]
/** The affected push types. */
export const types = [6, 55, ...ofEditing].join(', ')

/** SQL for the columns `payload` and `push_type` that prepends the missing fields. */
export const said = `case push_type
  when 6 then jsonb_build_object('fileId', case payload->>'fType' when '1' then payload->'fId' else '0' end,
    'folderId', case payload->>'fType' when '1' then '0' else payload->'fId' end, 'parentId', payload->'parentFolderId')
  when 55 then jsonb_build_object(
    'fId', case payload->>'fileId' when '0' then payload->'folderId' else payload->'fileId' end,
    'parentId', 0, 'operate', 11)
  else jsonb_build_object('serverId', 0) end || payload`

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Where the item of a push 55 lies is not for everybody: 0.
update notice set payload = ${said} where push_type in (6, 55);
update personal_push set payload = ${said} where push_type in (${types});
update event e set payload = e.payload || jsonb_build_object('data', old.said)
from (
  select id, ${said} as said
  from (
    select id, payload->'data' as payload, (payload->>'pushType')::int as push_type
    from event where position is null and kind = 'personal'
  ) waiting where push_type in (${types})
) old where e.id = old.id;
`)
    .execute(db)
}
