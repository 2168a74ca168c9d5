// A wrong code of a mail is told apart from a wrong password among the visits of a link ([R228]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_visit drop constraint external_visit_what_check`.execute(db)
  await sql`
    alter table external_visit add constraint external_visit_what_check
      check (what in ('open', 'preview', 'download', 'upload', 'wrongPassword', 'wrongCode'))`.execute(db)
}
