// Extra downloads granted to a user for a day, in addition to their limit ([R284]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table download_day add column more int not null default 0 check (more >= 0)`.execute(db)
}
