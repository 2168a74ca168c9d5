// Records that a visitor of a link printed one of its files (ADR 0175).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_visit drop constraint external_visit_what_check`.execute(db)
  await sql`
    alter table external_visit add constraint external_visit_what_check
      check (what in ('open', 'preview', 'download', 'print', 'upload', 'edit', 'wrongPassword', 'wrongCode'))`.execute(
    db,
  )
}
