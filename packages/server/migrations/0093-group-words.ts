// Departments can be searched by two characters, like people ([R347]): by their words of one and two letters, and for
// longer ones by an index of search_text.
import { type Kysely, sql } from 'kysely'
import { shortWords } from '../src/core/text-keys.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table org_group add column search_grams text[] not null default '{}';
create index org_group_grams on org_group using gin (search_grams);
create index org_group_text on org_group using gin (search_text gin_trgm_ops);
-- As for account: what one import makes is counted before plans for an empty company are kept.
alter table org_group set (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.05);
`)
    .execute(db)
  const { rows } = await sql<{ id: number; search_text: string }>`select id, search_text from org_group`.execute(db)
  const words = rows.map((row) => ({ id: row.id, grams: [...shortWords(row.search_text)] }))
  await sql`
    update org_group set search_grams = w.grams
    from json_to_recordset(${JSON.stringify(words)}) as w (id bigint, grams text[]) where org_group.id = w.id`.execute(
    db,
  )
}
