// Pictures of conversations that were sent with their metadata: each is due to lose them (0374).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- When its metadata are to be removed. Null: they were, or it is no picture.
alter table talk_file add column clean_at bigint;
update talk_file f set clean_at = 0
  where not is_picture and blob_id is not null
    and exists (select 1 from talk_message m where m.file_id = f.id and m.type = 'img');
create index talk_file_clean on talk_file (clean_at) where clean_at is not null;
`)
    .execute(db)
}
