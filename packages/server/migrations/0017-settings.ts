// The history of settings: what was changed, when and by whom. The settings themselves stay one row, which requests
// read at once.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table setting_change (
  id bigint generated always as identity primary key,
  name text not null,
  at bigint not null,
  -- Null for what no person did.
  account_id bigint,
  before jsonb not null,
  after jsonb not null
);
create index setting_change_name on setting_change (name, id);
`)
    .execute(db)
}
