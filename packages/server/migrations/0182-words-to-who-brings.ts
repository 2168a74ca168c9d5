// The message of the creator of a collecting link to the visitors who upload files ([R228]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table external_link add column greeting text not null default ''`.execute(db)
}
