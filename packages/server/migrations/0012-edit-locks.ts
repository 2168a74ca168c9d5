// Who edits a file alone (decisions "Locks"): columns of the file, so that lists show it and gates read it with the row, and
// whatever keeps the row is told when it changes. `editor_until` is when somebody else may take the lock.
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
