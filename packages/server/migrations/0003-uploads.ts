// Uploads in progress, and storage limits.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- An upload in parts. Its bytes lie in the blob store under the second half of its id. It has ended when it became a file
-- (file_id, version), was given up or has expired; the row then stays for a while, so that a repeated request is answered
-- the same and what a slow writer may still have left in the store is removed once more. No foreign key: a row that went
-- with its account would leave bytes that nothing names.
create table upload (
  id text primary key,
  account_id bigint not null,
  folder_id bigint not null,
  name text not null,
  size bigint not null,
  part_size bigint not null,
  sha256 bytea,
  conflict text not null,
  secret_level int not null default 0,
  secret_until bigint,
  -- What a tus client said of it, given back as it was.
  metadata text,
  -- What the challenge of an instant upload is made of; gone once it was answered.
  nonce bytea,
  expires_at bigint not null,
  ended_at bigint,
  file_id bigint,
  version int
);
create index upload_expires on upload (expires_at) where ended_at is null;
create index upload_ended on upload (ended_at) where ended_at is not null;
create index upload_account on upload (account_id) where ended_at is null;

-- One row per part. Whoever makes the row may write the part in its place; tag, size and hash are those of the attempt
-- that counts, once there is one.
create table upload_part (
  upload_id text not null references upload on delete cascade,
  number int not null,
  start bigint not null,
  claim uuid not null,
  -- Whether the attempt that counts was written beside the place: whoever claimed it may still be writing there.
  beside boolean not null default false,
  tag text,
  size bigint,
  sha256 bytea,
  primary key (upload_id, number)
);

-- Null: as the settings say for everybody; 0: no limit.
alter table account add column quota bigint;
-- The most bytes of one file; 0: no limit.
alter table library add column file_limit bigint not null default 0;

-- Folded from tally like the others. Row 0 is the sum of all libraries.
create table library_total (library_id bigint primary key, bytes bigint not null);
insert into library_total select library_id, sum(bytes) from usage_total group by library_id;
insert into library_total select 0, coalesce(sum(bytes), 0) from usage_total;
`)
    .execute(db)
}
