// Electronic signing: certificates, pictures of signatures and seals, and signing processes with every revision.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table sign_certificate (
  id bigint generated always as identity primary key,
  -- The authority that issued it; null for an authority.
  authority_id bigint references sign_certificate,
  -- Whose it is; null for an authority and for people without an account.
  account_id bigint references account,
  subject text not null,
  issuer text not null,
  serial text not null unique,
  -- DER.
  certificate bytea not null,
  -- PKCS#8, sealed; empty once it is not needed any more.
  sealed_key text not null,
  not_before bigint not null,
  not_after bigint not null,
  created_at bigint not null,
  revoked_at bigint,
  -- The authority that issues, of those that were made.
  is_current boolean not null
);
create unique index sign_authority on sign_certificate ((true)) where authority_id is null and is_current;
create unique index sign_certificate_current on sign_certificate (account_id) where account_id is not null and is_current;
create index sign_certificate_issued on sign_certificate (id desc) where authority_id is not null;

create table sign_picture (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  kind text not null check (kind in ('drawn', 'typed', 'picture')),
  name text not null,
  picture bytea not null,
  is_default boolean not null,
  created_at bigint not null
);
create index sign_picture_of on sign_picture (account_id, id);
create unique index sign_picture_default on sign_picture (account_id) where is_default;

create table sign_seal (
  id bigint generated always as identity primary key,
  name text not null,
  picture bytea not null,
  user_ids bigint[] not null,
  role_ids bigint[] not null,
  created_at bigint not null,
  removed_at bigint
);

create table sign_seal_use (
  id bigint generated always as identity primary key,
  seal_id bigint not null references sign_seal,
  account_id bigint not null references account,
  activity_title text not null,
  at bigint not null,
  address text not null,
  is_done boolean not null
);
create index sign_seal_use_of on sign_seal_use (seal_id, id desc);

create table sign_activity (
  id bigint generated always as identity primary key,
  launcher_id bigint not null references account,
  -- The file, and its name at the launch; the process holds all bytes itself, so the file may be gone.
  item_id bigint references item on delete set null,
  file_name text not null,
  file_level smallint not null,
  file_level_until bigint,
  title text not null,
  comments text not null,
  in_order boolean not null,
  watermark_template_id bigint,
  archive_folder_id bigint not null,
  state text not null check (state in ('running', 'signed', 'archived', 'rejected', 'withdrawn', 'expired')),
  created_at bigint not null,
  ended_at bigint,
  deadline bigint,
  -- The objects of the base revision that updates name.
  layout jsonb not null,
  -- The newest revision, and its number of objects.
  revision int not null default 0,
  objects int not null,
  -- Who is signing, and until when that keeps others from signing.
  locked_by bigint references account,
  locked_until bigint not null default 0,
  archive_problem int,
  archived jsonb not null default '[]'
);
create index sign_launched on sign_activity (launcher_id, id desc);
create index sign_item on sign_activity (item_id) where item_id is not null;
create index sign_due on sign_activity (deadline) where state = 'running' and deadline is not null;

create table sign_revision (
  activity_id bigint not null references sign_activity on delete cascade,
  number int not null,
  blob_id bigint not null references blob,
  size bigint not null,
  sha256 bytea not null,
  created_at bigint not null,
  primary key (activity_id, number)
);
create index sign_revision_blob on sign_revision (blob_id);

create table sign_signer (
  id bigint generated always as identity primary key,
  activity_id bigint not null references sign_activity on delete cascade,
  place smallint not null,
  account_id bigint not null references account,
  state text not null check (state in ('next', 'now', 'signed', 'rejected', 'left')),
  acted_at bigint,
  comments text not null default '',
  address text not null default '',
  -- How the signer was identified.
  proof text not null default '',
  certificate_id bigint references sign_certificate,
  unique (activity_id, account_id)
);
create index sign_signer_of on sign_signer (account_id, activity_id desc);
create index sign_signer_now on sign_signer (account_id) where state = 'now';

create table sign_field (
  id bigint generated always as identity primary key,
  activity_id bigint not null references sign_activity on delete cascade,
  signer_id bigint not null references sign_signer on delete cascade,
  kind text not null check (kind in ('signature', 'seal', 'date', 'text')),
  -- Its position in the layout.
  number int not null
);
create index sign_field_of on sign_field (activity_id, number);

create table sign_entry (
  id bigint generated always as identity primary key,
  activity_id bigint not null references sign_activity on delete cascade,
  at bigint not null,
  what text not null,
  account_id bigint references account,
  to_id bigint references account,
  text text not null default ''
);
create index sign_entry_of on sign_entry (activity_id, id);
`)
    .execute(db)
}
