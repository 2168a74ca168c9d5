// Web push: the subscriptions of sessions.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table push_subscription (
  session_id bigint primary key references session on delete cascade,
  account_id bigint not null references account,
  -- Of the address: a browser has one subscription, whoever is signed in.
  endpoint_hash bytea not null unique,
  sealed text not null,
  locale text not null,
  quiet_from int,
  quiet_to int,
  time_zone text not null,
  -- The newest notice that was told or known when it began.
  told_up_to bigint not null,
  -- Looked at again from then on.
  next_at bigint not null default 0
);
create index push_subscription_account on push_subscription (account_id);
`)
    .execute(db)
}
