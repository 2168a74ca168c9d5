/*
 * Rows of the indexes that were there before something that newer ones have: they are given it a batch at a time, from the
 * lowest number on. How far that is stands in a stamp, so any process goes on with it, and searches know when it is done.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'

/** The value of the stamp once all rows have it. */
export const backfillDone = Number.MAX_SAFE_INTEGER

/** Does a batch of the rows above a number, unless all are done; false where nothing is left. */
export async function runBackfill(
  db: Db,
  name: string,
  /** Answers the last number it did; undefined behind the last. */
  batch: (tx: Tx, above: number) => Promise<number | undefined>,
): Promise<boolean> {
  if (await isBackfilled(db, name)) return false
  return db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx)
    // Whoever indexes holds this.
    const { rows: stamps } = await sql<{ name: string; value: number }>`
      select name, value from stamp where name in ('search', ${name}) for update`.execute(tx)
    const last = await batch(tx, stamps.find((stamp) => stamp.name === name)?.value ?? 0)
    await sql`
      insert into stamp (name, value) values (${name}, ${last ?? backfillDone})
      on conflict (name) do update set value = excluded.value`.execute(tx)
    return last !== undefined
  })
}

/** Whether all rows have it. */
export async function isBackfilled(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ value: number }>`select value from stamp where name = ${name}`.execute(db)
  return rows[0]?.value === backfillDone
}
