// Reminders that are due, by person, until they are sent: one by one, or as one where there are many.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
create table reminder_waiting (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  -- What is reminded of: 'urge 12', 'process 3'.
  subject text not null,
  push jsonb not null,
  created_at bigint not null
);
create index reminder_waiting_of on reminder_waiting (account_id, subject);
`.execute(db)
}
