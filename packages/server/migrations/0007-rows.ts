// Links in the tree, secret levels that end, what a folder says of itself, and servers that trust each other.
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

-- What is set on few folders: the order they are shown in, the bytes they may hold.
create table folder_setting (
  folder_id bigint primary key references item on delete cascade,
  sort text,
  descending boolean not null default false,
  size_limit bigint not null default 0
);
create index folder_setting_limit on folder_setting (folder_id) where size_limit > 0;

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
