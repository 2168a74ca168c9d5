/*
 * Bindings ([R025], [R351]): a person who is signed in adds an identity of a provider to their account, by signing in
 * there. This is the way for those whom the sign-in has refused because an account of their name existed.
 */
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { accountKey, attempt, limitHandOuts } from '../auth/index.ts'
import { administratorsAmong } from '../organisation/index.ts'
import { enabledProviders } from './accounts.ts'
import {
  attemptOf,
  type BrowserDeps,
  beginAttempt,
  browserParts,
  browserProvider,
  recognize,
} from './browser-providers.ts'

type Names = 'getMyBindings' | 'startBinding' | 'finishBinding' | 'endBinding'

/** The handlers of the calls about the caller's own identities. */
export function bindingHandlers(services: BrowserDeps): Pick<Handlers<typeof features.providers.calls>, Names> {
  return {
    async getMyBindings(context) {
      const own = await context.db
        .selectFrom('provider_identity')
        .select(['provider_id', 'label', 'account_name', 'bound_by_owner'])
        .where('account_id', '=', actorOf(context).accountId)
        .execute()
      const labelOf = new Map(own.map((row) => [row.provider_id, row.label || row.account_name]))
      const given = new Set(own.flatMap((row) => (row.bound_by_owner ? [] : [row.provider_id])))
      const providers = await enabledProviders(context.db)
      return {
        list: providers
          .flatMap(({ id, name, settings: { kind } }) =>
            // Nobody signs in by a provisioning system.
            kind === 'scim'
              ? []
              : [
                  {
                    ...{ providerId: id, name, kind, label: labelOf.get(id) ?? '' },
                    confirms: kind === 'oidc' && given.has(id),
                  },
                ],
          )
          // A directory is bound by an administrator, or by itself at the first sign-in.
          .filter(({ kind, label }) => kind !== 'ldap' || label !== ''),
      }
    },

    async startBinding(context, { providerId }) {
      await limitHandOuts(context.db, 'provider', context.address, context.now)
      const provider = await browserProvider(context.db, providerId)
      const binds = actorOf(context).accountId
      return { address: await beginAttempt(context, browserParts(services, provider), { redirect: '', binds }) }
    },

    async finishBinding(context, { providerId, query }) {
      const { db, now, address } = context
      const { accountId } = actorOf(context)
      const tried = await attempt(db, undefined, address, now)
      const provider = await browserProvider(db, providerId)
      const state = new URLSearchParams(query).get('state') ?? ''
      const begun = await attemptOf(context, providerId, state)
      if (begun?.binds !== accountId) return tried.wrong('signInAbnormal', true, { call: 'finishBinding', accountId })
      const person = await recognize(context, browserParts(services, provider), { attempt: begun, state, query })
      return context.commit(async (write) => {
        const { tx } = write
        // Whoever controls a provider must not become an administrator here.
        if ((await administratorsAmong(tx, [accountId])).has(accountId)) return fail('adminAccount')
        const bound = {
          ...{ account_id: accountId, label: person.name, account_name: person.account },
          account_key: accountKey(person.account),
          bound_by_owner: true,
        }
        const row = await tx
          .insertInto('provider_identity')
          .values({ provider_id: providerId, external_id: person.externalId, ...bound })
          // One that belongs to nobody yet was noted when its sign-in was refused.
          .onConflict((conflict) =>
            conflict
              .columns(['provider_id', 'external_id'])
              .doUpdateSet(bound)
              .where('provider_identity.account_id', 'is', null),
          )
          .returning('id')
          .executeTakeFirst()
        if (row === undefined) {
          const detail = { zh: '它已绑定到别的账号', en: 'it is bound to another account' }
          return fail('alreadyExists', detail)
        }
        write.audit({ name: person.account })
        return { name: person.name }
      })
    },

    async endBinding(context, { providerId }) {
      const { tx } = context
      const { accountId } = actorOf(context)
      const account = await tx
        .selectFrom('account')
        .select('password_hash')
        .where('id', '=', accountId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow()
      const own = await tx
        .selectFrom('provider_identity as i')
        .innerJoin('provider as p', 'p.id', 'i.provider_id')
        .select('i.provider_id')
        .where('i.account_id', '=', accountId)
        // A provisioning system is no way to sign in, and nobody parts from it by themselves.
        .where(sql<boolean>`p.settings ->> 'kind' <> 'scim'`)
        .execute()
      if (!own.some(({ provider_id }) => provider_id === providerId)) return fail('notFound')
      // Their only way in.
      if (account.password_hash === '' && own.length === 1)
        return fail('noPermission', {
          zh: '这是你唯一的登录方式，请先设置密码',
          en: 'it is your only way to sign in: set a password first',
        })
      await tx
        .deleteFrom('provider_identity')
        .where('account_id', '=', accountId)
        .where('provider_id', '=', providerId)
        .execute()
      return {}
    },
  }
}
