// Which process holds the connection by which a mail server announces new mail of a mailbox.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table mailbox add column live_holder text not null default '';
alter table mailbox add column live_until bigint not null default 0;
`)
    .execute(db)
}
