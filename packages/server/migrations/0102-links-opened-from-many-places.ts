// When the maker of a link was last told that it is opened from many places, and how those are found ([R228]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table external_link add column spread_told_at bigint;
create index external_visit_opened on external_visit (link_id, at) include (address) where what = 'open';
`)
    .execute(db)
}
