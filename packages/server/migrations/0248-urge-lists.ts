import { type Kysely, sql } from 'kysely'

/** Lists of urges by state: each is read and counted from an index, however many there have been. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
create index urge_sent_state on urge (sender_id, state, id desc);
drop index urge_sent_open;
create index urge_received_done on urge_receiver (account_id, urge_id desc) where handled_at is not null;
create index urge_received_ended on urge_receiver (account_id, urge_id desc)
  where not is_waiting and handled_at is null;
`.execute(db)
}
