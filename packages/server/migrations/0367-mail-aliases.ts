// Other addresses of a mailbox, and the one from which a mail leaves.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table mailbox add column aliases text[] not null default '{}';
-- Empty: the address of the mailbox.
alter table outgoing_mail add column sender text not null default '';
`)
    .execute(db)
}
