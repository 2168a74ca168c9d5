// How much conversion time each person has asked for and used, for a fair order (ADR 0193).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table conversion_usage (person text primary key, until bigint not null)`.execute(db)
}
