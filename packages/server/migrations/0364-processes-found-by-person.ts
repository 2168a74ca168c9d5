// Processes are searched among those that somebody has to do with: one index of people, characters, pairs of characters
// and trigrams. Before, a word that many others' processes have was looked for along the whole list of the caller.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Everybody who has, or had, to do with a process: those of process_player and process_task.
alter table process add column people bigint[] not null default '{}';
update process p set people = array(
  select account_id from process_player where process_id = p.id
  union select account_id from process_task where process_id = p.id);

-- The characters of a text, and its pairs of characters: neither is in a trigram.
create function process_signs(words text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct sign), '{}')
  from generate_series(1, length(words)) n, lateral (values (substr(words, n, 1)), (substr(words, n, 2))) s (sign)
$$;
drop index process_search, process_search_pairs;
drop function process_pairs;
create index process_found on process using gin (people, process_signs(search_text), search_text gin_trgm_ops);
`)
    .execute(db)
}
