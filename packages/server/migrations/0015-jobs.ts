// The job queue (core/queue): a job is written with the change that requests it, is taken by any process, and is
// completed or retried.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table job (
  id bigint generated always as identity primary key,
  kind text not null,
  -- One job for each key of a kind, however many ask for it.
  key text not null,
  input jsonb not null,
  state text not null default 'waiting',
  -- From when on it may be taken: one that waits, after a failure; one that runs, when its lease has run out.
  due bigint,
  attempts int not null default 0,
  -- Grows whenever it changes hands, so that whoever had it before writes nothing any more.
  fence int not null default 0,
  progress smallint not null default 0 check (progress between 0 and 1000),
  result jsonb,
  error_code text,
  error_message text,
  created_at bigint not null,
  ended_at bigint,
  kept_until bigint,
  -- In this order: what is due is looked for by kind, and is not to be looked for by an index that holds the rest too.
  unique (key, kind),
  constraint job_state check (state in ('waiting', 'running') and due is not null and ended_at is null and kept_until is null
    or state in ('done', 'failed', 'cancelled') and due is null and ended_at is not null and kept_until is not null)
);
-- What may be taken, in the order in which it is; in which order rows of one moment came is of no account.
create index job_due on job (kind, due) where due is not null;
create index job_failed on job (kind) where state = 'failed';
create index job_kept_until on job (kept_until) where kept_until is not null;

-- By the index, planned for the size that the table has: it is often empty when that is done once for all.
create function due_kinds(kinds text[], at bigint) returns setof text
language plpgsql stable set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  each text;
begin
  foreach each in array kinds loop
    if exists (select 1 from job j where j.kind = each and j.due <= at) then
      return next each;
    end if;
  end loop;
end $$;

-- Rows come and go at the front of the index.
alter table job set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.05);
`)
    .execute(db)
}
