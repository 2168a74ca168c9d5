// Sign-in mapping: what a provider said of a person last, and the rules of a provider in place of its list of groups.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table provider_identity
      -- The claims or attributes of the last sign-in: lists of texts; null: said to exist, but not told.
      add column claims jsonb not null default '{}',
      add column claims_at bigint not null default 0,
      -- Since when a change of roles or department waits for an administrator; 0: none does.
      add column mapping_waits bigint not null default 0,
      -- The change that an administrator has declined, as a hash; empty: none.
      add column mapping_kept text not null default '',
      -- When the person last lost a role or changed the department by what the provider said, for the brake.
      add column mapped_at bigint not null default 0`.execute(db)
  await sql`
    create index provider_identity_waits on provider_identity (provider_id) where mapping_waits > 0`.execute(db)
  await sql`
    create index provider_identity_mapped on provider_identity (provider_id, mapped_at) where mapped_at > 0`.execute(db)
  await sql`
    update provider set settings = case settings ->> 'kind'
        when 'oidc' then '{"mailClaim":"email","phoneClaim":"phone_number","titleClaim":"","departmentClaim":"",
          "applies":true,"absentIsNone":false}'::jsonb
        when 'saml' then '{"phoneAttribute":"","titleAttribute":"","departmentAttribute":"",
          "applies":true,"absentIsNone":false}'::jsonb
        else '{}'::jsonb end
      || (settings - 'groupRoles') || jsonb_build_object('rules', coalesce((
        select jsonb_agg(jsonb_build_object('claim', '', 'value', r ->> 'group', 'gives', 'role', 'id', r -> 'roleId'))
        from jsonb_array_elements(settings -> 'groupRoles') r), '[]'::jsonb))
    where settings ->> 'kind' in ('ldap', 'oidc', 'saml')`.execute(db)
}
