// Search: items whose index an operator rebuilds. Searches do not read them, as they read the queue of what changed.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('create table search_rebuild (item_id bigint not null)').execute(db)
}
