// The daily download limits of users, and how many files they have downloaded.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table download_limit (
  id bigint generated always as identity primary key,
  -- Whom it is for; nobody named: everybody.
  account_id bigint unique references account on delete cascade,
  group_id bigint unique references org_group on delete cascade,
  role_id bigint unique references role on delete cascade,
  -- 0: as many as they like.
  per_day int not null,
  check (num_nonnulls(account_id, group_id, role_id) <= 1)
);
create unique index download_limit_everybody on download_limit ((true))
  where account_id is null and group_id is null and role_id is null;

create table download_day (
  account_id bigint not null references account on delete cascade,
  -- As it is called in the company's time zone: 2026-11-25.
  day text not null,
  taken int not null,
  primary key (account_id, day)
);
create index download_day_day on download_day (day, taken desc);

-- Which contents somebody has begun to take: going on with one counts nothing.
create table download_taken (
  account_id bigint not null references account on delete cascade,
  item_id bigint not null,
  version int not null,
  at bigint not null,
  primary key (account_id, item_id, version)
);
create index download_taken_at on download_taken (at);
`)
    .execute(db)
}
