// Which child of a folder has changed, so that processes that cache a page of the folder update only this child. Null
// if any child may have changed: many by one statement, or the folder's own order.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table invalidated add column child bigint;

create or replace function invalidate_added_items() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id, child)
  select distinct 4, parent_id, case when count(*) over (partition by parent_id) <= 20 then id end
  from fresh where parent_id is not null;
  return null;
end $$;
create or replace function invalidate_changed_items() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id, child)
  select 3, id, null from stale union all
  select distinct 4, parent_id, case when count(*) over (partition by parent_id) <= 20 then id end from (
    select parent_id, id from stale where parent_id is not null union
    select parent_id, id from fresh where parent_id is not null) c;
  return null;
end $$;
create or replace function invalidate_removed_items() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id, child)
  select 3, id, null from stale union all
  select distinct 4, parent_id, case when count(*) over (partition by parent_id) <= 20 then id end
  from stale where parent_id is not null;
  return null;
end $$;
create or replace function invalidate_entries() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id, child)
  select 3, item_id, null from told union
  select 4, i.parent_id, i.id from told t join item i on i.id = t.item_id where i.parent_id is not null;
  return null;
end $$;

drop function invalidated_since(pg_snapshot, int);
create function invalidated_since(since pg_snapshot, most int)
returns table (kind smallint, id bigint, child bigint)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query
    select i.kind, i.id, i.child from invalidated i
    where i.transaction >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(i.transaction, since)
    limit most;
end $$;

-- How many children a folder has, from the folded total and what is not folded yet; by the indexes, for the same reason.
create function children_of(folder bigint) returns bigint
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return coalesce((select c.children from child_total c where c.folder_id = folder), 0)
    + coalesce((select sum(t.children) from tally t where t.folder_id = folder), 0);
end $$;
`)
    .execute(db)
}
