// Workflows: processes that ended long ago are found by when that was, and processes by words of two characters, which
// are in no trigram: most Chinese words are.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create index process_ended on process (ended_at, id) where ended_at is not null;

create function process_pairs(words text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct substr(words, n, 2)), '{}') from generate_series(1, length(words) - 1) n
$$;
create index process_search_pairs on process using gin (process_pairs(search_text));
`)
    .execute(db)
}
