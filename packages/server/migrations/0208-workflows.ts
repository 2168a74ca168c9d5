// Workflows: templates and their versions, processes with their state, course and people (ADR 0214 to 0217).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table workflow_template (
  id bigint generated always as identity primary key,
  name text not null,
  note text not null default '',
  -- The published version; 0: none yet.
  version int not null default 0,
  enabled boolean not null default true,
  created_by bigint not null references account,
  updated_by bigint not null references account,
  updated_at bigint not null,
  deleted_at bigint
);
create unique index workflow_template_name on workflow_template (lower(name)) where deleted_at is null;

create table workflow_version (
  template_id bigint not null references workflow_template on delete cascade,
  number int not null,
  name text not null,
  body jsonb not null,
  published_by bigint not null references account,
  published_at bigint not null,
  primary key (template_id, number)
);

-- Unpublished changes belong to the person who makes them.
create table workflow_draft (
  template_id bigint not null references workflow_template on delete cascade,
  account_id bigint not null references account on delete cascade,
  base_version int not null,
  name text not null,
  note text not null,
  body jsonb not null,
  saved_at bigint not null,
  primary key (template_id, account_id)
);

create table process (
  id bigint generated always as identity primary key,
  template_id bigint not null references workflow_template,
  -- 0 for a draft: it takes the version that is published when it is launched.
  template_version int not null default 0,
  launcher_id bigint not null references account,
  title text not null,
  search_text text not null,
  form jsonb not null,
  comments text not null,
  chosen jsonb not null,
  folder_id bigint not null default 0,
  item_id bigint references item on delete set null,
  item_name text not null default '',
  -- The version that the process is about; 0 without an attachment.
  item_version int not null default 0,
  status text not null default 'draft'
    check (status in ('draft', 'running', 'back', 'passed', 'failed', 'withdrawn')),
  -- The state of the engine (domain/workflow/state.ts).
  state jsonb not null,
  node_names text not null default '',
  -- The server writes the archive now.
  archiving boolean not null default false,
  -- The files that the archive wrote.
  archived jsonb not null default '[]',
  created_at bigint not null,
  launched_at bigint,
  ended_at bigint,
  reminded_at bigint,
  -- The earliest deadline of an open node.
  due_at bigint
);
create unique index process_item on process (item_id) where status in ('draft', 'running', 'back');
create index process_template on process (template_id, template_version) where status in ('running', 'back');
create index process_due on process (due_at) where due_at is not null;
create index process_search on process using gin (search_text gin_trgm_ops);
create index process_launcher on process (launcher_id, id desc);

-- Whom a process waits for: one row for each person and open node.
create table process_task (
  process_id bigint not null references process on delete cascade,
  task_id int not null,
  account_id bigint not null references account,
  rev int not null,
  node text not null,
  mode text not null,
  arrived_at bigint not null,
  due_at bigint,
  primary key (process_id, task_id, account_id)
);
create index process_task_waits on process_task (account_id, arrived_at desc, process_id);

-- Everybody who has to do with a process, with what their lists need of it.
create table process_player (
  process_id bigint not null references process on delete cascade,
  account_id bigint not null references account,
  launched boolean not null default false,
  handled boolean not null default false,
  copied boolean not null default false,
  status text not null,
  arrived_at bigint not null,
  ended_at bigint,
  primary key (process_id, account_id)
);
create index process_player_launched on process_player (account_id, process_id desc) where launched;
create index process_player_launched_state on process_player (account_id, status, process_id desc) where launched;
create index process_player_open on process_player (account_id, arrived_at desc, process_id desc)
  where ended_at is null and (handled or copied);
create index process_player_ended on process_player (account_id, ended_at desc, process_id desc)
  where ended_at is not null;
create index process_player_ended_state on process_player (account_id, status, ended_at desc, process_id desc)
  where ended_at is not null;

create table process_entry (
  id bigint generated always as identity primary key,
  process_id bigint not null references process on delete cascade,
  at bigint not null,
  what text not null,
  node text not null,
  account_id bigint references account,
  by_id bigint references account,
  to_ids jsonb not null default '[]',
  comments text not null default '',
  detail text not null default '',
  version int not null default 0
);
create index process_entry_process on process_entry (process_id, id);

-- The process that a file is or was in, and the version that its result holds for.
alter table item add column process_id bigint, add column process_version int;
-- Files that a process locks: those of a folder that is to be moved or deleted.
create index item_in_process on item (library_id)
  where process_id is not null and status & 114688 = 0 and deleted_at is null;

-- Handlers read the attachment as long as the process runs.
alter table entry add column process_id bigint references process on delete cascade;
create unique index entry_process on entry (process_id, subject_id) where process_id is not null;
`)
    .execute(db)
}
