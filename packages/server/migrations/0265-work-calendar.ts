// Deadlines in working days: by which calendar they were computed, so that they are computed again when it changes.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
alter table process add column calendar text;
create index process_calendar on process (calendar) where calendar is not null;
alter table urge
  add column deadline_workdays int,
  add column workdays_only boolean not null default false,
  add column calendar text;
create index urge_calendar on urge (calendar) where calendar is not null;
alter table urge_entry drop constraint urge_entry_what_check,
  add constraint urge_entry_what_check check (what in
    ('created', 'message', 'reminded', 'repeated', 'handled', 'handedOn', 'late', 'moved', 'ended', 'done'));
`.execute(db)
}
