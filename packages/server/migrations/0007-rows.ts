// Links in the tree, expiring secret levels, the order of folders, and trusted servers.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- A link stands in a folder under a name of its own and refers to an item. No foreign key: a link outlives what it refers
-- to, ids are never used again, and whoever follows one that leads nowhere is told so.
alter table item add column link_to bigint;
-- From then on the item's secret level counts as 0.
alter table item add column secret_until bigint;
create index item_secret_until on item (secret_until) where secret_until is not null;

-- The order that a folder is shown in where nobody asks for another; few folders have one.
create table folder_order (
  folder_id bigint primary key references item on delete cascade,
  sort text not null check (sort in ('name', 'time', 'size', 'type')),
  descending boolean not null
);

-- Servers that answer for each other's people. The key is what both hold; the id is the other's number here.
create table linked_server (
  id int primary key check (id > 0),
  name text not null,
  api_host text not null,
  key text not null
);
`)
    .execute(db)
}
