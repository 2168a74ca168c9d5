// Notices: unread messages for a person (core/notices), and the positions of event readers.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table notice (
  account_id bigint not null references account,
  -- The position of the event that it came with: later ones are newer.
  remind_id bigint not null,
  notice_group text not null,
  key text not null,
  push_type int not null,
  payload jsonb not null,
  -- Of which item it tells: whoever may not see that is not shown the notice.
  item_type smallint,
  item_id bigint,
  created_at bigint not null,
  -- When it was seen or ignored; null: unread.
  read_at bigint,
  primary key (account_id, remind_id),
  check ((item_type is null) = (item_id is null))
);
-- Of unread notices of one key there is one.
create unique index notice_unread on notice (account_id, notice_group, key) where read_at is null;
create index notice_read_at on notice (account_id, read_at) where read_at is not null;
create index notice_created_at on notice (created_at);

alter table notice set (autovacuum_vacuum_scale_factor = 0.05);
`)
    .execute(db)
}
