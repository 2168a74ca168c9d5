/*
 * Copying contents and collecting them exclude each other. Who copies what the rows of a snapshot name (a backup, a
 * restore) holds this lock shared, on a connection of its own, from before the snapshot until the last content is copied.
 * The collector takes it exclusively (`pg_try_advisory_lock`, else it tries again later) from before it deletes rows until
 * their objects are removed. Locks of a session end with its connection, so a process that dies holds nobody up.
 */
import type pg from 'pg'

/** The key of the advisory lock. */
export const contentsLock = 0x626c6f62

/** Waits until nothing is being removed; nothing is from then on, for as long as the connection lasts. */
export async function holdContents(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [contentsLock])
}
