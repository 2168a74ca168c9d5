// Rules for sensitive content, what they found in contents, the state of files, and what reviewers decided.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- The accounts that may still use the content of a file that is held back; null if it is not. A column of the item, because the
-- rights on every use are evaluated from its row.
alter table item add column held_for jsonb;
-- A version that is held back is served to nobody once it is no longer the current one.
alter table version add column held boolean not null default false;

create table sensitive_rule (
  id bigint generated always as identity primary key,
  rule jsonb not null,
  version integer not null default 1,
  changed_at bigint not null,
  deleted_at bigint
);
create trigger sensitive_rule_invalidates after insert or update or delete on sensitive_rule
  for each row execute function invalidate_everything();
create trigger sensitive_rule_emptied_invalidates after truncate on sensitive_rule
  for each statement execute function invalidate_everything();

create table sensitive_reviewer (
  subject_type text not null check (subject_type in ('user', 'role')),
  subject_id bigint not null,
  primary key (subject_type, subject_id)
);

-- What a set of rules found in a content, read as a kind of document.
create table sensitive_result (
  blob_id bigint not null references blob on delete cascade,
  kind text not null,
  rule_set text not null,
  -- Identifies the text that was read: it grows when pages are recognized.
  text_key text not null,
  outcome text not null check (outcome in ('inspected', 'partly', 'notInspected')),
  reason text not null,
  findings jsonb not null,
  -- The places are in the text of everything in the content, not in the one that search has extracted.
  whole boolean not null,
  left_out jsonb not null,
  ms integer not null,
  at bigint not null,
  primary key (blob_id, kind)
);

create table sensitive_file (
  id bigint generated always as identity primary key,
  item_id bigint not null references item on delete cascade,
  version integer not null,
  blob_id bigint not null,
  name text not null,
  uploader_id bigint not null references account,
  state text not null check (state in
    ('detecting', 'clean', 'noted', 'waiting', 'approved', 'disapproved', 'deleted', 'replaced')),
  -- A check has to be evaluated: a new version, or an existing one that is checked again.
  pending boolean not null,
  pending_since bigint not null,
  tries integer not null default 0,
  outcome text not null default 'pending',
  reason text not null default '',
  action text not null default 'none',
  hits jsonb not null default '[]',
  -- The rules and the hashes of the values about which a reviewer is asked.
  asked jsonb not null default '[]',
  review_id bigint references review on delete set null,
  created_at bigint not null,
  found_at bigint,
  decided_at bigint,
  unique (item_id, version)
);
create index sensitive_file_pending on sensitive_file (blob_id) where pending;
create index sensitive_file_since on sensitive_file (pending_since) where pending;
create index sensitive_file_mine on sensitive_file (uploader_id, id desc) where state <> 'clean' or outcome <> 'inspected';
create index sensitive_file_review on sensitive_file (review_id) where review_id is not null;
create index sensitive_file_unasked on sensitive_file (id) where state = 'waiting' and review_id is null;
create index sensitive_file_uninspected on sensitive_file (id) where outcome in ('partly', 'notInspected');

-- Values that a reviewer released, by their keyed hash: for the item with every later version, and for the same content
-- in the same library.
create table sensitive_release (
  item_id bigint not null,
  library_id bigint not null,
  blob_id bigint not null,
  rule_id bigint not null,
  hash text not null,
  review_id bigint not null,
  at bigint not null,
  primary key (item_id, rule_id, hash, blob_id)
);
create index sensitive_release_content on sensitive_release (blob_id, library_id);
create index sensitive_release_review on sensitive_release (review_id);

create table sensitive_log (
  id bigint generated always as identity primary key,
  at bigint not null,
  what text not null,
  account_id bigint,
  check_id bigint not null,
  item_id bigint not null,
  name text not null,
  version integer not null,
  action text not null,
  reason text not null,
  hits jsonb not null,
  comments text not null,
  place text not null
);
create index sensitive_log_at on sensitive_log (at desc, id desc);
create index sensitive_log_check on sensitive_log (check_id, id desc);

create table sensitive_run (
  id bigint generated always as identity primary key,
  state text not null check (state in ('running', 'done', 'stopped')),
  started_by bigint not null references account,
  started_at bigint not null,
  ended_at bigint,
  last_id bigint not null default 0,
  total integer not null,
  done integer not null default 0,
  found integer not null default 0
);
create unique index sensitive_run_running on sensitive_run ((true)) where state = 'running';
`)
    .execute(db)
}
