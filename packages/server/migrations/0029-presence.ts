// Presence: accounts with an open push channel, by the process that holds it (people/presence).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table presence_process (
  id text primary key,
  -- A process that has not said so since is gone, and whoever it held with it.
  alive_until bigint not null
);
create table presence (
  account_id bigint not null references account on delete cascade,
  process_id text not null references presence_process on delete cascade,
  primary key (account_id, process_id)
);
create index presence_process_id on presence (process_id);
`)
    .execute(db)
}
