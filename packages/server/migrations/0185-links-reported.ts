// Visitors' reports about links ([R228], ADR 0174).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table link_report (
      id bigint generated always as identity primary key,
      link_id bigint not null references external_link on delete cascade,
      at bigint not null,
      reason text not null check (reason in ('unlawful', 'fraud', 'private', 'copyright', 'other')),
      comments text not null,
      contact text not null,
      -- Who said they were who, or is known by their account; empty of whoever has not come in.
      visitor text not null,
      address text not null,
      settled_at bigint
    )`.execute(db)
  await sql`create index link_report_link on link_report (link_id, id desc)`.execute(db)
  await sql`create index link_report_open on link_report (link_id) where settled_at is null`.execute(db)
}
