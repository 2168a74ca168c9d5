// Legal holds, and the triggers that keep what they cover (ADR 0327).
import { type Kysely, sql } from 'kysely'

/** Removals take it shared, placing a hold takes it alone: no removal is half done when a hold begins. */
export const holdLock = 0x686f6c64

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table hold (
  id bigint generated always as identity primary key,
  name text not null,
  number text not null default '',
  reason text not null,
  -- Whether people who see a held item are told of the hold.
  told boolean not null default false,
  created_by bigint not null references account,
  created_at bigint not null,
  lifted_by bigint references account,
  lifted_at bigint,
  lift_reason text not null default ''
);
create unique index hold_name on hold (name) where lifted_at is null;
-- An item stands for everything in it. It has no foreign key: the record remains when the item is deleted later.
create table hold_scope (
  id bigint generated always as identity primary key,
  hold_id bigint not null references hold,
  account_id bigint references account,
  item_id bigint,
  name text not null,
  -- library: the own library of a person; moved: what was moved out of a held folder.
  origin text not null default 'named' check (origin in ('named', 'library', 'moved')),
  check ((account_id is null) <> (item_id is null))
);
create unique index hold_scope_account on hold_scope (account_id, hold_id) where account_id is not null;
create unique index hold_scope_item on hold_scope (item_id, hold_id) where item_id is not null;
create index hold_scope_hold on hold_scope (hold_id, id);
-- Versions that several people wrote, by those people.
create index version_editors on version using gin (editors) where editors is not null;

-- The holds in force that cover an item: by itself, by a folder above, or by a person who made it or one of its versions.
create function holds_of(wanted bigint) returns setof bigint language sql stable as $$
  with recursive up as (
    select i.id, i.parent_id from item i
    where i.id = wanted and exists (select 1 from hold where lifted_at is null)
    union all
    select i.id, i.parent_id from up u join item i on i.id = u.parent_id
  )
  select s.hold_id from up join hold_scope s on s.item_id = up.id join hold h on h.id = s.hold_id
  where h.lifted_at is null
  union
  select s.hold_id from hold h join hold_scope s on s.hold_id = h.id
  where h.lifted_at is null and s.account_id is not null and (
    exists (select 1 from item i where i.id = wanted and i.link_to is null and i.created_by = s.account_id)
    or exists (
      select 1 from version v
      where v.item_id = wanted and (v.created_by = s.account_id or v.editors @> to_jsonb(s.account_id))))
$$;
create function is_held(wanted bigint) returns boolean language sql stable as $$
  select exists (select 1 from holds_of(wanted))
$$;

-- Whether an item or anything below it is held. What was deleted for good before is not counted.
create function contains_held(root bigint) returns boolean language plpgsql stable as $$
begin
  if not exists (select 1 from hold where lifted_at is null) then return false; end if;
  if is_held(root) then return true; end if;
  if exists (
    with recursive up as (
      select i.parent_id from hold h join hold_scope s on s.hold_id = h.id join item i on i.id = s.item_id
      where h.lifted_at is null
      union
      select i.parent_id from up join item i on i.id = up.parent_id
    )
    select 1 from up where parent_id = root) then return true; end if;
  if not exists (
    select 1 from hold h join hold_scope s on s.hold_id = h.id where h.lifted_at is null and s.account_id is not null)
  then return false; end if;
  return exists (
    with recursive down as (
      select c.id, c.created_by, c.link_to from item c where c.parent_id = root and not c.purged
      union all
      select c.id, c.created_by, c.link_to from down d join item c on c.parent_id = d.id where not c.purged
    ), held as (
      select s.account_id from hold h join hold_scope s on s.hold_id = h.id
      where h.lifted_at is null and s.account_id is not null
    )
    select 1 from down d where (d.link_to is null and d.created_by in (select account_id from held))
      or exists (
        select 1 from version v where v.item_id = d.id and (v.created_by in (select account_id from held)
          or exists (select 1 from held p where v.editors @> to_jsonb(p.account_id)))));
end $$;

create function keep_held_item() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(${holdLock});
  -- An item in a deleted folder goes with it: no hold covered it when the folder was deleted.
  if tg_op = 'UPDATE' and exists (select 1 from item p where p.id = new.parent_id and p.purged) then return new; end if;
  if contains_held(old.id) then
    raise exception 'item % is on hold', old.id using errcode = 'restrict_violation', constraint = tg_name;
  end if;
  return case tg_op when 'UPDATE' then new else old end;
end $$;
create trigger item_purge_held before update of purged on item
  for each row when (new.purged and not old.purged) execute function keep_held_item();
create trigger item_delete_held before delete on item
  for each row when (not old.purged) execute function keep_held_item();

-- Versions and remarks stay while their item is held. Those of an item that was deleted for good go with it.
create function keep_held_part() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(${holdLock});
  if exists (select 1 from item where id = old.item_id and not purged) and is_held(old.item_id) then
    raise exception 'item % is on hold', old.item_id using errcode = 'restrict_violation', constraint = tg_name;
  end if;
  return case tg_op when 'UPDATE' then new else old end;
end $$;
create trigger version_delete_held before delete on version for each row execute function keep_held_part();
create trigger version_change_held before update of item_id, number, blob_id on version
  for each row when ((old.item_id, old.number, old.blob_id) is distinct from (new.item_id, new.number, new.blob_id))
  execute function keep_held_part();
create trigger comment_delete_held before delete on comment for each row execute function keep_held_part();
create trigger comment_change_held before update of item_id, text on comment
  for each row when ((old.item_id, old.text) is distinct from (new.item_id, new.text))
  execute function keep_held_part();

-- What is moved out of a held folder stays held.
create function hold_what_moves() returns trigger language plpgsql as $$
begin
  if old.parent_id is null then return null; end if;
  perform pg_advisory_xact_lock_shared(${holdLock});
  if not exists (select 1 from hold where lifted_at is null) then return null; end if;
  insert into hold_scope (hold_id, item_id, name, origin)
  select s.hold_id, new.id, new.name, 'moved'
  from hold h join hold_scope s on s.hold_id = h.id
  where h.lifted_at is null and s.item_id in (
      with recursive up as (
        select old.parent_id as id union all select i.parent_id from up join item i on i.id = up.id)
      select id from up where id is not null)
    and not exists (
      with recursive up as (
        select new.parent_id as id union all select i.parent_id from up join item i on i.id = up.id)
      select 1 from up join hold_scope n on n.item_id = up.id and n.hold_id = s.hold_id)
  group by s.hold_id
  on conflict do nothing;
  return null;
end $$;
create trigger item_move_held after update of parent_id on item
  for each row when (old.parent_id is distinct from new.parent_id) execute function hold_what_moves();

-- The conversations of a held person: their messages stay, also what was said before it was taken back.
create function is_talk_held(wanted bigint) returns boolean language sql stable as $$
  select exists (
    select 1 from hold h join hold_scope s on s.hold_id = h.id join talk_stay t on t.account_id = s.account_id
    where h.lifted_at is null and t.conversation_id = wanted)
$$;
create function keep_held_message() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(${holdLock});
  if is_talk_held(old.conversation_id) then
    raise exception 'message % is on hold', old.id using errcode = 'restrict_violation', constraint = tg_name;
  end if;
  return case tg_op when 'UPDATE' then new else old end;
end $$;
create trigger talk_message_delete_held before delete on talk_message
  for each row execute function keep_held_message();
create trigger talk_message_change_held before update of sealed on talk_message
  for each row when (old.sealed is not null and new.sealed is null) execute function keep_held_message();
`)
    .execute(db)
}
