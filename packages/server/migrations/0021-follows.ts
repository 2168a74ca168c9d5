// Subscriptions of users to files and folders (drive/follow): to changes, or to downloads.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table follow (
  account_id bigint not null references account,
  item_id bigint not null references item on delete cascade,
  -- 1 changes, 2 downloads.
  kind smallint not null check (kind in (1, 2)),
  -- Whose doing is followed; everybody's where both are empty.
  people bigint[] not null default '{}',
  groups bigint[] not null default '{}',
  created_at bigint not null,
  primary key (account_id, item_id, kind)
);
create index follow_item on follow (item_id, kind);
create index follow_listed on follow (account_id, kind, created_at desc, item_id desc);

-- What somebody follows is kept with what is kept of their account.
create trigger follow_invalidates after insert or update or delete on follow
  for each row execute function invalidate_row('2', 'account_id');

insert into walk (name, value)
  select 'events follow', jsonb_build_object('position', value) from stamp where name = 'event';
`)
    .execute(db)
}
