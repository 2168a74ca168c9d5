// The number of pages of a document and the duration of a video, stored with the thumbnail rendition that determines
// them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      'alter table rendition add column pages integer not null default 0, add column length_ms bigint not null default 0',
    )
    .execute(db)
}
