/*
 * Copying contents and collecting them exclude each other. Who copies what the rows of a snapshot name (a backup, a
 * restore) holds this lock shared, on a connection of its own, from before the snapshot until the last content is copied.
 * The collector removes objects only while nobody holds it, and only those whose row had gone a good while before: an
 * older snapshot was asked for, a newer one does not name them. Locks of a session end with its connection, so a process
 * that dies holds nobody up.
 */
import type pg from 'pg'

/** The key of the advisory lock. */
export const contentsLock = 0x626c6f62

/** From then on the collector removes nothing that a later snapshot names, for as long as the connection lasts. */
export async function lockContents(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [contentsLock])
}
