// When the creator of a link was last notified that it is opened from many locations, and an index to detect this
// ([R228]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table external_link add column spread_told_at bigint;
create index external_visit_opened on external_visit (link_id, at) include (address) where what = 'open';
`)
    .execute(db)
}
