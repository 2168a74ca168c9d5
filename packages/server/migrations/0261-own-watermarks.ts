/*
 * Watermark templates of one's own (R279): each belongs to a person and is named by their links alone. Processes cache
 * the templates of the company, so only changes of these empty the caches.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table watermark_template add column owner_id bigint references account on delete cascade;
alter table watermark_template drop constraint watermark_template_name_key_key;
create unique index watermark_template_name on watermark_template (name_key) where owner_id is null;
create unique index watermark_template_own on watermark_template (owner_id, name_key) where owner_id is not null;
drop trigger watermark_template_invalidates on watermark_template;
create trigger watermark_template_invalidates after insert or update on watermark_template
  for each row when (new.owner_id is null) execute function invalidate_everything();
create trigger watermark_template_deleted_invalidates after delete on watermark_template
  for each row when (old.owner_id is null) execute function invalidate_everything();`)
    .execute(db)
}
