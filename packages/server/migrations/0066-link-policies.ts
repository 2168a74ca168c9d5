// Policies for external links, by person, role, department or for everybody, and the approval state of a link.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table link_policy (
  id bigint generated always as identity primary key,
  -- Whom it is for; nobody named: everybody.
  account_id bigint unique references account on delete cascade,
  group_id bigint unique references org_group on delete cascade,
  role_id bigint unique references role on delete cascade,
  may_create boolean not null default true,
  default_days int not null default 7,
  -- 0: as long as one likes.
  longest_days int not null default 0,
  needs_password boolean not null default false,
  may_download boolean not null default true,
  needs_approval boolean not null default false,
  -- To which domains of mail links may be sent; none: to all.
  domains text[] not null default '{}',
  -- Who decides; nobody: whoever owns or manages the library.
  approvers bigint[] not null default '{}',
  check (num_nonnulls(account_id, group_id, role_id) <= 1)
);
create unique index link_policy_everybody on link_policy ((true))
  where account_id is null and group_id is null and role_id is null;

alter table external_link drop constraint external_link_approval_check;
alter table external_link add constraint external_link_approval_check
  check (approval in ('pending', 'approved', 'refused', 'revoked', 'withdrawn'));
-- Since when its end is as it is: how long links may live is counted from there.
alter table external_link add column end_set_at bigint;
update external_link set end_set_at = created_at;
alter table external_link alter column end_set_at set not null;
create index external_link_open on external_link (ends_at) where cancelled_at is null;
`)
    .execute(db)
}
