/*
 * Event readers: background work of a feature after changes, once for each event and in order of positions, so that no
 * writer waits for it. The leader runs them for all processes. Its position is stored in the database, in the
 * transaction of its writes. Nothing is done twice or left out when another process takes over.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { type NewEvent, writeEvents } from '../events.ts'
import { pause } from '../leader-election.ts'
import type { StoredEvent } from './audience.ts'

export interface EventReader {
  /** The name under which its position is stored. */
  readonly name: string
  /** The kinds of events that it reads. */
  readonly kinds: readonly string[]
  /** Processes some events. Returns new events for others. */
  read(tx: Tx, events: readonly StoredEvent<never>[], now: number): Promise<readonly NewEvent[]>
}

const readBatchSize = 500
const pollEveryMs = 1000

const placeName = (reader: EventReader): string => `events ${reader.name}`

/** Lets one reader read a batch. Returns whether more is waiting, and how many events it wrote. */
export async function readBatch(db: Db, reader: EventReader, now: number): Promise<{ more: boolean; wrote: number }> {
  const name = placeName(reader)
  const { rows } = await sql<{ head: number; place: number | null }>`
    select value as head, (select (value->>'position')::bigint from walk where name = ${name}) as place
    from stamp where name = 'event'`.execute(db)
  const [at] = rows
  // An idle server writes nothing.
  if (at === undefined || at.head === at.place) return { more: false, wrote: 0 }
  return db.transaction().execute(async (tx) => {
    // A new reader starts at the newest event and skips earlier ones.
    await sql`
      insert into walk (name, value) values (${name}, jsonb_build_object('position', ${at.head}::bigint))
      on conflict do nothing`.execute(tx)
    const { rows: places } = await sql<{ place: number }>`
      select (value->>'position')::bigint as place from walk where name = ${name} for update`.execute(tx)
    const place = places[0]?.place ?? at.head
    const { rows: found } = await sql<StoredRow>`
      select position, created_at, case when outsider is null then actor_id end as actor_id, payload
      from event where position > ${place} and position <= ${at.head} and kind = any(${[...reader.kinds]})
      order by position limit ${readBatchSize}`.execute(tx)
    const isFull = found.length === readBatchSize
    const events = found.map((row) => ({
      position: row.position,
      at: row.created_at,
      actorId: row.actor_id,
      event: row.payload as never,
    }))
    const told = events.length === 0 ? [] : await reader.read(tx, events, now)
    const to = isFull ? (events.at(-1)?.position ?? place) : Math.max(place, at.head)
    await sql`
      update walk set value = jsonb_build_object('position', ${to}::bigint) where name = ${name}`.execute(tx)
    await writeEvents(tx, told, now)
    // Another process may have read while this one waited. The events it wrote have no positions yet.
    return { more: isFull || place !== (at.place ?? place), wrote: told.length }
  })
}

interface StoredRow {
  readonly position: number
  readonly created_at: number
  readonly actor_id: number | null
  readonly payload: object
}

/** The running event readers. */
export interface Readers {
  /** Reads until the signal. Runs in the elected process. */
  run(reader: EventReader, signal: AbortSignal): Promise<void>
  /** Called when events have new positions. */
  wake(): void
}

export function createReaders({
  db,
  now,
  committed,
}: {
  readonly db: Db
  readonly now: () => number
  /** Called when a reader has written events. */
  readonly committed: () => void
}): Readers {
  const wakers = new Map<EventReader, () => void>()
  return {
    async run(reader, signal) {
      const nudged = new Promise<void>((resolve) => wakers.set(reader, resolve))
      let more = true
      while (more && !signal.aborted) {
        const done = await readBatch(db, reader, now())
        if (done.wrote > 0) committed()
        more = done.more
      }
      await Promise.race([nudged, pause(pollEveryMs, signal)])
    },
    wake() {
      for (const wake of wakers.values()) wake()
    },
  }
}
