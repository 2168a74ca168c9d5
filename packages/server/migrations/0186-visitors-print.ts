// That a visitor of a link printed a file of it (ADR 0175).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_visit drop constraint external_visit_what_check`.execute(db)
  await sql`
    alter table external_visit add constraint external_visit_what_check
      check (what in ('open', 'preview', 'download', 'print', 'upload', 'edit', 'wrongPassword', 'wrongCode'))`.execute(
    db,
  )
}
