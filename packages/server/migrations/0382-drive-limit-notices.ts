// The network drives of Windows whose owner was notified that they do not open large files as they are installed.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table drive_limit_notice (
  program_id bigint primary key references program on delete cascade,
  notified_at bigint not null
);
`)
    .execute(db)
}
