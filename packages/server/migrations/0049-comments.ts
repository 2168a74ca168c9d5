// Comments on files and folders (drive/comments).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table comment (
  id bigint generated always as identity primary key,
  item_id bigint not null references item on delete cascade,
  -- What it answers; an answer to an answer stands in the same thread.
  parent_id bigint references comment on delete cascade,
  account_id bigint not null references account,
  text text not null,
  grade smallint check (grade between 1 and 5),
  -- Of a file the version it was written about.
  version int not null,
  mentioned bigint[] not null default '{}',
  created_at bigint not null,
  edited_at bigint,
  -- Taken back, and kept for what was answered to it.
  deleted_at bigint
);
create index comment_item on comment (item_id, id) where parent_id is null;
create index comment_parent on comment (parent_id, id) where parent_id is not null;
create index comment_all on comment (item_id);
create index comment_account on comment (account_id);
`)
    .execute(db)
}
