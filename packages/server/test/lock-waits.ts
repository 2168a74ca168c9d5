// Waits until a statement waits for a lock: the blocked transaction has then reached the statement that the lock
// blocks.
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../src/core/db/database.ts'
import type { World } from './harness.ts'

/**
 * Opens separate connections for a test, for transactions that block others and for reading lock waits. The world's
 * pool is small, and blocked statements may take its last connection.
 */
export function extraConnections(world: Pick<World, 'database'>): Db {
  const beside = openDatabase(world.database, 2)
  onTestFinished(() => beside.close())
  return beside.db
}

/** Resolves once a statement like `pattern` waits for a lock in the database of `db`. */
export async function lockIsWaitedFor(db: Db, pattern = '%'): Promise<void> {
  const waits = sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${pattern}`
  await expect.poll(async () => (await waits.execute(db)).rows[0]?.n, { timeout: 10_000 }).toBeGreaterThan(0)
}
