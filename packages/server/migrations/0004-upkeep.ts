// State of the content maintenance: objects to be removed, the progress of its scans, and the damage that they found.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Objects that no blob names any more. They stay for a while, for whoever has just read their key.
create table dropped_object (key text primary key, dropped_at bigint not null);
create index dropped_object_at on dropped_object (dropped_at);

-- How far a walk is, so that another process goes on where one stopped.
create table walk (name text primary key, value jsonb not null);

-- Contents that the scrubber could not read as they were stored; a row goes when its content reads well again.
create table blob_problem (
  blob_id bigint primary key references blob on delete cascade,
  kind text not null check (kind in ('missing', 'unreadable', 'size', 'hash')),
  found_at bigint not null,
  seen_at bigint not null
);
`)
    .execute(db)
}
