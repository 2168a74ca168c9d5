// The history of memberships: departments, roles and library owners, recorded on every change, to answer who could see
// what on a past day. Rows that existed before count from the beginning.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table member_change (
  id bigint generated always as identity primary key,
  at bigint not null default (extract(epoch from clock_timestamp()) * 1000)::bigint,
  -- department, member, parent, title, roleAccount, roleGroup, roleTitle, owner, manager: what belongs to what.
  kind text not null,
  one bigint not null,
  other text not null,
  added boolean not null
);
create index member_change_at on member_change (at);

-- Of each table the columns of a pair, and those alone: whatever else changes of a row is not written down.
create function tell_member_change() returns trigger language plpgsql as $$
declare
  kind_ text := tg_argv[0];
  one_ text := tg_argv[1];
  other_ text := tg_argv[2];
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  became jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  if was ->> one_ is not distinct from became ->> one_ and was ->> other_ is not distinct from became ->> other_ then
    return null;
  end if;
  if coalesce(was ->> other_, '') <> '' then
    insert into member_change (kind, one, other, added) values (kind_, (was ->> one_)::bigint, was ->> other_, false);
  end if;
  if coalesce(became ->> other_, '') <> '' then
    insert into member_change (kind, one, other, added) values (kind_, (became ->> one_)::bigint, became ->> other_, true);
  end if;
  return null;
end $$;

create trigger account_department_history after insert or delete or update of group_id on account
  for each row execute function tell_member_change('department', 'id', 'group_id');
create trigger account_title_history after insert or delete or update of title on account
  for each row execute function tell_member_change('title', 'id', 'title');
create trigger membership_history after insert or delete or update on membership
  for each row execute function tell_member_change('member', 'account_id', 'group_id');
create trigger org_group_parent_history after insert or delete or update of parent_id on org_group
  for each row execute function tell_member_change('parent', 'id', 'parent_id');
create trigger role_account_history after insert or delete or update on role_account
  for each row execute function tell_member_change('roleAccount', 'role_id', 'account_id');
create trigger role_group_history after insert or delete or update on role_group
  for each row execute function tell_member_change('roleGroup', 'role_id', 'group_id');
create trigger role_title_history after insert or delete or update on role_title
  for each row execute function tell_member_change('roleTitle', 'role_id', 'title');
create trigger library_owner_history after insert or delete or update of owner_id on library
  for each row execute function tell_member_change('owner', 'id', 'owner_id');
create trigger library_manager_history after insert or delete or update on library_manager
  for each row execute function tell_member_change('manager', 'library_id', 'account_id');
`)
    .execute(db)
}
