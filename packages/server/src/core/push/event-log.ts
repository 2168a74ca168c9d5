// The event log: reads the event table in batches, each event with its audience.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { NewEvent } from '../events.ts'
import { type AudibleEvent, type Audiences, prepareAll, type StoredEvent } from './audience.ts'

/** Maximum number of events in one read. */
export const batchMost = 500

/** An event with its audience, if its kind has one. */
export interface Prepared extends StoredEvent<NewEvent> {
  readonly audible: AudibleEvent | undefined
}

/** The newest position, and the oldest event that still exists. */
export async function readHead(db: Db): Promise<{ head: number; oldest: number | null }> {
  const { rows } = await sql<{ head: number; oldest: number | null }>`
    select value as head, (select min(position) from event) as oldest from stamp where name = 'event'`.execute(db)
  return rows[0] ?? { head: 0, oldest: null }
}

interface EventRow {
  readonly position: number
  readonly created_at: number
  readonly actor_id: number | null
  readonly payload: NewEvent
  readonly organisation: number
  readonly settings: number
}

/** Reads a limited number of events after a position, with the version that actors must have for their audiences. */
export async function readAfter(
  parts: { readonly db: Db; readonly audiences: Audiences; readonly now: () => number },
  position: number,
  { upTo = Number.MAX_SAFE_INTEGER, most = batchMost } = {},
): Promise<{ events: Prepared[]; version: number }> {
  const { rows } = await sql<EventRow>`
    select position, created_at, case when outsider is null then actor_id end as actor_id, payload,
      (select value from stamp where name = 'organisation') as organisation,
      (select value from stamp where name = 'settings') as settings
    from event where position > ${position} and position <= ${upTo} order by position limit ${most}`.execute(parts.db)
  const events = rows.map((row) => ({
    position: row.position,
    at: row.created_at,
    actorId: row.actor_id,
    event: row.payload,
  }))
  const audible = await prepareAll(parts.audiences, parts.db, { events, now: parts.now() })
  return {
    events: events.map((stored) => ({ ...stored, audible: audible.get(stored.position) })),
    version: (rows[0]?.organisation ?? 0) + (rows[0]?.settings ?? 0),
  }
}
