// Files that several users edit at once, the participants, and the versions that they make.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table shared_edit (
  item_id bigint primary key references item on delete cascade,
  -- What the office server calls it.
  lock_id text not null,
  since bigint not null,
  until bigint not null
);
create index shared_edit_until on shared_edit (until);

-- Who was given a key to edit it; those alone can have taken part.
create table shared_editor (
  item_id bigint not null references item on delete cascade,
  account_id bigint not null references account,
  until bigint not null,
  primary key (item_id, account_id)
);
create index shared_editor_account on shared_editor (account_id);
create index shared_editor_until on shared_editor (until);

-- Null: who made it made it alone.
alter table version add column editors jsonb;
`)
    .execute(db)
}
