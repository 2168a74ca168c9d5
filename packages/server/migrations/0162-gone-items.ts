// What items were called that have been deleted for good: the audit goes on telling of them by their names.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table gone_item (id bigint primary key, f_type smallint not null, name text not null)`.execute(db)
}
