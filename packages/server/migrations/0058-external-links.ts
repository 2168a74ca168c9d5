// External links, and the actions of their visitors (sharing/links).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table external_link (
  id bigint generated always as identity primary key,
  -- The last part of its address.
  token text not null unique,
  item_id bigint not null references item on delete cascade,
  account_id bigint not null references account,
  -- 4 to look, 8 to download, 16 to put something in.
  rights int not null,
  -- Sealed: its owner is told it again.
  password text,
  -- Grows with each change that those who are inside have to pass again.
  pass_version int not null default 1,
  starts_at bigint not null,
  ends_at bigint not null,
  visit_limit int not null default 0,
  download_limit int not null default 0,
  visits int not null default 0,
  -- Those under way count: they are given back where they break off.
  downloads int not null default 0,
  people bigint[] not null default '{}',
  note text not null default '',
  -- Documents of a higher secret level are not given out by it.
  secret_level int not null,
  notify boolean not null default false,
  approval text check (approval in ('pending', 'refused')),
  paused_at bigint,
  cancelled_at bigint,
  created_at bigint not null,
  modified_at bigint not null,
  -- Whether its item says of it that it is there.
  shown boolean not null default true
);
create index external_link_item on external_link (item_id);
create index external_link_account on external_link (account_id, id desc);
create index external_link_people on external_link using gin (people);
create index external_link_ends on external_link (ends_at) where shown;

create table external_visit (
  id bigint generated always as identity primary key,
  link_id bigint not null references external_link on delete cascade,
  at bigint not null,
  what text not null check (what in ('open', 'preview', 'download', 'upload', 'wrongPassword')),
  item_id bigint,
  name text not null default '',
  -- Who said they were who, or is known by their account.
  visitor text not null default '',
  account_id bigint references account,
  -- One coming in, so that each sees what they brought.
  pass text,
  address text not null,
  agent text not null default '',
  bytes bigint not null default 0
);
create index external_visit_link on external_visit (link_id, id desc);
create index external_visit_account on external_visit (account_id) where account_id is not null;
create index external_visit_pass on external_visit (link_id, pass) where what = 'upload';
`)
    .execute(db)
}
