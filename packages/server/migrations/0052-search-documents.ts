// Content search (search/items): the text of each content, and one row per item with its index tokens. The rows of
// existing items are added after the start, in batches, as is the text of their contents.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- What stands in a content: once for each, whoever has it. It goes with the content.
create table content_text (
  blob_id bigint primary key references blob on delete cascade,
  -- The kind of document it was read as, and the readers that did it.
  kind text not null,
  readers int not null,
  -- Pages, sheets, slides or the whole, as they are shown; and all of it as it is looked through.
  sections jsonb not null,
  text text not null,
  problem text
);

-- By what an item is found: 'signs' of its name, of its content, and of its place, kind and month. 'number' is the one
-- that search_item gives.
create table search_document (
  item_id bigint primary key,
  number bigint not null,
  blob_id bigint,
  -- The search_text of the item, folded; and as it is, where that is something else.
  name text not null,
  raw text,
  signs int[] not null
);
create unique index search_document_number on search_document (number);
create index search_document_content on search_document (blob_id);
-- Rows come behind the changes: nobody waits for the index, and no search reads a list of what it has not taken in yet.
create index search_document_signs on search_document using gin (signs) with (fastupdate = off);

create table saved_search (
  id bigint generated always as identity primary key,
  account_id bigint not null references account,
  name text not null,
  query jsonb not null,
  created_at bigint not null,
  unique (account_id, name)
);
`)
    .execute(db)
}
