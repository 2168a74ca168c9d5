// Limits of downloads and templates of watermarks are kept by processes until one of them changes: few rows that every
// download asks for, and administrators write. How deep a department lies is told of by the stamp of the organisation.
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
