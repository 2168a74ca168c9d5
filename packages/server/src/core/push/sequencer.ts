/*
 * Gives committed events their position. A position taken at insert would lose events: of two writers the later one may
 * commit first, and whoever has read its position never sees the other. So one elected process numbers what is committed,
 * in batches, and nudges every process once for each batch.
 *
 * The row of `stamp` is locked while numbers are given: should two processes believe to be elected for a moment, they
 * take turns.
 */
import { sql } from 'kysely'
import { type Db, thenCommit } from '../db/database.ts'

const batchSize = 1000

/** Numbers one batch; answers how many events got a position. */
export async function sequenceBatch(db: Db, pausePoint: (point: string) => Promise<void>): Promise<number> {
  // Looked for first: numbering locks and writes a row, which an idle server should not do every second.
  // In an order, so that it is looked for by the index of those that wait, of which there are few.
  const waiting = await sql`select 1 from event where position is null order by id limit 1`.execute(db)
  if (waiting.rows.length === 0) return 0
  const count = await db.transaction().execute(async (tx) => {
    // Sent together, in this order: what waits is looked for when the row is locked.
    const [, { rows }] = await Promise.all([
      sql`select value from stamp where name = 'event' for update`.execute(tx),
      sql<{ count: number }>`
        with waiting as (
          select id, row_number() over (order by id) as n from (
            select id from event where position is null order by id limit ${batchSize}) first
        ), last as (
          update stamp set value = value + (select count(*) from waiting) where name = 'event' returning value
        ), numbered as (
          update event e set position = last.value - (select count(*) from waiting) + w.n
          from waiting w, last where e.id = w.id returning e.kind, e.position, e.payload, e.created_at
        ), pushed as (
          insert into personal_push (account_id, position, push_type, payload, created_at)
          select a.id, e.position, (e.payload->>'pushType')::int, e.payload->'data', e.created_at
          from numbered e, jsonb_array_elements_text(e.payload->'accountIds') as t(account_id), account a
          where e.kind = 'personal' and a.id = t.account_id::bigint
          on conflict do nothing
        )
        select count(*) from numbered ${thenCommit}`.execute(tx),
    ])
    return rows[0]?.count ?? 0
  })
  if (count > 0) await pausePoint('sequenced')
  return count
}
