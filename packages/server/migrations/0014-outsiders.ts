// Who it really was, where somebody without an account did something: {kind, reference, name}. Beside it stands the account
// that answers for them, whose rights and space count. The name is kept as it was then: no account says it.
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
