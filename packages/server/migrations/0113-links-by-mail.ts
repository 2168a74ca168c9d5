// Recipients of a link by mail: visitors who enter a code that was sent to one of its addresses ([R222]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_link add column mails text[] not null default '{}'`.execute(db)
}
