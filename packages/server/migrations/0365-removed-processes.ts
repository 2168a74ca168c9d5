// What remains of a process that retention removed, for those who see the file that it was about.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table removed_process (
  process_id bigint primary key,
  item_id bigint not null references item on delete cascade,
  removed_at bigint not null,
  -- How many days ended processes were kept then.
  keep_days int not null
);
create index removed_process_item on removed_process (item_id);
`)
    .execute(db)
}
