// The audit is sealed after its rows have been committed: each row gets a gapless number and a hash that includes the
// previous one (system/audit). Writing an audit row does not pay for sealing, nor for the indexes for reading.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table audit_seal (
  seq bigint primary key,
  audit_id bigint not null unique,
  -- Copied from the row, to be found by.
  kind smallint not null,
  at bigint not null,
  account_id bigint,
  address text collate "C" not null,
  refused boolean not null,
  hash bytea not null
);
create index audit_seal_at on audit_seal (at, seq);
create index audit_seal_kind on audit_seal (kind, at, seq);
create index audit_seal_account on audit_seal (account_id, at, seq);
create index audit_seal_address on audit_seal (address, at, seq);
create index audit_seal_refused on audit_seal (at, seq) where refused;
create table audit_item (item_id bigint not null, seq bigint not null, primary key (item_id, seq));

-- A signature over the end of the chain. The newest, and one for each 4096 rows and each day.
create table audit_head (
  seq bigint primary key,
  hash bytea not null,
  -- Every row of the audit up to this id was sealed: one that turns up there later was inserted.
  settled bigint not null,
  at bigint not null,
  signature bytea not null
);
-- How much happened in each hour since 1970, for charts.
create table audit_hour (hour int not null, kind smallint not null, n bigint not null, primary key (hour, kind));
`)
    .execute(db)
}
