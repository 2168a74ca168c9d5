// The structure changes of a workbook during co-editing ([R148]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table together_document add column turns jsonb not null default '[]'`.execute(db)
}
