// Mailboxes at Exchange: the state up to which the server has told what changed in a folder.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table mail_folder add column sync_state text not null default ''`.execute(db)
}
