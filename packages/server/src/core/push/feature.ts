// The live channel as a feature: its calls, its tables, and the removal of old events.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { feature } from '../feature.ts'
import { pushHandlers } from './index.ts'
import { pushTables } from './tables.ts'

const eventsMost = 5000
/** How long events can be replayed (decisions "JSON channel"). */
const eventLife = 7 * 24 * 60 * 60_000
/** Lifetime of unconfirmed personal pushes. */
const personalLife = 90 * 24 * 60 * 60_000
const expiryEveryMs = 60_000

/** Removes events and pushes that are too old. Returns true if more is waiting. */
export async function removeExpiredEvents(db: Db, now: number): Promise<boolean> {
  // Starts at the lowest position, so that it reads no other rows.
  const { numAffectedRows = 0n } = await sql`
    delete from event where position in (
      select position from (
        select position, created_at from event where position is not null order by position limit ${eventsMost}) oldest
      where created_at < ${now - eventLife})`.execute(db)
  await db
    .deleteFrom('personal_push')
    .where('created_at', '<', now - personalLife)
    .execute()
  return Number(numAffectedRows) === eventsMost
}

export const push = feature({
  wire: features.push,
  tables: pushTables,
  checks: [
    {
      says: 'no event has a position beyond the newest one',
      broken: sql`
        select 'event ' || e.id as what from event e, stamp s where s.name = 'event' and e.position > s.value`,
    },
  ],
  open: ({ db, now, secrets }) => ({
    handlers: pushHandlers(secrets.epoch),
    gauges: [
      {
        name: 'cloudoc_event_wait_seconds',
        help: 'How long the oldest change has waited to be told; 0 where none waits.',
        read: async () => {
          const { rows } = await sql<{ created_at: number }>`
            select created_at from event where position is null order by id limit 1`.execute(db)
          return Math.max(0, now() - (rows[0]?.created_at ?? now())) / 1000
        },
      },
    ],
    chores: [{ name: 'old events', everyMs: expiryEveryMs, run: () => removeExpiredEvents(db, now()) }],
  }),
})
