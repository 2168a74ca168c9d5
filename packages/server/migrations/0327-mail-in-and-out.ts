/*
 * Mail: the mail that a file was saved from ([R109]), the tokens of a mailbox that signs in at Outlook instead of a
 * password ([R290], [R351]), and the space at its server.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table item add column mail_id bigint`.execute(db)
  await sql`
    alter table mailbox
      add column outlook_tokens text not null default '',
      add column space_used bigint not null default 0,
      add column space_total bigint not null default 0`.execute(db)
}
