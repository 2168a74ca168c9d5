// Processes cache download limits and watermark templates until one of them changes: they are few rows that every
// download reads and only administrators write. The stamp of the organisation covers the depth of a department.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['download_limit', 'watermark_template', 'watermark_rule']) {
    await sql
      .raw(`
create trigger ${table}_invalidates after insert or update or delete on ${table}
  for each row execute function invalidate_everything();
create trigger ${table}_emptied_invalidates after truncate on ${table}
  for each statement execute function invalidate_everything();`)
      .execute(db)
  }
}
