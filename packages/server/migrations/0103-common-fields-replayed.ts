// Also converts the events that are replayed to clients that were offline; 0097 converted only stored and pending
// pushes.
import { type Kysely, sql } from 'kysely'
import { said, types } from './0097-common-fields.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
update event e set payload = e.payload || jsonb_build_object('data', old.said)
from (
  select id, ${said} as said
  from (
    select id, payload->'data' as payload, (payload->>'pushType')::int as push_type
    from event where position is not null and kind = 'personal'
  ) told where push_type in (${types})
) old where e.id = old.id;
`)
    .execute(db)
}
