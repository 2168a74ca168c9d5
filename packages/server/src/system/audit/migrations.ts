// Adds archives: the older part of the audit in sealed files, with a quota of its own (archive.ts).
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table audit_archive (
  -- Its rows by their numbers in the chain: from where the one before it ends, up to a signed head.
  from_seq bigint primary key,
  to_seq bigint not null unique,
  rows int not null,
  -- When its first row happened and its last.
  since bigint not null,
  until bigint not null,
  blob_id bigint not null references blob,
  bytes bigint not null,
  -- What a row of the log took in the database when this was made: the room that an archive leaves stays with the tables.
  row_bytes int not null,
  created_at bigint not null
);
create index audit_archive_blob on audit_archive (blob_id);

alter table space_low drop constraint space_low_kind_check;
alter table space_low add constraint space_low_kind_check
  check (kind in ('account', 'installation', 'disk', 'log', 'archive'));
`)
    .execute(db)
}

/**
 * Adds download counts per item and day, counted while sealing; rows that are already sealed are counted once in this
 * migration.
 */
async function countDownloads(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table audit_download (day int not null, item_id bigint not null, n bigint not null, primary key (day, item_id));

insert into audit_download (day, item_id, n)
select s.at / 86400000, i.item_id, count(*)
from audit_seal s join audit a on a.id = s.audit_id join audit_item i on i.seq = s.seq
where not s.refused and (a.detail ->> 'log')::bigint & 2 <> 0
group by 1, 2;
`)
    .execute(db)
}

/** Adds an index by library, for the log of large folders: an item never leaves its library. */
async function byLibrary(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table audit_library (library_id bigint not null, seq bigint not null, primary key (library_id, seq));

insert into audit_library (library_id, seq)
select distinct t.library_id, i.seq from audit_item i join item t on t.id = i.item_id;
`)
    .execute(db)
}

export const auditMigrations: Readonly<Record<string, Migration>> = {
  '0080-audit-archives': { up },
  '0092-audit-downloads': { up: countDownloads },
  '0143-audit-by-library': { up: byLibrary },
}
