// Who has made a file on the server that it was copied from, and when.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table item_origin (
      item_id bigint primary key references item on delete cascade,
      server text not null,
      author text not null,
      created_at bigint not null)`.execute(db)
  await sql`
    alter table server_copy_item
      add author text not null default '',
      add created_at bigint not null default 0`.execute(db)
}
