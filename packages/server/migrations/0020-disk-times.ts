// The modification time of a file on the disk that it came from, besides the server's: for each version, and in the
// file's row that of the newest version. Null if the uploader did not send it.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table item add column disk_time bigint;
alter table version add column disk_time bigint;
alter table upload add column disk_time bigint;
`)
    .execute(db)
}
