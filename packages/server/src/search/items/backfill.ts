/*
 * Backfill: adds data to existing index rows that newer rows get when they are written. It runs in batches, from the
 * lowest number on. Its progress is stored in a stamp, so any process can continue it, and searches know when it is
 * complete.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'

/** The value of the stamp once the backfill is complete. */
export const backfillDone = Number.MAX_SAFE_INTEGER

/** Processes a batch of the rows above a number, unless all are done; false if nothing is left. */
export async function runBackfill(
  db: Db,
  name: string,
  /** Returns the last number processed; undefined after the last row. */
  batch: (tx: Tx, above: number) => Promise<number | undefined>,
): Promise<boolean> {
  if (await isBackfilled(db, name)) return false
  return db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx)
    // This row serializes indexers.
    const { rows: stamps } = await sql<{ name: string; value: number }>`
      select name, value from stamp where name in ('search', ${name}) for update`.execute(tx)
    const last = await batch(tx, stamps.find((stamp) => stamp.name === name)?.value ?? 0)
    await sql`
      insert into stamp (name, value) values (${name}, ${last ?? backfillDone})
      on conflict (name) do update set value = excluded.value`.execute(tx)
    return last !== undefined
  })
}

/** Whether the backfill is complete. */
export async function isBackfilled(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ value: number }>`select value from stamp where name = ${name}`.execute(db)
  return rows[0]?.value === backfillDone
}
