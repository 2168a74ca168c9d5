// Visitors of a link may upload new versions of its files ([R222]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_visit drop constraint external_visit_what_check`.execute(db)
  await sql`
    alter table external_visit add constraint external_visit_what_check
      check (what in ('open', 'preview', 'download', 'upload', 'edit', 'wrongPassword', 'wrongCode'))`.execute(db)
}
