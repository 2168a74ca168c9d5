// Passkeys of people, and which sessions have proven more than a password.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table passkey (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      credential_id text not null,
      public_key bytea not null,
      -- Counts signatures; 0 for good in keys that are synchronized between devices.
      counter bigint not null,
      transports text[] not null default '{}',
      -- The host name that the key belongs to (relying party id).
      host text not null,
      name text not null,
      created_at bigint not null,
      used_at bigint not null default 0
    )`.execute(db)
  await sql`create unique index passkey_credential on passkey (credential_id)`.execute(db)
  await sql`create index passkey_account on passkey (account_id)`.execute(db)
  // Whoever has the role needs a second factor.
  await sql`alter table role add column second_factor boolean not null default false`.execute(db)
  // Signed in by a passkey, or by a provider that asks for a second factor.
  await sql`alter table session add column strong boolean not null default false`.execute(db)
}
