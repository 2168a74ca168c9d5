// Signers without an account: who they are, and how they are reached by mail ([R275]).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table sign_signer alter column account_id drop not null;
create table sign_outsider (
  signer_id bigint primary key references sign_signer on delete cascade,
  name text not null,
  mail text not null,
  -- Where the code goes; empty: to the mail address.
  phone text not null,
  -- The language of the mails, the address of the installation in them, and how many days their links are valid: as
  -- they were at the launch, because the mails to later signers are written without a request of the launcher.
  locale text not null check (locale in ('zh', 'en')),
  base text not null,
  life_days int not null
);
-- Locks belong to signers; those of the earlier column end with the update.
alter table sign_activity drop column locked_by, add column locked_signer bigint;
update sign_activity set locked_until = 0;
-- The name of who acted without an account.
alter table sign_entry add column outside_name text not null default '';
`)
    .execute(db)
}
