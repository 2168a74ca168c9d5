// The history of permission changes: who changed them on which item, with the state before and after. The permissions
// window shows it and can undo a change.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table rights_change (
  id bigint generated always as identity primary key,
  item_id bigint not null references item on delete cascade,
  account_id bigint not null references account,
  created_at bigint not null,
  -- How it was done: set, share, paste, clear, undo.
  what text not null,
  before jsonb not null,
  after jsonb not null
);
create index rights_change_item on rights_change (item_id, id desc);

-- What somebody gave others, the latest first.
create index entry_given on entry (created_by, created_at desc);
`)
    .execute(db)
}
