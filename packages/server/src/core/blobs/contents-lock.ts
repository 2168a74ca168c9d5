/*
 * Copying contents and garbage-collecting them exclude each other. A process that copies the contents named by the rows
 * of a snapshot (a backup, a restore) holds this lock in shared mode on its own connection, from before the snapshot
 * until the last content is copied. The collector removes objects only while nobody holds the lock, and only those
 * whose row was deleted well before: an older snapshot holds the lock, and a newer one does not name them. Session
 * locks end with the connection, so a process that dies blocks nobody.
 */
import type pg from 'pg'

/** The key of the advisory lock. */
export const contentsLock = 0x626c6f62

/**
 * Takes the shared lock. From then on the collector removes nothing that a later snapshot names, for as long as the
 * connection lasts.
 */
export async function lockContents(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [contentsLock])
}
