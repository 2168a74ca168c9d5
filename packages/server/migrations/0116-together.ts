// Documents that several users edit at once in the page: their state, the changes since then, and the participants.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create sequence together_generation;

create table together_document (
  item_id bigint primary key references item on delete cascade,
  -- Of all documents that a file has had, which one: changes of another one mean nothing in it.
  generation bigint not null,
  -- The version of the file that it was made of, or last became, and how that is written.
  version int not null,
  form jsonb not null,
  -- All changes up to state_seq in one; the newest is seq, and up to saved_seq a version has them.
  state bytea not null,
  state_seq bigint not null,
  seq bigint not null,
  saved_seq bigint not null,
  -- Tells two changes of one number apart, of which one was taken back.
  stamp bigint not null,
  -- Who has changed it since its version, the last one last; since when.
  authors jsonb not null default '[]',
  unsaved_since bigint,
  touched_at bigint not null
);
create index together_document_unsaved on together_document (unsaved_since) where unsaved_since is not null;
create index together_document_touched on together_document (touched_at);

create table together_update (
  item_id bigint not null references together_document on delete cascade,
  seq bigint not null,
  stamp bigint not null,
  change bytea not null,
  primary key (item_id, seq)
);

-- Who sends changes by which number.
create table together_client (
  item_id bigint not null references together_document on delete cascade,
  client bigint not null,
  account_id bigint not null references account,
  primary key (item_id, client)
);
create index together_client_account on together_client (account_id);

-- Who is there now, and where: of the moment, so it is written to no log.
create unlogged table together_member (
  item_id bigint not null references item on delete cascade,
  client bigint not null,
  account_id bigint not null references account,
  session_id bigint not null,
  cursor text not null,
  can_write boolean not null,
  seen_at bigint not null,
  primary key (item_id, client)
);
create index together_member_account on together_member (account_id);
create index together_member_session on together_member (session_id);
create index together_member_seen on together_member (seen_at);
`)
    .execute(db)
}
