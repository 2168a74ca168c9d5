// Cache invalidation: a cached row is valid until the row changes, and every request reads this table to find the
// changed rows. Triggers write it, so that no statement of the product or of an operator can omit it.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Kinds (core/db/invalidations.ts): 0 everything, 1 a session, 2 an account, 3 an item and what is above others in it,
-- 4 the children of a folder.
create table invalidated (
  transaction xid8 not null default pg_current_xact_id(),
  kind smallint not null,
  id bigint not null
);
create index invalidated_transaction on invalidated (transaction);

-- What was written down by transactions that a snapshot did not see, by the index: the table is often empty when a
-- statement on it is planned, and read whole when it is not any more.
create function invalidated_since(since pg_snapshot, most int) returns table (kind smallint, id bigint)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query
    select i.kind, i.id from invalidated i
    where i.transaction >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(i.transaction, since)
    limit most;
end $$;

create function invalidate_everything() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id) values (0, 0);
  return null;
end $$;

-- One row that says which: the name of the column that holds the id, and the kind.
create function invalidate_row() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id)
  values (tg_argv[0]::smallint, (to_jsonb(case when tg_op = 'INSERT' then new else old end) ->> tg_argv[1])::bigint);
  return null;
end $$;

create function invalidate_added_items() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id) select distinct 4, parent_id from fresh where parent_id is not null;
  return null;
end $$;
create function invalidate_changed_items() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id)
  select 3, id from stale union
  select 4, parent_id from stale where parent_id is not null union
  select 4, parent_id from fresh where parent_id is not null;
  return null;
end $$;
create function invalidate_removed_items() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id)
  select 3, id from stale union select 4, parent_id from stale where parent_id is not null;
  return null;
end $$;
create trigger item_inserted_invalidates after insert on item referencing new table as fresh
  for each statement execute function invalidate_added_items();
create trigger item_updated_invalidates after update on item referencing old table as stale new table as fresh
  for each statement execute function invalidate_changed_items();
create trigger item_deleted_invalidates after delete on item referencing old table as stale
  for each statement execute function invalidate_removed_items();

create function invalidate_entries() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id)
  select 3, item_id from told union
  select 4, i.parent_id from told t join item i on i.id = t.item_id where i.parent_id is not null;
  return null;
end $$;
create trigger entry_inserted_invalidates after insert on entry referencing new table as told
  for each statement execute function invalidate_entries();
create trigger entry_updated_invalidates after update on entry referencing new table as told
  for each statement execute function invalidate_entries();
create trigger entry_moved_invalidates after update of item_id on entry
  for each statement execute function invalidate_everything();
create trigger entry_deleted_invalidates after delete on entry referencing old table as told
  for each statement execute function invalidate_entries();

create function invalidate_files() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id) select distinct 3, item_id from stale;
  return null;
end $$;
create trigger version_updated_invalidates after update on version referencing old table as stale
  for each statement execute function invalidate_files();
create trigger version_deleted_invalidates after delete on version referencing old table as stale
  for each statement execute function invalidate_files();
-- An object that was lost has come again under another key.
create trigger blob_invalidates after update on blob
  for each row when (old.key is distinct from new.key) execute function invalidate_everything();

create trigger session_invalidates after update or delete on session
  for each row execute function invalidate_row('1', 'id');
create trigger account_invalidates after update or delete on account
  for each row execute function invalidate_row('2', 'id');
create trigger account_renamed_invalidates after update on account
  for each row when (old.name is distinct from new.name) execute function invalidate_everything();
-- Other stamps count events and searches.
create trigger stamp_invalidates after update on stamp
  for each row when (new.name in ('organisation', 'settings')) execute function invalidate_everything();
create trigger library_invalidates after insert or update or delete on library
  for each row execute function invalidate_row('3', 'id');
create trigger library_manager_invalidates after insert or update or delete on library_manager
  for each row execute function invalidate_row('3', 'library_id');
create trigger folder_order_invalidates after insert or update or delete on folder_order
  for each row execute function invalidate_row('4', 'folder_id');
`)
    .execute(db)
  for (const table of [
    'item',
    'entry',
    'version',
    'session',
    'account',
    'library',
    'library_manager',
    'folder_order',
  ]) {
    await sql
      .raw(`create trigger ${table}_emptied_invalidates after truncate on ${table}
        for each statement execute function invalidate_everything()`)
      .execute(db)
  }
}
