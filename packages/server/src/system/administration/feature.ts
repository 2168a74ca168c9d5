// Feature: server settings, with the administrators' calls and the notification of open pages.
import { features, publicSettings } from '@cloudoc/contract'
import type { FeatureEvent } from '../../core/events.ts'
import { feature } from '../../core/feature.ts'
import type { Audience } from '../../core/push/index.ts'
import { settingHandlers } from './settings.ts'

const settingsChanged = 'settings.changed'

/** All signed-in users: everybody belongs to the company, which is the root department. */
const everybody: Audience<FeatureEvent> = {
  async prepare(db, events) {
    const company = await db.selectFrom('org_group').select('id').where('parent_id', 'is', null).execute()
    const none: ReadonlySet<number> = new Set()
    const concerns = { accountIds: none, groupIds: new Set(company.map(({ id }) => id)), roleIds: none }
    const viewFor = () => ({ name: 'settingsChanged', payload: {} }) as const
    return new Map(events.map(({ position }) => [position, { concerns, perAccount: false, viewFor }]))
  },
}

export const administration = feature({
  wire: features.administration,
  open: () => ({
    handlers: settingHandlers(),
    audiences: { [settingsChanged]: everybody },
    reactions: [
      {
        to: 'settings',
        react(_tx, heard) {
          for (const one of heard) {
            const [before, after] = [publicSettings(one.change.before), publicSettings(one.change.after)]
            if (JSON.stringify(before) !== JSON.stringify(after)) one.event({ kind: settingsChanged })
          }
          return Promise.resolve()
        },
      },
    ],
  }),
})
