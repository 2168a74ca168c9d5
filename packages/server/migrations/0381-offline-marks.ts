// The files that devices keep for reading offline.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table offline_mark (
  device_id bigint not null references device on delete cascade,
  item_id bigint not null references item on delete cascade,
  marked_at bigint not null,
  primary key (device_id, item_id)
);
create index offline_mark_item on offline_mark (item_id);
`)
    .execute(db)
}
