// Records which invisible mark was shown to whom, on which content; and the lookups of marks by administrators
// (drive/watermarks).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table watermark_trace (
  -- Forty bits that nobody can guess.
  id bigint primary key,
  -- Who was shown it, what, of which version, from where, in which hour: for these there is one.
  shown text not null unique,
  at bigint not null,
  last_at bigint not null,
  -- Whose rights counted; of a visitor the account that gave them the link.
  account_id bigint references account,
  -- By a link: what it is called, and who came.
  link text,
  visitor text not null default '',
  item_id bigint not null,
  name text not null,
  version int not null,
  address text not null,
  agent text not null
);
create index watermark_trace_at on watermark_trace (last_at);
create index watermark_trace_account on watermark_trace (account_id);

create table watermark_search (
  id bigint generated always as identity primary key,
  at bigint not null,
  account_id bigint not null references account,
  name text not null,
  trace_id bigint
);
create index watermark_search_account on watermark_search (account_id);
`)
    .execute(db)
}
