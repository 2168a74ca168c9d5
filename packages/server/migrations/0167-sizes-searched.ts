// Updates the index tokens (signs) of a file when its size changes, even if its modification time does not.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create or replace trigger item_renamed after update on item for each row
      when (old.search_text <> new.search_text or old.modified_at <> new.modified_at or old.size <> new.size
        or old.parent_id is distinct from new.parent_id) execute function queue_search()`.execute(db)
}
