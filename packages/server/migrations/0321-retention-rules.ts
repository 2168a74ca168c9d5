// Retention rules: which files are removed when nobody has changed them for long enough (ADR 0335).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table retention_rule (
      id bigint generated always as identity primary key,
      name text not null,
      -- A library or a folder; null: everywhere. Without a foreign key: a rule whose place is gone removes nothing.
      place_id bigint,
      exts text[] not null default '{}',
      level_from int not null default 0,
      level_to int not null default 100,
      days int not null check (days > 0),
      for_good boolean not null,
      enabled boolean not null default true,
      changed_by bigint not null references account,
      changed_at bigint not null,
      next_run bigint not null,
      last_run bigint,
      last_count int not null default 0,
      last_bytes bigint not null default 0
    )`.execute(db)
  await sql`create unique index retention_rule_name on retention_rule (name)`.execute(db)
}
