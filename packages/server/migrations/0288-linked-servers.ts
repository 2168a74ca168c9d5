// Linked servers have a key pair each instead of one shared key, a state that all processes share, and accounts of
// their people.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table server_key (
      public_key text primary key,
      sealed_key text not null,
      created_at bigint not null,
      retired_at bigint,
      revoked_at bigint
    )`.execute(db)
  await sql`
    alter table linked_server
      drop column key,
      add column server_code text not null default '',
      add column best_server text not null default '',
      -- Its present key. Empty: not known yet.
      add column public_key text not null default '',
      -- Our key that it knows. Empty: the current one.
      add column told_key text not null default '',
      -- Whether its people may come here, and ours may go there.
      add column admits boolean not null default true,
      add column visits boolean not null default true,
      add column same_names boolean not null default true,
      add column is_paused boolean not null default false,
      add column checked_with text not null default '',
      add column checked_at bigint not null default 0,
      add column state text not null default 'invalid',
      add column cause text not null default 'key',
      add column cause_detail text not null default '',
      add column state_since bigint not null default 0,
      add column failures integer not null default 0,
      add column retry_at bigint not null default 0,
      add column seen_at bigint not null default 0,
      add column latency_ms integer not null default 0,
      add column version text not null default ''`.execute(db)
  // Keys of other servers remain when the server is removed: receipts that they signed stay readable.
  await sql`
    create table linked_server_key (
      public_key text primary key,
      server_id bigint not null,
      since bigint not null,
      retired_at bigint,
      revoked_at bigint,
      -- The key that took its place.
      next_key text not null default ''
    )`.execute(db)
  await sql`create index linked_server_key_server on linked_server_key (server_id)`.execute(db)
  await sql`
    create table linked_account (
      server_id bigint not null references linked_server on delete cascade,
      their_number bigint not null,
      their_account text not null,
      account_id bigint not null references account on delete cascade,
      created_at bigint not null,
      primary key (server_id, their_number)
    )`.execute(db)
  await sql`create index linked_account_account on linked_account (account_id)`.execute(db)
  // A session that another server opened for one of its people has no administrative powers and ends with the link.
  await sql`alter table session add column via_server bigint references linked_server on delete cascade`.execute(db)
  await sql`create index session_via_server on session (via_server) where via_server is not null`.execute(db)
}
