// The licence of the installation: activation, seats, and what its end refuses (ADR 0269).
import { features, type Licence } from '@cloudoc/contract'
import { fail, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Actor } from '../../core/actor.ts'
import { type Admission, isChange } from '../../core/call/admission.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { accountLimitOf, expiredLicence, libraryLimitOf, stateOf } from '../../core/licence.ts'
import type { Services } from '../../core/services.ts'
import { changeSettings, createSettings } from '../../core/settings.ts'
import { attempt } from '../../people/auth/index.ts'
import { readLicence } from './file.ts'

const maxHistory = 50

/** Puts a licence in force in place of one of the same scope. `first`: only if there is none yet. */
async function install(
  context: Pick<WriteContext, 'tx' | 'changed' | 'now' | 'audit'> & { readonly actor: Actor | undefined },
  licence: Licence,
  { first }: { readonly first: boolean },
): Promise<void> {
  const { tx } = context
  // Whoever installs another one at the same moment waits here.
  await tx.selectFrom('stamp').select('value').where('name', '=', 'settings').forUpdate().execute()
  const { licences } = (await createSettings(tx).current()).inner
  if (first && licences.length > 0) return fail('noPermission')
  await changeSettings(context, { licences: [...licences.filter(({ scope }) => scope !== licence.scope), licence] })
  context.audit({ licence: licence.licenceId, customer: licence.customer, seats: licence.seats })
}

/** Refuses operations of a server that is not activated (455), and changes after the end of a licence (-46, -238). */
export function licenceAdmission({ settings, licenceKey }: Pick<Services, 'settings' | 'licenceKey'>): Admission {
  const assertActivated = (licences: readonly Licence[]): void => {
    if (licenceKey !== undefined && licences.length === 0) fail('notActivated')
  }
  return ({ operation, actor, now }) => {
    if (operation.before === 'activation') return undefined
    if (actor === undefined) {
      // Only servers that demand a licence ask, and only for callers without a session.
      if (licenceKey === undefined) return undefined
      return settings.current().then(({ inner }) => assertActivated(inner.licences))
    }
    const own = (actor.kind === 'account' ? actor : actor.responsible).settings
    assertActivated(own.inner.licences)
    const expired = isChange(operation) ? expiredLicence(own, now) : undefined
    return expired === undefined ? undefined : fail(expired)
  }
}

/** The handlers of the calls about the licence. */
export function licenceHandlers({
  settings,
  licenceKey,
  secrets,
}: Pick<Services, 'settings' | 'licenceKey' | 'secrets'>) {
  const { installation } = secrets
  const isActivated = async (): Promise<boolean> =>
    licenceKey === undefined || (await settings.current()).inner.licences.length > 0
  return implement(features.licences.calls, {
    async getActivation() {
      return { activated: await isActivated(), installation }
    },

    async activate(context, { licence: text }) {
      const { db, now, address } = context
      if (await isActivated()) return fail('noPermission')
      const tried = await attempt(db, undefined, address, now)
      let licence: Licence
      try {
        licence = readLicence(text, { publicKey: licenceKey, installation, now })
      } catch (error) {
        if (!(error instanceof ResultError)) throw error
        return tried.wrong(error.code, true, { call: 'activate', accountId: null })
      }
      return context.commit(async (write) => {
        await install({ ...write, actor: undefined }, licence, { first: true })
        return {}
      })
    },

    async getLicence({ db, now, actor }) {
      const { inner, ...shared } = actor?.kind === 'account' ? actor.settings : fail('notLoggedIn')
      const own = { inner, ...shared }
      const [{ rows: counts }, { rows: history }] = await Promise.all([
        sql<{ seats: number; workspaces: number }>`
          select (select count(*) from account where state <> 'disabled') as seats,
            (select count(*) from library l
              where l.kind <> 'personal') as workspaces`.execute(db),
        sql<{ at: number; by: string; after: Licence[] }>`
          select c.at, coalesce(a.name, '') as by, c.after from setting_change c left join account a on a.id = c.account_id
          where c.name = 'licences' order by c.id desc limit ${maxHistory}`.execute(db),
      ])
      const states = inner.licences.map((licence) => stateOf(licence, now))
      const state = (['expired', 'grace', 'valid'] as const).find((one) => states.includes(one)) ?? 'none'
      return {
        at: now,
        demanded: licenceKey !== undefined,
        installation,
        state,
        list: inner.licences,
        seats: { used: counts[0]?.seats ?? 0, most: accountLimitOf(own) },
        workspaces: { used: counts[0]?.workspaces ?? 0, most: libraryLimitOf(own) },
        history: history.map(({ at, by, after }) => ({
          at,
          by,
          licenceIds: after.map(({ licenceId }) => licenceId),
        })),
      }
    },

    async installLicence(context, { licence: text, check }) {
      const { now } = context
      const actor = actorOf(context)
      const licence = readLicence(text, { publicKey: licenceKey, installation, now })
      if (!check) await install({ ...context, actor }, licence, { first: false })
      return licence
    },
  })
}
