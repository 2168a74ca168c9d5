// The queue of users who wait for a file that another user edits, in order; and for whom the lock is reserved, until
// when.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table edit_wait (
  item_id bigint not null references item on delete cascade,
  account_id bigint not null references account,
  since bigint not null,
  -- When they last asked whoever edits it to let them; null: they only wait.
  asked_at bigint,
  -- The file is free and kept for them until then; null: it is not free yet.
  kept_until bigint,
  primary key (item_id, account_id)
);
create index edit_wait_account on edit_wait (account_id);
create index edit_wait_kept on edit_wait (kept_until) where kept_until is not null;
`)
    .execute(db)
}
