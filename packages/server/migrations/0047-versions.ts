// Versions have names, which keep them, and say which one they brought back; libraries say for how long old ones are kept;
// the words of a content are kept beside what is shown of it, for comparisons.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table version add column name text not null default '', add column restored_from int;
create index version_named on version (item_id, number) where name <> '';
-- Null: as the settings of the server say; 0: for ever.
alter table library add column kept_days int;
alter table rendition drop constraint rendition_form_check;
alter table rendition add constraint rendition_form_check check (form in ('view', 'thumbnail', 'words'));
`)
    .execute(db)
}
