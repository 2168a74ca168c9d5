// Signing: imported certificates of people and of the company, with the certificates above them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table sign_certificate
  -- An authority that issues, what it issued, or an imported certificate of a person or of the company.
  add column kind text not null default 'issued' check (kind in ('authority', 'issued', 'person', 'company')),
  -- The certificates above an imported one, in DER.
  add column chain bytea[] not null default '{}';
update sign_certificate set kind = 'authority' where authority_id is null;
alter table sign_certificate alter column kind drop default, drop constraint sign_certificate_serial_key;
create index sign_certificate_serial on sign_certificate (serial);
drop index sign_authority;
create unique index sign_authority on sign_certificate (kind) where kind in ('authority', 'company') and is_current;
drop index sign_certificate_issued;
-- The level that the signature reached (B-B, B-T, B-LT); empty for earlier ones.
alter table sign_signer add column level text not null default '';
create index sign_certificate_issued on sign_certificate (id desc) where kind <> 'authority';
`)
    .execute(db)
}
