// Copies between linked servers: each with its items, so that it goes on where it stopped.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table server_copy (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      source_server bigint not null,
      target_server bigint not null,
      target_folder bigint not null,
      target_name text not null default '',
      conflict text not null,
      is_move boolean not null,
      state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
      -- Why it has failed.
      code text not null default '',
      -- The server that does not respond.
      waiting_for bigint,
      waiting_code text not null default '',
      -- The circumstances under which it was asked for: it may do what its session might.
      address text not null,
      strong boolean not null,
      device_id bigint,
      via_server bigint,
      created_at bigint not null,
      ended_at bigint
    )`.execute(db)
  await sql`create index server_copy_account on server_copy (account_id, id)`.execute(db)
  await sql`
    create table server_copy_item (
      id bigint generated always as identity primary key,
      copy_id bigint not null references server_copy on delete cascade,
      -- Null for the items that were asked for.
      parent_id bigint references server_copy_item on delete cascade,
      f_type smallint not null,
      source_id bigint not null,
      name text not null default '',
      version int not null default 0,
      size bigint not null default 0,
      disk_time bigint not null default 0,
      secret_level int not null default 0,
      -- A folder is made, then listed. Its items follow.
      state text not null default 'waiting' check (state in ('waiting', 'making', 'listing', 'done', 'refused')),
      -- The name under which a folder is being made.
      made_name text not null default '',
      -- Where the list of a folder continues.
      list_after text,
      upload_id text,
      sha256 bytea,
      sent bigint not null default 0,
      target_id bigint,
      tries int not null default 0,
      code text not null default '',
      -- For items of a move.
      removal text not null default '' check (removal in ('', 'begun', 'done')),
      unique nulls not distinct (copy_id, parent_id, f_type, source_id)
    )`.execute(db)
  await sql`create index server_copy_item_parent on server_copy_item (parent_id)`.execute(db)
  await sql`create index server_copy_item_open on server_copy_item (copy_id, state) where state <> 'done'`.execute(db)
}
