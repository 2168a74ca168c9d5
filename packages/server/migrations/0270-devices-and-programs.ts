// Devices from which people sign in, and programs that act for an account with a token of their own.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table device (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      -- The hash of the name that the browser or the machine has given.
      mark bytea not null,
      name text not null default '',
      agent text not null default '',
      client_type integer not null,
      state text not null check (state in ('waiting', 'approved', 'refused', 'wiped')),
      -- What an administrator notes of it.
      description text not null default '',
      -- The version of the sandbox driver; empty: none.
      sandbox text not null default '',
      address text not null,
      created_at bigint not null,
      used_at bigint not null,
      decided_by bigint references account on delete set null,
      decided_at bigint not null default 0,
      -- When the device has said that it has forgotten what it kept; 0: not yet.
      cleared_at bigint not null default 0
    )`.execute(db)
  await sql`create unique index device_mark on device (account_id, mark)`.execute(db)
  await sql`create index device_state on device (state, used_at desc)`.execute(db)
  await sql`
    create table program (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      kind text not null check (kind in ('personal', 'service', 'app')),
      name text not null,
      scopes text[] not null,
      -- The libraries that it is limited to; empty: those of the account.
      library_ids bigint[] not null default '{}',
      -- The end of its token, by which people tell tokens apart.
      ending text not null,
      -- The hash of the secret with which a service fetches tokens; null: its token is a session of its own.
      secret_hash bytea,
      created_by bigint references account on delete set null,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint not null default 0
    )`.execute(db)
  await sql`create index program_account on program (account_id)`.execute(db)
  // An account that only tokens open.
  await sql`alter table account add column service boolean not null default false`.execute(db)
  await sql`alter table session add column device_id bigint references device on delete set null`.execute(db)
  await sql`alter table session add column program_id bigint references program on delete cascade`.execute(db)
  await sql`create index session_device on session (device_id) where device_id is not null`.execute(db)
  await sql`create index session_program on session (program_id) where program_id is not null`.execute(db)
}
