// Instant messaging as the company governs it: who may write to whom, exports that two agree to, groups of libraries.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table talk_conversation add column library_id bigint references library on delete set null;
create unique index talk_conversation_library on talk_conversation (library_id)
  where library_id is not null and dissolved_at is null;
create index talk_message_time on talk_message (conversation_id, created_at);
create index talk_message_mentioning on talk_message (conversation_id, number) where mentions <> '{}';
create index talk_conversation_founder on talk_conversation (founder_id) where founder_id is not null;

-- Who may write to whom. A rule that allows wins over those that refuse.
create table talk_rule (
  id bigint generated always as identity primary key,
  from_type text not null check (from_type in ('all', 'user', 'group', 'role')),
  from_id bigint not null,
  to_type text not null check (to_type in ('all', 'user', 'group', 'role')),
  to_id bigint not null,
  -- Also the other way round.
  both_ways boolean not null,
  allows boolean not null,
  created_by bigint not null references account,
  created_at bigint not null
);
create unique index talk_rule_subjects on talk_rule (from_type, from_id, to_type, to_id);
create index talk_rule_by on talk_rule (created_by);

-- Whether an account is, or belongs to, a subject: departments with those above them, roles by account, department, title.
create function talk_belongs(account_id bigint, kind text, subject_id bigint) returns boolean
language sql stable as $$
  with recursive own as (
    select a.group_id as id from account a where a.id = $1
    union select m.group_id from membership m where m.account_id = $1
  ), up as (
    select id from own union select g.parent_id from up join org_group g on g.id = up.id where g.parent_id is not null
  )
  select case $2 when 'all' then true when 'user' then $1 = $3
    when 'group' then exists (select 1 from up where id = $3)
    else exists (select 1 from role_account r where r.role_id = $3 and r.account_id = $1)
      or exists (select 1 from role_group r join up on up.id = r.group_id where r.role_id = $3)
      or exists (select 1 from role_title r join account a on a.title = r.title and a.title <> ''
        where r.role_id = $3 and a.id = $1) end
$$;

-- Whether the rules of the company refuse that one account writes to another. Within the receiving side of a rule that
-- names one, everybody may write.
create function talk_refused(writer bigint, reader bigint) returns boolean
language plpgsql stable as $$
begin
  if not exists (select 1 from talk_rule) then return false; end if;
  return coalesce((select not bool_or(r.allows) from talk_rule r
    where ((talk_belongs(writer, r.from_type, r.from_id) and talk_belongs(reader, r.to_type, r.to_id))
        or (r.both_ways and talk_belongs(reader, r.from_type, r.from_id) and talk_belongs(writer, r.to_type, r.to_id)))
      and (r.allows or not ((r.to_type <> 'all' and talk_belongs(writer, r.to_type, r.to_id)
          and talk_belongs(reader, r.to_type, r.to_id))
        or (r.to_type = 'all' and r.from_type <> 'all' and talk_belongs(writer, r.from_type, r.from_id)
          and talk_belongs(reader, r.from_type, r.from_id))))), false);
end $$;

-- Messages that an administrator wants to export. Two others have to agree.
create table talk_export (
  id bigint generated always as identity primary key,
  asked_by bigint not null references account,
  reason text not null,
  -- Of a person, or of a group.
  account_id bigint references account,
  conversation_id bigint references talk_conversation on delete cascade,
  from_at bigint not null,
  to_at bigint not null,
  state text not null check (state in ('waiting', 'agreed', 'refused')),
  created_at bigint not null,
  ended_at bigint,
  check ((account_id is null) <> (conversation_id is null))
);
create index talk_export_by on talk_export (asked_by);
create index talk_export_account on talk_export (account_id);
create index talk_export_conversation on talk_export (conversation_id);

create table talk_export_vote (
  export_id bigint not null references talk_export on delete cascade,
  account_id bigint not null references account,
  agrees boolean not null,
  voted_at bigint not null,
  primary key (export_id, account_id)
);
create index talk_export_vote_account on talk_export_vote (account_id);
`)
    .execute(db)
}
