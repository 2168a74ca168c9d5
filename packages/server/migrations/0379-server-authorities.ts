// The authorities whose certificates are trusted for one linked server.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table linked_server add ca_certificate text not null default ''`.execute(db)
}
