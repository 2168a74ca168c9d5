// Programs for people's computers, the key that signs their list, and the logs that people send.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table client_package (
      id bigint generated always as identity primary key,
      type text not null check (type in ('client', 'editor')),
      sys text not null check (sys in ('windows', 'mac', 'linux')),
      cpu text not null check (cpu in ('x64', 'arm64')),
      version text not null,
      name text not null,
      blob_id bigint not null references blob,
      notes text not null default '',
      created_at bigint not null,
      created_by bigint not null references account
    )`.execute(db)
  await sql`create unique index client_package_version on client_package (type, sys, cpu, version)`.execute(db)
  await sql`create index client_package_blob on client_package (blob_id)`.execute(db)
  // One row: the key, and how often the list has changed.
  await sql`
    create table client_release (
      id int primary key check (id = 1),
      sealed_key text not null,
      generation bigint not null
    )`.execute(db)
  await sql`
    create table client_log (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      note text not null,
      happened_at bigint not null,
      created_at bigint not null,
      size bigint not null,
      pack bytea not null,
      done boolean not null default false
    )`.execute(db)
  await sql`create index client_log_time on client_log (created_at desc, id desc)`.execute(db)
  await sql`create index client_log_account on client_log (account_id, created_at)`.execute(db)
}
