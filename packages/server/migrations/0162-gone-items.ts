// The names of permanently deleted items: the audit continues to show them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table gone_item (id bigint primary key, f_type smallint not null, name text not null)`.execute(db)
}
