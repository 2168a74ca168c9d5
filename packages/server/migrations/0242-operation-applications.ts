// Applications for downloads and links: who needs one, what was applied for, and what an approval grants.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Which operations of whom need an application, where, and who reviews it.
create table operation_rule (
  id bigint generated always as identity primary key,
  -- The rule with the lowest position that matches an application determines its reviewers.
  position int not null,
  name text not null,
  operation text not null check (operation in ('download', 'link')),
  is_active boolean not null,
  -- People who hold the right need an application too; without it the rule only names the reviewers.
  binds_holders boolean not null,
  -- Libraries and folders; none: everywhere.
  item_ids bigint[] not null default '{}',
  rounds jsonb not null,
  -- The applicant may choose among the reviewers of the first round.
  may_choose boolean not null,
  -- Hours until the deadline, 0 for none, and what happens then.
  hours int not null,
  at_deadline text not null check (at_deadline in ('wait', 'reject', 'managers')),
  -- Up to so many files of at most this level are approved without a reviewer; 0 for none.
  auto_files int not null,
  auto_level int not null,
  auto_own_department boolean not null
);
create table operation_rule_subject (
  rule_id bigint not null references operation_rule on delete cascade,
  subject_type text not null check (subject_type in ('everybody', 'user', 'group', 'role')),
  subject_id bigint not null,
  is_exempt boolean not null,
  primary key (rule_id, subject_type, subject_id)
);

-- What an application is for, with the content of its folders when it was made. The items may be gone.
create table application_item (
  review_id bigint not null references review on delete cascade,
  item_id bigint not null,
  -- The item that was applied for: itself, or the folder that it is in.
  root_id bigint not null,
  f_type smallint not null,
  name text not null,
  path text not null,
  size bigint not null,
  version int not null,
  secret_level int not null,
  result text check (result in ('approved', 'rejected')),
  primary key (review_id, item_id)
);
create index application_item_root on application_item (review_id, root_id, path);
create index application_item_item on application_item (item_id);

-- A link that is approved for one version of a file only.
alter table external_link add column only_version int;

-- Applications that somebody has removed from their lists.
create table review_hidden (
  review_id bigint not null references review on delete cascade,
  account_id bigint not null references account on delete cascade,
  primary key (review_id, account_id)
);

-- The counted downloads that an application grants. Ended and revoked ones remain for the record.
alter table item add column granted boolean not null default false;
create table download_grant (
  id bigint generated always as identity primary key,
  review_id bigint not null references review on delete cascade,
  item_id bigint not null references item on delete cascade,
  account_id bigint not null references account on delete cascade,
  -- The version applied for. Only this one, or this one and later ones.
  version int not null,
  only_version boolean not null,
  -- 0: no limit. A folder has none: its files are counted.
  most int not null,
  used int not null default 0,
  ends_at bigint not null,
  ended_at bigint,
  unique (review_id, item_id),
  check (most = 0 or used <= most)
);
create index download_grant_item on download_grant (item_id, account_id) where ended_at is null;
create index download_grant_account on download_grant (account_id) where ended_at is null;
create index download_grant_ends on download_grant (ends_at) where ended_at is null;
create trigger download_grant_inserted_invalidates after insert on download_grant referencing new table as told
  for each statement execute function invalidate_entries();
create trigger download_grant_deleted_invalidates after delete on download_grant referencing old table as told
  for each statement execute function invalidate_entries();
create function invalidate_ended_grant() returns trigger language plpgsql as $$
begin
  insert into invalidated (kind, id)
  select 3, new.item_id union
  select 4, i.parent_id from item i where i.id = new.item_id and i.parent_id is not null;
  return null;
end $$;
create trigger download_grant_ended_invalidates after update on download_grant
  for each row when (old.ended_at is distinct from new.ended_at or old.ends_at <> new.ends_at)
  execute function invalidate_ended_grant();

create trigger download_grant_emptied_invalidates after truncate on download_grant
  for each statement execute function invalidate_everything();

-- One download by a grant: the bytes that its requests have sent, at most a little more than the size.
create table download_delivery (
  id bigint generated always as identity primary key,
  grant_id bigint not null references download_grant on delete cascade,
  version int not null,
  at bigint not null,
  size bigint not null,
  sent bigint not null,
  address text not null,
  -- The visitor of a link, if the download was theirs.
  visitor text not null default ''
);
create index download_delivery_grant on download_delivery (grant_id, at desc);
`)
    .execute(db)
}
