// Whom a link is for by mail: those who show a code that was sent to one of its addresses ([R222]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_link add column mails text[] not null default '{}'`.execute(db)
}
