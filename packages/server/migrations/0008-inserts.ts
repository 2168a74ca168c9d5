// Reduces the cost per file of a bulk insert: fewer checks that cannot fail, one trigger for all. Accounts are never
// deleted, only closed, so a reference to one cannot break; checking it for every item would lock the account's row in
// every upload. An item's library is copied from its parent's row (drive/tree), and fsck compares them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table item
  drop constraint item_created_by_fkey,
  drop constraint item_modified_by_fkey,
  drop constraint item_deleted_by_fkey,
  drop constraint item_library_id_fkey;
alter table version drop constraint version_created_by_fkey;

-- An event gets its position later: until then the index of positions has no business with it.
drop index event_position;
create unique index event_position on event (position) where position is not null;

drop trigger item_named on item;
create function queue_search_many() returns trigger language plpgsql as $$
begin
  insert into search_queue select id from changed;
  return null;
end $$;
create trigger item_added after insert on item referencing new table as changed
  for each statement execute function queue_search_many();
create trigger item_gone after delete on item referencing old table as changed
  for each statement execute function queue_search_many();
`)
    .execute(db)
}
