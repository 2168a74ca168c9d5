// What items were before each change to their name, place, rights and links, and the returns of folders to a moment.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- One row per change, written by triggers in the statement of the change. 'before' is the state that the change
-- replaced; null: there was none. The state at a moment is that of the earliest row after it.
create table item_history (
  id bigint generated always as identity primary key,
  library_id bigint not null,
  item_id bigint not null,
  at bigint not null,
  what text not null check (what in ('item', 'entry', 'link', 'version')),
  -- The id of the entry or link, the number of the version; 0 for the item.
  ref bigint not null default 0,
  before jsonb
);
create index item_history_since on item_history (library_id, at);
create index item_history_age on item_history using brin (at);
-- What was created or got a new content since a moment.
create index item_modified on item (library_id, modified_at);

create function history_time() returns bigint language sql stable as $$
  select floor(extract(epoch from transaction_timestamp()) * 1000)::bigint
$$;

create function item_was() returns trigger language plpgsql as $$
begin
  insert into item_history (library_id, item_id, at, what, before)
  values (old.library_id, old.id, history_time(), 'item', jsonb_build_object('name', old.name, 'parentId', old.parent_id,
    'deleted', old.deleted_at is not null, 'inherit', old.inherit, 'restricted', old.restricted));
  return null;
end $$;
create trigger item_was after update on item for each row
  when (old.name <> new.name or old.parent_id is distinct from new.parent_id
    or (old.deleted_at is null) <> (new.deleted_at is null)
    or old.inherit <> new.inherit or old.restricted <> new.restricted) execute function item_was();

-- Of rows of an item that is being removed nothing is written: its row is gone, or marked as purged.
create function part_was() returns trigger language plpgsql as $$
declare
  one record := case when tg_op = 'INSERT' then new else old end;
  number bigint := (to_jsonb(one) ->> tg_argv[1])::bigint;
begin
  insert into item_history (library_id, item_id, at, what, ref, before)
  select i.library_id, i.id, history_time(), tg_argv[0], number, case when tg_op <> 'INSERT' then to_jsonb(old) end
  from item i where i.id = one.item_id and not i.purged;
  return null;
end $$;
create trigger entry_added after insert on entry for each row
  when (new.kind = 'independent') execute function part_was('entry', 'id');
create trigger entry_was after update on entry for each row
  when (old.kind = 'independent' and old.* is distinct from new.*) execute function part_was('entry', 'id');
create trigger entry_gone after delete on entry for each row
  when (old.kind = 'independent') execute function part_was('entry', 'id');
create trigger link_added after insert on external_link for each row execute function part_was('link', 'id');
create trigger link_was after update on external_link for each row
  when (old.rights <> new.rights or old.password is distinct from new.password or old.starts_at <> new.starts_at
    or old.ends_at <> new.ends_at or old.visit_limit <> new.visit_limit or old.download_limit <> new.download_limit
    or old.people <> new.people or old.mails <> new.mails
    or old.paused_at is distinct from new.paused_at or old.cancelled_at is distinct from new.cancelled_at)
  execute function part_was('link', 'id');
create trigger version_gone after delete on version for each row execute function part_was('version', 'number');

-- The moment from which on changes are recorded.
insert into stamp (name, value) values ('item history', floor(extract(epoch from clock_timestamp()) * 1000)::bigint);

create table rollback (
  id bigint generated always as identity primary key,
  item_id bigint not null references item on delete cascade,
  account_id bigint not null references account,
  created_at bigint not null,
  -- The moment; null for one that undoes another.
  target_time bigint,
  undo_of bigint references rollback on delete cascade,
  with_rights boolean not null,
  with_links boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  ended_at bigint,
  problem int not null default 0,
  changed int not null default 0,
  skipped int not null default 0
);
create index rollback_item_latest on rollback (item_id, id desc);
create unique index rollback_undone on rollback (undo_of) where undo_of is not null and state <> 'failed';

-- What a return changed: the states before and after it, only of what changed. 'skipped' says why something stayed.
create table rollback_change (
  rollback_id bigint not null references rollback on delete cascade,
  item_id bigint not null,
  link_id bigint not null default 0,
  f_type smallint not null,
  name text not null,
  kind text not null,
  before jsonb not null,
  after jsonb not null,
  skipped text not null default '',
  primary key (rollback_id, item_id, link_id)
);
`)
    .execute(db)
}
