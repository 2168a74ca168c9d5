// Capabilities of roles, administrators of parts of the installation, and departments delegated to people.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Whoever has such a role has what their roles give, and nothing of what everybody has.
alter table role add column external boolean not null default false;
create table role_capability (
  role_id bigint not null references role on delete cascade,
  capability text not null,
  primary key (role_id, capability)
);
-- What everybody has without a choice is in the code; this is what was taken from everybody.
create table withheld_capability (capability text primary key);

create table administrator (
  account_id bigint not null references account on delete cascade,
  power text not null,
  since bigint not null,
  primary key (account_id, power)
);
create table group_administrator (
  account_id bigint not null references account on delete cascade,
  group_id bigint not null references org_group on delete cascade,
  tasks text[] not null,
  since bigint not null,
  primary key (account_id, group_id)
);
create index group_administrator_group on group_administrator (group_id);
`)
    .execute(db)
}
