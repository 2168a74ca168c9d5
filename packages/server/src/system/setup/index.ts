/*
 * The initial setup: the administrator is guided through what a company needs before users arrive. Every step uses the
 * existing administration calls; this feature stores only which steps are done.
 */
import { defaultInstallation, features, type InstallationSetting, setupSteps } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { changeSettings } from '../../core/settings.ts'

/** The settings of a new installation that is set up in the browser. */
export const openSetup: InstallationSetting = { ...defaultInstallation, setup_open: true }

/** The handlers of the initial setup. */
export function setupHandlers({ blobs }: Pick<Services, 'blobs'>) {
  return implement(features.setup.calls, {
    async getSetup(context) {
      const { setup_open: open, inner } = actorOf(context).settings
      const { rows } = await sql<{ groups: number; people: number; libraries: number }>`
        select (select count(*) from org_group where parent_id is not null) as groups,
          (select count(*) from account) as people,
          (select count(*) from library where kind <> 'personal') as libraries`.execute(context.db)
      const disk = await blobs.disk?.()
      return {
        open,
        done: inner.setup_done,
        storage: { place: blobs.place ?? '', disk: disk === undefined ? null : { free: disk.free, size: disk.size } },
        ...(rows[0] ?? { groups: 0, people: 0, libraries: 0 }),
      }
    },

    async setSetup(context, { done, finish }) {
      const actor = actorOf(context)
      const { setup_open: open, inner } = actor.settings
      if (!open) return fail('duplicateOperation')
      const steps = setupSteps.filter((step) => step === done || inner.setup_done.includes(step))
      await changeSettings({ ...context, actor }, { setup_done: steps, setup_open: finish !== true })
      context.audit({ ...(done && { done }), ...(finish && { finish }) })
      return {}
    },
  })
}
