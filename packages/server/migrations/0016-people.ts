// Administrative data of people and departments ([R347]): contact data, the end of sign-in permission, secondary
// departments, heads of departments, and the order of departments.
import { type Kysely, sql } from 'kysely'
import { shortWords } from '../src/core/text-keys.ts'

/** People whose search words are computed in one statement. */
const atOnce = 1000

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table account
  add column title text not null default '',
  add column email text not null default '',
  add column phone text not null default '',
  -- From then on the account is as if frozen; null: never.
  add column expires_at bigint,
  add column signed_in_at bigint,
  -- The words of one and two letters that the person is found by; longer ones are looked for in search_text.
  add column search_grams text[] not null default '{}';
create index account_by_name on account (name_sort, id);
create index account_by_state on account (state, name_sort, id);
create index account_grams on account using gin (search_grams);
create index account_text on account using gin (search_text gin_trgm_ops);
create index account_title on account (title) where title <> '';
-- Plans are kept: a fresh installation that is filled by one import must not go on with those of an empty one.
alter table account set (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.05);

alter table org_group add column place int not null default 0;
create index org_group_order on org_group (parent_id, place, name_sort, id);

-- Departments that somebody belongs to beside their own.
create table membership (
  account_id bigint not null references account on delete cascade,
  group_id bigint not null references org_group on delete cascade,
  primary key (account_id, group_id)
);
create index membership_group on membership (group_id);

create table group_manager (
  group_id bigint not null references org_group on delete cascade,
  account_id bigint not null references account on delete cascade,
  primary key (group_id, account_id)
);
create index group_manager_account on group_manager (account_id);
-- A department that becomes a part of another one goes before its library is the other one's, in one transaction.
alter table library alter constraint library_group_id_fkey deferrable initially deferred;

-- The device is to forget what it keeps; the session answers nothing else until the device says that it has (-50).
alter table session add column wiped boolean not null default false;
`)
    .execute(db)
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; search_text: string }>`
      select id, search_text from account where id > ${last} order by id limit ${atOnce}`.execute(db)
    if (rows.length === 0) break
    const words = rows.map((row) => ({ id: row.id, grams: [...shortWords(row.search_text)] }))
    await sql`
      update account set search_grams = w.grams
      from json_to_recordset(${JSON.stringify(words)}) as w (id bigint, grams text[]) where account.id = w.id`.execute(
      db,
    )
    last = rows.at(-1)?.id ?? last
  }
}
