// Retention of versions and of the recycle bin per library, daily space usage of libraries and people, and who was
// notified that space runs out.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Null: as the settings of the server say; 0: all of them, and for ever.
alter table library add column kept_versions int, add column bin_days int;
alter table library drop constraint library_kind_check;
alter table library add constraint library_kind_check
  check (kind in ('company', 'department', 'personal', 'project', 'archive'));

-- Bytes that came or went in a day (counted from 1970, UTC), by the sums that are folded.
create table usage_day (
  day int not null,
  library_id bigint not null,
  account_id bigint not null,
  bytes bigint not null,
  primary key (day, library_id, account_id)
);
-- Who was told that space runs out, until there is enough again: an account, the installation, a disk, the log.
create table space_low (
  kind text not null check (kind in ('account', 'installation', 'disk', 'log')),
  id bigint not null,
  at bigint not null,
  primary key (kind, id)
);
insert into walk (name, value)
  select 'events space', jsonb_build_object('position', value) from stamp where name = 'event';
`)
    .execute(db)
}
