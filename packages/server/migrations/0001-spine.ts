// The first tables: organisation, sessions, the tree, content, rights, events. Times are milliseconds since 1970 UTC
// from the server's clock (context.now), so that tests can fix them. Texts that are sorted or unique have a key column
// in COLLATE "C". One function in the server computes these keys, so client, server and every PostgreSQL compare the
// same bytes.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create extension if not exists pg_trgm;

create table setting (code text primary key, value jsonb not null);
create table secret (name text primary key, value text not null);
-- Versions of what requests may cache: a request reads them with its session, so no process serves stale authority.
-- 'event' is the newest position of the event table.
create table stamp (name text primary key, value bigint not null);
insert into stamp values ('organisation', 1), ('settings', 1), ('event', 0);

create table org_group (
  id bigint generated always as identity primary key,
  parent_id bigint references org_group,
  name text not null,
  name_key text collate "C" not null,
  name_sort text collate "C" not null,
  search_text text not null
);
create unique index org_group_name on org_group (coalesce(parent_id, 0), name_key);

create table account (
  id bigint generated always as identity primary key,
  account text not null,
  account_key text collate "C" not null unique,
  name text not null,
  name_sort text collate "C" not null,
  search_text text not null,
  password_hash text not null,
  group_id bigint not null references org_group,
  secret_level int not null default 0,
  state text not null default 'normal',
  is_admin boolean not null default false,
  must_change_password boolean not null default false,
  created_at bigint not null
);
create index account_group on account (group_id, name_sort, id);

create table role (
  id bigint generated always as identity primary key,
  name text not null,
  name_key text collate "C" not null unique,
  search_text text not null
);
create table role_account (
  role_id bigint not null references role on delete cascade,
  account_id bigint not null references account on delete cascade,
  primary key (role_id, account_id)
);
create index role_account_account on role_account (account_id);

create table session (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  account_id bigint not null references account on delete cascade,
  client_type int not null,
  guest boolean not null default false,
  address text not null,
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null
);
create index session_account on session (account_id, client_type);
create index session_expires on session (expires_at);

-- Single-use things of the sign-in: login keys, nonces, captcha codes. The id is a hash of what the client holds.
create table once (
  kind text not null,
  id_hash bytea not null,
  value text not null,
  expires_at bigint not null,
  primary key (kind, id_hash)
);
create index once_expires on once (expires_at);

create table throttle (
  key text primary key,
  failures int not null,
  since bigint not null
);

create table item (
  id bigint generated always as identity primary key,
  library_id bigint not null,
  parent_id bigint references item,
  f_type smallint not null check (f_type in (1, 2)),
  name text not null,
  name_key text collate "C" not null,
  name_sort text collate "C" not null,
  search_text text not null,
  search_grams text[] not null,
  ext text collate "C" not null default '',
  created_by bigint not null references account,
  created_at bigint not null,
  modified_by bigint not null references account,
  modified_at bigint not null,
  version int not null default 0,
  size bigint not null default 0,
  status int not null default 0,
  doc_flag int not null default 0,
  secret_level int not null default 0,
  -- Rights: own_rules says that this item has entries of its own, does not inherit, or is restricted.
  inherit boolean not null default true,
  restricted boolean not null default false,
  own_rules boolean not null default false,
  -- Only the root of what was deleted is marked; an item lives while it and everything above it does.
  deleted_at bigint,
  deleted_by bigint references account,
  purged boolean not null default false,
  check (parent_id is not null or id = library_id)
);
-- Plans are kept: a fresh installation that is filled in minutes must not go on with those of an empty one.
alter table item set (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.05);
create unique index item_name on item (parent_id, name_key) where deleted_at is null;
-- One page of a folder is a range of one of these, in either direction, without a sort.
create index item_by_name on item (parent_id, f_type, name_sort, id) where deleted_at is null;
create index item_by_time on item (parent_id, f_type, modified_at, id) where deleted_at is null;
create index item_by_size on item (parent_id, f_type, size, id) where deleted_at is null;
create index item_by_type on item (parent_id, f_type, ext, name_sort, id) where deleted_at is null;
create index item_parent on item (parent_id);
create index item_own_rules on item (parent_id) where own_rules and deleted_at is null;
create index item_deleted_by on item (deleted_by, deleted_at, id) where deleted_at is not null and not purged;
create index item_deleted_in on item (library_id, deleted_at, id) where deleted_at is not null and not purged;
create index item_purged on item (id) where purged;
-- Documents being signed and read-only folders: what may not move or go away with the folder it is in.
create index item_flagged on item (library_id) where status & 270532608 <> 0 and deleted_at is null;
create index item_text on item using gin (search_text gin_trgm_ops) where deleted_at is null;
create index item_grams on item using gin (search_grams) where deleted_at is null;

