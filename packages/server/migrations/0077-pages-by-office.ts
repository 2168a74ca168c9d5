// Marks the renditions whose pages LibreOffice made, whatever the kind of document.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('alter table rendition add column by_office boolean not null default false').execute(db)
}
