// What people have set up for themselves, by which nothing confirms that it is them: identities, and the second factor.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table provider_identity add bound_by_owner boolean not null default false`.execute(db)
  // The session in which it was switched on.
  await sql`alter table second_factor add set_in bigint not null default 0`.execute(db)
}
