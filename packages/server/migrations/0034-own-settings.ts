// Users' own settings: profile display, visitor password, second factor; and the devices where they are signed in.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Small pictures of people and of the company, by a name that nobody guesses. One is never changed: another has another name.
create table picture (
  id text primary key,
  type text not null,
  bytes bytea not null
);
alter table account
  -- 0 a woman, 1 a man, 2 not told.
  add column gender smallint not null default 2,
  add column avatar text not null default '',
  -- The hash of the visitor password, empty without one, and until when it is good.
  add column visitor_hash text not null default '',
  add column visitor_until bigint not null default 0,
  -- Whether signing in asks for a code as well.
  add column second_factor boolean not null default false;
create table second_factor (
  account_id bigint primary key references account on delete cascade,
  secret text not null,
  -- The last period of 30 seconds whose code was used: no code counts twice.
  last_step bigint not null default 0,
  -- Hashes of the codes that stand for a lost device, once each.
  recovery bytea[] not null default '{}'
);
-- What the client calls itself.
alter table session add column agent text not null default '';
-- When somebody signed in of late, or was refused.
create index audit_sign_in on audit ((coalesce(account_id, (detail ->> 'accountId')::bigint)), at, id)
  where call in ('login3', 'loginInEncrypt', 'login3ByLoginKey');
`)
    .execute(db)
}
