// How many pages a document has and how long a film is, beside the small picture by whose making it is known.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      'alter table rendition add column pages integer not null default 0, add column length_ms bigint not null default 0',
    )
    .execute(db)
}
