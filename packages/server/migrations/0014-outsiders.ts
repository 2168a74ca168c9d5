// The real actor of an action without an account: {kind, reference, name}. A separate column holds the account that is
// responsible for them, and whose rights and space count. The name is stored as it was at the time, because no account
// holds it.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table item add column creator_outsider jsonb, add column modifier_outsider jsonb;
alter table version add column creator_outsider jsonb;
alter table event add column outsider jsonb;
alter table audit add column outsider jsonb;
`)
    .execute(db)
}
