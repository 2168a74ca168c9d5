// The index of names begins with the name: one that begins with the provider was also chosen for a search by id while the
// statistics of the table were of an empty one, and a first synchronization read all people again for each person.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index provider_identity_key`.execute(db)
  await sql`create index provider_identity_key on provider_identity (account_key, provider_id)`.execute(db)
}
