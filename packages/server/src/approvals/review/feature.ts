// Feature: reviews.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { writeEvents } from '../../core/events.ts'
import { feature } from '../../core/feature.ts'
import type { Services } from '../../core/services.ts'
import { endOverdue, nextReminder, readReview, reassignReviews, remind } from './engine.ts'
import { reviewHandlers } from './index.ts'
import { kindsOf } from './kind.ts'
import { launchedReviews, standIns, waitingReviews } from './leavers.ts'
import { reviewObjects } from './read.ts'
import { followStandIns } from './stand-ins.ts'
import { reviewTables } from './tables.ts'

const minuteMs = 60_000
const chunk = 100

export const reviews = feature({
  wire: features.reviews,
  tables: reviewTables,
  checks: [
    {
      says: 'a request waits for somebody as long as nobody has decided it',
      broken: sql`
        select 'review ' || r.id as what from review r where r.state = 'pending'
          and not exists (select 1 from review_reviewer w where w.review_id = r.id and w.is_waiting)
        union all
        select 'review ' || r.id from review r where r.state <> 'pending'
          and exists (select 1 from review_reviewer w where w.review_id = r.id and w.is_waiting)`,
    },
    {
      says: 'what an approval gave is in force no longer than the approval',
      broken: sql`
        select 'review ' || r.id as what from review r join entry e on e.review_id = r.id
        where r.state <> 'approved' or e.expires_at is distinct from r.ends_at`,
    },
  ],
  open(services) {
    const kindOf = kindsOf(services)
    const reviewing = { settings: services.settings, kindOf }
    return {
      handlers: reviewHandlers(services),
      objects: [reviewObjects(services)],
      leavers: [waitingReviews(reviewing), launchedReviews(reviewing), standIns],
      reactions: [
        {
          to: 'person',
          async react(tx, heard) {
            for (const one of heard) {
              if (one.change.what !== 'state') continue
              for (const event of await reassignReviews(tx, kindOf, one.change.accountId, one.now)) one.event(event)
            }
          },
        },
      ],
      chores: [
        {
          name: 'reminders of reviews',
          everyMs: minuteMs,
          run: async () => (await remindDue(services, services.now())) === chunk,
        },
        {
          name: 'stand-ins of reviews',
          everyMs: minuteMs,
          run: async () => (await followStandIns(services.db, kindOf, services.now(), chunk)) === chunk,
        },
      ],
    }
  },
})

/**
 * Reminds reviewers of requests before the deadline and at it, and does with late ones what their kind prescribes;
 * returns their number. By default a late request remains open: the reviewers may decide, and the requester may
 * withdraw it.
 */
export async function remindDue(services: Pick<Services, 'db' | 'contributed'>, now: number): Promise<number> {
  const { db } = services
  const kindOf = kindsOf(services)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; handle_before: number | null }>`
      select id, handle_before from review where state = 'pending' and remind_at <= ${now}
      order by remind_at limit ${chunk} for no key update skip locked`.execute(tx)
    for (const { id, handle_before: before } of rows) {
      await sql`update review set remind_at = ${nextReminder(before, now)} where id = ${id}`.execute(tx)
      const isLate = before !== null && before <= now
      const overdue = isLate ? await endOverdue(tx, kindOf, id, now) : []
      const isOpen = (await readReview(tx, id)).state === 'pending'
      const reminders = isOpen ? await remind(tx, kindOf, id, now, null) : []
      await writeEvents(tx, [...reminders, ...overdue], now)
    }
    return rows.length
  })
}
