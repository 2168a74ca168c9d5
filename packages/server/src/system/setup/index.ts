/*
 * The first hour of an installation: its administrator is led through what a company needs before others come. Every step
 * works by the calls that the administration has for it; what is kept here is only which of them are done.
 */
import { defaultInstallation, features, type InstallationSetting, setupSteps } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { changeSettings } from '../../core/settings.ts'

/** How a new installation begins that is to be set up on the screen. */
export const openSetup: InstallationSetting = { ...defaultInstallation, setup_open: true }

/** The handlers of the first set-up. */
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
