// The second factor may be a phone: codes are sent to the number that was confirmed, and one code holds at a time.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table second_factor
      add phone text not null default '',
      add code_hash bytea,
      add code_until bigint not null default 0,
      add code_sent_at bigint not null default 0`.execute(db)
}
