// Results of the malware scanner (drive/scanning), one row per scanned content.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table scan (
  blob_id bigint primary key references blob on delete cascade,
  scanned_at bigint not null,
  -- What was found; null for nothing.
  virus text
);
create index scan_found on scan (blob_id) where virus is not null;
`)
    .execute(db)
}
