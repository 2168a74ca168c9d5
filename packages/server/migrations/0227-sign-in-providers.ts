// Sign-in providers, the people that they know, and their synchronizations (ADR 0234).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table provider (
      id bigint generated always as identity primary key,
      name text not null,
      enabled boolean not null,
      -- What the contract declares for its kind; the secret is encrypted and apart.
      settings jsonb not null,
      secret text not null,
      created_at bigint not null,
      -- What the last complete list was read with: with something else, who is missing has not left.
      read_with text not null default '',
      synced_at bigint not null default 0
    )`.execute(db)
  await sql`create unique index provider_name on provider (lower(name))`.execute(db)
  await sql`
    create table provider_identity (
      id bigint generated always as identity primary key,
      provider_id bigint not null references provider on delete cascade,
      -- The provider's immutable id of the person.
      external_id text not null,
      -- Null: the account name belongs to an account that nobody has joined with this person.
      account_id bigint references account on delete cascade,
      label text not null,
      account_name text not null,
      account_key text not null,
      -- The account was frozen because the provider does not have the person any more, or has them disabled.
      frozen_here boolean not null default false,
      -- The roles that the groups of the provider have given.
      role_ids bigint[] not null default '{}'
    )`.execute(db)
  await sql`create unique index provider_identity_external on provider_identity (provider_id, external_id)`.execute(db)
  await sql`
    create unique index provider_identity_account on provider_identity (account_id, provider_id)
    where account_id is not null`.execute(db)
  await sql`
    create table provider_run (
      id bigint generated always as identity primary key,
      provider_id bigint not null references provider on delete cascade,
      dry boolean not null,
      state text not null,
      started_at bigint not null,
      ended_at bigint not null default 0,
      -- The run whose mass change this one may carry out.
      confirmed_id bigint not null default 0,
      counts jsonb not null default '{}',
      problem text not null default '',
      changes jsonb not null default '[]'
    )`.execute(db)
  await sql`create index provider_run_newest on provider_run (provider_id, id desc)`.execute(db)
  await sql`create unique index provider_run_one on provider_run (provider_id) where state = 'running'`.execute(db)
  await sql`
    create table provider_session (
      session_id bigint primary key references session on delete cascade,
      provider_id bigint not null references provider on delete cascade,
      subject text not null,
      sid text not null
    )`.execute(db)
  await sql`create index provider_session_subject on provider_session (provider_id, subject)`.execute(db)
  await sql`create index provider_session_sid on provider_session (provider_id, sid)`.execute(db)
}
