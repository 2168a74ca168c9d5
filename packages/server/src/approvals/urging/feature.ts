// Feature: urging.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { writeEvents } from '../../core/events.ts'
import { feature } from '../../core/feature.ts'
import type { Services } from '../../core/services.ts'
import { companyCalendar } from '../../core/work-calendar.ts'
import { urgingHandlers } from './index.ts'
import { sentUrges, waitingUrges } from './leavers.ts'
import { urgeObjects, urgesWaiting } from './read.ts'
import { urgingTables } from './tables.ts'
import { followCalendar, sendDue, urgeAudience } from './urges.ts'

const remindEveryMs = 30_000
const chunk = 50

export const urging = feature({
  wire: features.urging,
  tables: urgingTables,
  checks: [
    {
      says: 'an urge is open as long as somebody has to act',
      broken: sql`
        select 'urge ' || u.id as what from urge u where (u.state = 'open') <> exists (
          select 1 from urge_receiver r where r.urge_id = u.id and r.is_waiting)`,
    },
    {
      says: 'an urge counts its receivers and those who are done',
      broken: sql`
        select 'urge ' || u.id as what from urge u cross join lateral (
          select count(*) as receivers, count(handled_at) as handled from urge_receiver r
          where r.urge_id = u.id and r.handed_to is null) n
        where u.receiver_count <> n.receivers or u.handled_count <> n.handled`,
    },
    {
      says: 'only an open urge has a next reminder',
      broken: sql`select 'urge ' || id as what from urge where state <> 'open' and next_at is not null`,
    },
  ],
  open: (services) => ({
    handlers: urgingHandlers(services),
    objects: [urgeObjects],
    audiences: { 'urge.changed': urgeAudience },
    counters: { urgeReview: urgesWaiting },
    leavers: [waitingUrges(services.settings), sentUrges],
    chores: [
      {
        name: 'reminders of urges',
        everyMs: remindEveryMs,
        run: async () => (await remindUrges(services, services.now())) === chunk,
      },
    ],
  }),
})

/**
 * Sends the reminders that are due, in one transaction with the times of the next ones: a process that stops in between
 * sends none twice and loses none. Returns their number.
 */
export async function remindUrges(
  { db, pause }: Pick<Services, 'db' | 'pause'>,
  now: number,
  most = chunk,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const calendar = await companyCalendar(tx)
    // First, so that nothing is sent at a time that a changed calendar has moved.
    const moved = await sql<{ id: number }>`
      select id from urge where calendar is not null and calendar <> ${calendar.key} and state = 'open'
      order by id limit ${most} for no key update skip locked`.execute(tx)
    for (const { id } of moved.rows) await writeEvents(tx, await followCalendar(tx, id, now, calendar), now)
    if (moved.rows.length === most) return most
    const { rows } = await sql<{ id: number }>`
      select id from urge where next_at <= ${now} order by next_at limit ${most}
      for no key update skip locked`.execute(tx)
    for (const { id } of rows) {
      await writeEvents(tx, await sendDue(tx, id, now, calendar), now)
      await pause('urge reminded')
    }
    return rows.length
  })
}
