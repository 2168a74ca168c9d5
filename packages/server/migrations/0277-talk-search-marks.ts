// Beside the letters of its text, a message is indexed by its conversation and by its place among all messages, so that a
// search reads only what its reader may see, and the newest first.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- The marks begin with a character that no text is indexed by. 4,096 messages share a place.
create function talk_message_marks() returns trigger language plpgsql as $$
begin
  new.grams := array(select g from unnest(new.grams) g where left(g, 1) <> chr(1));
  if new.recalled_at is null and new.type <> 'notify' then
    new.grams := new.grams || array[chr(1) || 'c' || new.conversation_id, chr(1) || 'p' || (new.id >> 12)];
  end if;
  return new;
end $$;
create trigger talk_message_marks before insert or update of grams, recalled_at on talk_message
  for each row execute function talk_message_marks();
-- Files are found by their names.
create function talk_name_grams(name text) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct g), '{}') from (
    select substr(lower(normalize(name, NFKC)), n, k) as g
    from generate_series(1, char_length(normalize(name, NFKC))) n, generate_series(1, 2) k) s
$$;
update talk_message m set grams = m.grams || talk_name_grams(f.name)
  from talk_file f where f.id = m.file_id and m.recalled_at is null;
drop function talk_name_grams(text);
update talk_message set grams = grams where recalled_at is null and type <> 'notify' and file_id is null;
-- What was written last is looked through by every search until it is merged into the index.
alter index talk_message_grams set (gin_pending_list_limit = 256);
`)
    .execute(db)
}
