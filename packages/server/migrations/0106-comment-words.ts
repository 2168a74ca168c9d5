// Comments can be searched by words of one and two letters through an index, like people and departments.
import { type Kysely, sql } from 'kysely'
import { foldQuery, shortWords } from '../src/core/text-keys.ts'

const atOnce = 5000

export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw("alter table comment add column grams text[] not null default '{}'").execute(db)
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; text: string }>`
      select id, text from comment where id > ${last} and deleted_at is null order by id limit ${atOnce}`.execute(db)
    const next = rows.at(-1)?.id
    if (next === undefined) break
    const words = rows.map(({ id, text }) => ({ id, grams: [...shortWords(foldQuery(text))] }))
    await sql`
      update comment set grams = w.grams
      from json_to_recordset(${JSON.stringify(words)}) as w (id bigint, grams text[]) where comment.id = w.id`.execute(
      db,
    )
    last = next
  }
  await sql.raw('create index comment_grams on comment using gin (grams) where deleted_at is null').execute(db)
}
