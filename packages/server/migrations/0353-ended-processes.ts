// Workflows: processes that ended long ago are found by when that was.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create index process_ended on process (ended_at, id) where ended_at is not null;
`)
    .execute(db)
}
