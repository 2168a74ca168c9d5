// The time that a file had on the disk that it came from, beside the server's: of each version, and in the row of the file
// that of its newest. Null where whoever sent it did not say.
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
