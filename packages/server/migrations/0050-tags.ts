// Tags on files and folders (drive/tags): personal tags, and those of the company, which have no owner.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table tag (
  id bigint generated always as identity primary key,
  owner_id bigint references account,
  name text not null,
  name_key text not null,
  name_sort text collate "C" not null,
  search_text text not null,
  colour text not null,
  created_at bigint not null,
  -- When it was last put on something.
  used_at bigint not null
);
create unique index tag_name on tag (coalesce(owner_id, 0), name_key);
create index tag_owner on tag (owner_id);

create table item_tag (
  item_id bigint not null references item on delete cascade,
  tag_id bigint not null references tag on delete cascade,
  -- Who put it on.
  account_id bigint not null references account,
  created_at bigint not null,
  primary key (item_id, tag_id)
);
create index item_tag_tag on item_tag (tag_id, created_at desc, item_id);
create index item_tag_account on item_tag (account_id);
`)
    .execute(db)
}
