// Contents that nobody but their uploader reads until the virus scanner has inspected them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Who still uses the current content: the uploader of what is not inspected yet; 0: nobody. Null if it is open.
alter table item add column uninspected_by bigint;
alter table version add column uninspected boolean not null default false;
create index version_uninspected on version (blob_id) where uninspected;
-- The administrator who let it be used without an inspection.
alter table scan add column released_by bigint references account;
`)
    .execute(db)
}
