// Versions can have names, which exempt them from removal, and record which version they restored. Libraries define how
// long old versions are retained. The text of a content is stored beside its renditions, for comparisons.
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
