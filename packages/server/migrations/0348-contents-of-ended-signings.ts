// When the contents of a signing process that is over were removed.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table sign_activity add column contents_removed_at bigint;
create index sign_activity_contents on sign_activity (ended_at)
  where contents_removed_at is null and state in ('archived', 'rejected', 'withdrawn', 'expired');
`)
    .execute(db)
}
