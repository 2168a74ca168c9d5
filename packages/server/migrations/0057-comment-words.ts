// Makes the text of comments searchable (search/items).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index comment_words on comment using gin (lower(text) gin_trgm_ops) where deleted_at is null`.execute(
    db,
  )
}
