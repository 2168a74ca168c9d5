// Signing: roles as signers, and who signed for a role or in the place of somebody else.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table sign_signer
  -- The role whose holders are asked, with its name at the launch. Such a signer has no account.
  add column role_id bigint,
  add column role_name text not null default '',
  -- Who signed or refused for a role, or as a stand-in.
  add column acted_by bigint references account;
create index sign_signer_role_now on sign_signer (role_id) where state = 'now' and role_id is not null;
create index sign_signer_acted on sign_signer (acted_by, activity_id desc) where acted_by is not null;
alter table sign_activity
  -- The account that keeps others from signing; null for a signer without an account.
  add column lock_holder bigint,
  add column may_hand_on boolean not null default true;
`)
    .execute(db)
}
