// The visits of a link distinguish a wrong mail code from a wrong password ([R228]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_visit drop constraint external_visit_what_check`.execute(db)
  await sql`
    alter table external_visit add constraint external_visit_what_check
      check (what in ('open', 'preview', 'download', 'upload', 'wrongPassword', 'wrongCode'))`.execute(db)
}
