// Checksums of content blocks, in pieces of 1 GiB: every read of a part of a content is verified. Contents of one block
// have none. Older contents get theirs on the next read.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table blob_sums (
  blob_id bigint not null references blob on delete cascade,
  piece int not null,
  sums bytea not null,
  primary key (blob_id, piece)
);
-- They do not become smaller by being compressed.
alter table blob_sums alter column sums set storage external;
`)
    .execute(db)
}
