// Mail digests of unseen notices: which users want them, and when (people/digest).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table digest (
  account_id bigint primary key references account on delete cascade,
  every text not null check (every in ('hourly', 'daily', 'weekdays')),
  locale text not null,
  time_zone text not null,
  -- Where the links in it lead.
  origin text not null,
  next_at bigint not null,
  -- Of what is not newer than this notice the person has been told, or was when they asked for mails.
  told_up_to bigint not null
);
create index digest_next_at on digest (next_at);
`)
    .execute(db)
}
