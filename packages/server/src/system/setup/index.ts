/*
 * The initial setup: the administrator is guided through what a company needs before users arrive. Every step uses the
 * existing administration calls; this feature stores only which steps are done and which are left for later.
 */
import { defaultInstallation, features, type InstallationSetting, setupSteps } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { resumableScan } from '../../core/resumable-scan.ts'
import type { Services } from '../../core/services.ts'
import { changeSettings } from '../../core/settings.ts'
import { confirmCaller } from '../../people/auth/index.ts'

/** The settings of a new installation that is set up in the browser; the lowest level has no name of its own. */
export const openSetup: InstallationSetting = {
  ...defaultInstallation,
  setup_open: true,
  secret_names: ['内部', '秘密', '机密'],
}

/** How far filling the installation with the demo company is. */
const filling = resumableScan<{ state: 'none' | 'running' | 'done' | 'failed'; line: string; at: number }>('demo', {
  state: 'none',
  line: '',
  at: 0,
})

/** Without a report for so long, the process that filled the installation has ended. */
const silentMs = 10 * 60_000

async function countsOf(db: Db) {
  const { rows } = await sql<{
    companyGroupId: number
    groups: number
    people: number
    libraries: number
    isUsed: boolean
  }>`
    select (select id from org_group where parent_id is null limit 1) as "companyGroupId",
      (select count(*)::int from org_group where parent_id is not null) as groups,
      (select count(*)::int from account) as people,
      (select count(*)::int from library where kind <> 'personal') as libraries,
      exists (select 1 from item where parent_id is not null) as "isUsed"`.execute(db)
  return rows[0] ?? { companyGroupId: 0, groups: 0, people: 0, libraries: 0, isUsed: false }
}

/** The handlers of the initial setup. */
export function setupHandlers(services: SetupServices) {
  const { blobs, db: pool, fillDemo, log, now } = services
  const demoOf = async (db: Db, isUsed: boolean, at: number) => {
    const { state, line, at: told } = await filling.read(db)
    if (state === 'running' && told < at - silentMs) return { state: 'failed' as const, line }
    if (state !== 'none') return { state, line }
    return {
      state: fillDemo === undefined ? ('absent' as const) : isUsed ? ('full' as const) : ('ready' as const),
      line,
    }
  }
  return implement(features.setup.calls, {
    async getSetup(context) {
      const { setup_open: open, setup_skipped: skipped, inner } = actorOf(context).settings
      const { isUsed, ...counts } = await countsOf(context.db)
      const disk = await blobs.disk?.()
      return {
        open,
        done: inner.setup_done,
        skipped,
        demo: await demoOf(context.db, isUsed || counts.people > 1, context.now),
        storage: { place: blobs.place ?? '', disk: disk === undefined ? null : { free: disk.free, size: disk.size } },
        ...counts,
      }
    },

    async setSetup(context, { done, skip, finish, forget }) {
      const actor = actorOf(context)
      const { setup_open: open, setup_skipped: left, inner } = actor.settings
      // After its end only what was left for later remains.
      if (!open && (finish || (left.length === 0 && !forget))) return fail('duplicateOperation')
      const steps = setupSteps.filter((step) => step === done || inner.setup_done.includes(step))
      const rest = setupSteps.filter(
        (step) => !steps.includes(step) && (finish || step === skip || left.includes(step)),
      )
      await changeSettings(
        { ...context, actor },
        { setup_done: steps, setup_open: open && finish !== true, setup_skipped: forget ? [] : rest },
      )
      context.audit({ ...(done && { done }), ...(skip && { skip }), ...(finish && { finish }) })
      return {}
    },

    async fillWithDemo(context, { password }) {
      const actor = actorOf(context)
      const { isUsed, people } = await countsOf(context.db)
      if (fillDemo === undefined || isUsed || people > 1) return fail('duplicateOperation')
      const confirmed = await confirmCaller(context, services, { password }, 'fillWithDemo')
      await context.commit(async (write) => {
        const { tx, now: at } = write
        await confirmed.holds(write)
        // One fills it, whoever asks at the same time.
        await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(tx)
        const { state, at: told } = await filling.read(tx)
        if (state === 'done' || (state === 'running' && told >= at - silentMs)) fail('duplicateOperation')
        await filling.write(tx, { state: 'running', line: '', at })
      })
      const tell = (state: 'running' | 'done' | 'failed', line: string): Promise<void> =>
        filling.write(pool, { state, line: line.slice(0, 300), at: now() })
      // Reports are written one after the other, so that none overtakes the end.
      let written = Promise.resolve()
      const report = (line: string): void => {
        written = written.then(() => tell('running', line)).catch((error: unknown) => log.error({ err: error }, 'demo'))
      }
      void fillDemo({ account: actor.account, password, report })
        .then(
          async (filled) => {
            await written
            await (filled ? tell('done', '') : tell('failed', ''))
          },
          async (error: unknown) => {
            await written
            log.error({ err: error }, 'the demo company was not filled in')
            await tell('failed', error instanceof Error ? error.message : String(error))
          },
        )
        .catch((error: unknown) => log.error({ err: error }, 'the end of filling in the demo company was not stored'))
      return {}
    },
  })
}

type SetupServices = Pick<Services, 'blobs' | 'contributed' | 'db' | 'fillDemo' | 'log' | 'now' | 'settings'>
