// The name search index moves out of `item`, so that an upload does not update a word index. A trigger adds a row to
// `search_queue` for every insert, rename, move and new content of an item, in the same transaction, so that no
// statement can omit it. The elected process turns the queue into rows of `search_item` in batches
// (search/items/index-names.ts). A search reads both tables and so finds items stored a moment ago.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
drop index item_text;
drop index item_grams;
-- The lines of search_text: core/text-keys.ts.
update item set search_text = split_part(search_text, chr(10), 1) || chr(10) || split_part(search_text, chr(10), 3)
  || chr(1) || array_to_string(array(select g from unnest(search_grams) g where g ~ '^[a-z]{2}$'), ' ')
  || chr(2) || split_part(search_text, chr(10), 2)
where position(chr(10) in search_text) > 0;
alter table item drop column search_grams;

-- The newest number that search_item has given.
insert into stamp values ('search', 0);

create table search_queue (item_id bigint not null);
alter table search_queue set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Numbers rise with every change of a name or content: the newest change is the first hit. Rows lie in their order,
-- which is what makes a window of numbers a window of the index: 'signs' holds the window, the library, the folder, and
-- what one and two letters find.
create table search_item (
  item_id bigint primary key,
  number bigint not null unique,
  library_id bigint not null,
  parent_id bigint,
  modified_at bigint not null,
  text text not null,
  signs int[] not null
);
create index search_item_words on search_item using gin (text gin_trgm_ops, signs);

-- Whose a library is, is asked whatever its kind.
create index library_owned on library (owner_id);

create function queue_search() returns trigger language plpgsql as $$
begin
  insert into search_queue values (case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end $$;
create trigger item_named after insert or delete on item for each row execute function queue_search();
create trigger item_renamed after update on item for each row
  when (old.search_text <> new.search_text or old.modified_at <> new.modified_at
    or old.parent_id is distinct from new.parent_id) execute function queue_search();
insert into search_queue select id from item order by modified_at, id;
`)
    .execute(db)
}
