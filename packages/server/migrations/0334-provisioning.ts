// Provisioning by SCIM: what a system has sent of its people, its groups with their members, and the last requests.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table scim_person (
      -- The id of the resource: it never changes, and is never given to another person.
      identity_id bigint primary key references provider_identity on delete cascade,
      provider_id bigint not null references provider on delete cascade,
      -- The attributes as they were sent, without the password.
      resource jsonb not null,
      -- Removed by the system: its account is frozen, and it is not found until it is created again.
      gone boolean not null default false,
      -- When the system wanted it frozen, while an administrator has to decide; 0: it does not wait.
      waits_since bigint not null default 0,
      -- When it was frozen by the system, for the brake; 0: it is not frozen.
      frozen_at bigint not null default 0,
      created_at bigint not null,
      changed_at bigint not null,
      revision bigint not null default 1
    )`.execute(db)
  await sql`create index scim_person_provider on scim_person (provider_id, identity_id)`.execute(db)
  await sql`create index scim_person_frozen on scim_person (provider_id, frozen_at) where frozen_at > 0`.execute(db)
  await sql`create index scim_person_waits on scim_person (provider_id) where waits_since > 0`.execute(db)
  await sql`create index provider_identity_key on provider_identity (provider_id, account_key)`.execute(db)
  await sql`
    create table scim_group (
      id bigint generated always as identity primary key,
      provider_id bigint not null references provider on delete cascade,
      external_id text,
      name text not null,
      name_key text not null,
      -- The role that its members get.
      role_id bigint references role on delete set null,
      created_at bigint not null,
      changed_at bigint not null,
      revision bigint not null default 1
    )`.execute(db)
  await sql`create unique index scim_group_name on scim_group (provider_id, name_key)`.execute(db)
  await sql`create unique index scim_group_external on scim_group (provider_id, external_id)`.execute(db)
  await sql`
    create table scim_member (
      group_id bigint not null references scim_group on delete cascade,
      identity_id bigint not null references scim_person on delete cascade,
      primary key (group_id, identity_id)
    )`.execute(db)
  await sql`create index scim_member_identity on scim_member (identity_id)`.execute(db)
  await sql`
    create table scim_request (
      id bigint generated always as identity primary key,
      provider_id bigint not null references provider on delete cascade,
      at bigint not null,
      what text not null,
      name text not null,
      detail text not null,
      status int not null
    )`.execute(db)
  await sql`create index scim_request_newest on scim_request (provider_id, id desc)`.execute(db)
  await sql`
    -- Leavers before this moment do not count for the brake: an administrator has looked at them.
    alter table provider add column brake_from bigint not null default 0`.execute(db)
  await sql`create unique index provider_service_account on provider ((settings ->> 'serviceAccountId'))
    where settings ->> 'kind' = 'scim'`.execute(db)
}
