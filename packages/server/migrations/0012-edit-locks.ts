// The user who holds the edit lock of a file (decisions "Locks"), as columns of the file: lists show them, gates read
// them with the row, and caches of the row are invalidated when they change. `editor_until` is the time from which
// another user may take the lock.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table item
  add column editor_id bigint references account,
  add column editing_since bigint,
  add column editor_until bigint,
  add constraint item_editor check ((editor_id is null) = (editing_since is null)
    and (editor_id is null) = (editor_until is null)) not valid;
create index item_editor_until on item (editor_until) where editor_until is not null;

-- What may not go away with the folder it is in, now also what somebody edits.
drop index item_flagged;
create index item_flagged on item (library_id)
  where (status & 270532608 <> 0 or editor_id is not null) and deleted_at is null;
`)
    .execute(db)
}
