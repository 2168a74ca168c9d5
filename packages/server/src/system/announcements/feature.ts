// Feature: announcements to everybody or to some departments.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import type { Audience } from '../../core/push/index.ts'
import { type AnnouncementEvent, announcementHandlers, announcementsChanged, announceNext } from './index.ts'
import { announcementTables } from './tables.ts'

const tellEveryMs = 15_000

/** The people of the departments, which are all below the company. */
const readers: Audience<AnnouncementEvent> = {
  async prepare(db, events) {
    const company = await db.selectFrom('org_group').select('id').where('parent_id', 'is', null).execute()
    const everybody = company.map(({ id }) => id)
    const none: ReadonlySet<number> = new Set()
    const viewFor = () => ({ name: 'announcementsChanged', payload: {} }) as const
    return new Map(
      events.map(({ position, event: { groupIds } }) => {
        const groups = new Set(groupIds.length === 0 ? everybody : groupIds)
        const concerns = { accountIds: none, groupIds: groups, roleIds: none }
        return [position, { concerns, perAccount: false, viewFor }]
      }),
    )
  },
}

export const announcements = feature({
  wire: features.announcements,
  tables: announcementTables,
  open: ({ db, now }) => ({
    handlers: announcementHandlers(),
    audiences: { [announcementsChanged]: readers },
    chores: [{ name: 'announcements that begin', everyMs: tellEveryMs, run: () => announceNext(db, now()) }],
  }),
})
