import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table sticker (
      item_id bigint not null references item on delete cascade,
      account_id bigint not null references account on delete cascade,
      stuck_at bigint not null,
      stamped boolean not null default false,
      primary key (item_id, account_id)
    )`.execute(db)
}
