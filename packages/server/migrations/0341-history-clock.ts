// Earlier states of items are recorded with the clock of the server, as everything else is.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- The server sets cloudoc.now at the beginning of its transactions. Statements of others use the clock of the database.
create or replace function history_time() returns bigint language sql stable as $$
  select coalesce(nullif(current_setting('cloudoc.now', true), '')::bigint,
    floor(extract(epoch from transaction_timestamp()) * 1000)::bigint)
$$;
`)
    .execute(db)
}