create table library (
  id bigint primary key references item deferrable initially deferred,
  kind text not null check (kind in ('company', 'department', 'personal', 'archive')),
  owner_id bigint references account,
  group_id bigint references org_group,
  quota bigint not null default 0
);
alter table item add foreign key (library_id) references library deferrable initially deferred;
create unique index library_owner on library (owner_id) where kind = 'personal';
create index library_group on library (group_id);
create table library_manager (
  library_id bigint not null references library on delete cascade,
  account_id bigint not null references account on delete cascade,
  primary key (library_id, account_id)
);
create index library_manager_account on library_manager (account_id);

-- A live blob maps a content to one object; the object's key is never used again.
create table blob (
  id bigint generated always as identity primary key,
  sha256 bytea not null,
  size bigint not null,
  key text not null unique,
  created_at bigint not null
);
create unique index blob_content on blob (sha256, size);

create table version (
  item_id bigint not null references item on delete cascade,
  number int not null,
  blob_id bigint not null references blob,
  size bigint not null,
  created_by bigint not null references account,
  created_at bigint not null,
  comment text not null default '',
  primary key (item_id, number)
);
create index version_blob on version (blob_id);

create table entry (
  id bigint generated always as identity primary key,
  item_id bigint not null references item on delete cascade,
  subject_type text not null check (subject_type in ('user', 'group', 'role')),
  subject_id bigint not null,
  rights int not null,
  kind text not null check (kind in ('independent', 'application')),
  expires_at bigint,
  created_by bigint not null references account,
  created_at bigint not null
);
create unique index entry_independent on entry (item_id, subject_type, subject_id) where kind = 'independent';
create index entry_item on entry (item_id);
create index entry_subject on entry (subject_type, subject_id);

-- One row per change, written with it. The sequencer gives committed rows their position afterwards.
create table event (
  id bigint generated always as identity primary key,
  position bigint,
  kind text not null,
  library_id bigint,
  item_id bigint,
  payload jsonb not null,
  actor_id bigint,
  created_at bigint not null
);
create index event_waiting on event (id) where position is null;
create unique index event_position on event (position);
create table personal_push (
  account_id bigint not null references account on delete cascade,
  position bigint not null,
  push_type int not null,
  payload jsonb not null,
  created_at bigint not null,
  primary key (account_id, position)
);

create table audit (
  id bigint generated always as identity primary key,
  at bigint not null,
  account_id bigint,
  call text not null,
  address text not null,
  items bigint[] not null,
  detail jsonb not null
);

-- What changed in sums, appended by writers and folded by an elected job: no writer waits for a counter row.
create table tally (
  id bigint generated always as identity primary key,
  library_id bigint not null,
  account_id bigint not null,
  folder_id bigint,
  bytes bigint not null,
  children int not null
);
create index tally_folder on tally (folder_id);
create index tally_account on tally (account_id);
create index tally_library on tally (library_id);
create table usage_total (
  library_id bigint not null,
  account_id bigint not null,
  bytes bigint not null,
  primary key (library_id, account_id)
);
create index usage_total_account on usage_total (account_id);
create table child_total (folder_id bigint primary key, children bigint not null);
`)
    .execute(db)
}
