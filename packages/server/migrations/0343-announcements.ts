// Announcements, to whom they are, and who has read them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table announcement (
  id bigint generated always as identity primary key,
  title text not null,
  words text not null,
  kind text not null check (kind in ('notice', 'maintenance', 'rule')),
  starts_at bigint not null,
  ends_at bigint not null,
  asks_reading boolean not null,
  created_by bigint not null references account,
  created_at bigint not null,
  -- When people were told of it; null before it begins.
  told_at bigint
);
create index announcement_end on announcement (ends_at);
-- The departments, with those below them; none: everybody.
create table announcement_group (
  announcement_id bigint not null references announcement on delete cascade,
  group_id bigint not null references org_group on delete cascade,
  primary key (announcement_id, group_id)
);
create index announcement_group_group on announcement_group (group_id);
create table announcement_reader (
  announcement_id bigint not null references announcement on delete cascade,
  account_id bigint not null references account on delete cascade,
  at bigint not null,
  primary key (announcement_id, account_id)
);
create index announcement_reader_account on announcement_reader (account_id);
`)
    .execute(db)
}
