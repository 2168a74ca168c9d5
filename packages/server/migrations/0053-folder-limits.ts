// A folder may have a limit of the total bytes below it (drive/quotas/folders.ts, ADR 97).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- The most bytes that it may hold, at any depth; null sets no limit.
alter table item add column space_limit bigint;

-- Of each folder with a limit how many bytes are below it at most: what comes is added, what goes is found by measuring.
create table folder_space (
  folder_id bigint primary key references item on delete cascade,
  used bigint not null,
  -- When that was measured; until then writers may be on their way that do not know of the limit.
  measured_at bigint not null,
  unsettled_until bigint not null
);
`)
    .execute(db)
}
