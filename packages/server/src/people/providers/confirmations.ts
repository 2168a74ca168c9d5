/*
 * Confirmations: whoever has no password here confirms an act that binds them, such as a signature, by signing in at their
 * provider once more. Only OpenID Connect says when that was. An identity that its person has bound confirms nothing:
 * whoever finds their session open could bind their own.
 */
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { attempt, confirmSession, limitHandOuts } from '../auth/index.ts'
import { attemptOf, type BrowserDeps, beginAttempt, browserParts, enabledOidc, recognize } from './browser-providers.ts'

type Names = 'startConfirmation' | 'finishConfirmation'

export function confirmationHandlers(services: BrowserDeps): Pick<Handlers<typeof features.providers.calls>, Names> {
  return {
    async startConfirmation(context, { providerId }) {
      const { db, address, now } = context
      const confirms = actorOf(context).accountId
      await limitHandOuts(db, 'provider', address, now)
      const { provider, settings } = await enabledOidc(db, providerId)
      if ((await givenIdentity(db, providerId, confirms)) === undefined) return fail('notFound')
      const parts = browserParts(services, { ...provider, settings })
      return { address: await beginAttempt(context, parts, { redirect: '', confirms }) }
    },

    async finishConfirmation(context, { providerId, query }) {
      const { db, address, now } = context
      const { accountId } = actorOf(context)
      const tried = await attempt(db, undefined, address, now)
      const { provider, settings } = await enabledOidc(db, providerId)
      const state = new URLSearchParams(query).get('state') ?? ''
      const begun = await attemptOf(context, providerId, state)
      if (begun?.confirms !== accountId)
        return tried.wrong('signInAbnormal', true, { call: 'finishConfirmation', accountId })
      const parts = browserParts(services, { ...provider, settings })
      const person = await recognize(context, parts, { attempt: begun, state, query })
      if ((await givenIdentity(db, providerId, accountId)) !== person.externalId)
        return fail('signInRejected', {
          zh: '在提供方登录的是另一个人',
          en: 'somebody else has signed in at the provider',
        })
      return context.commit(async (write) => {
        await confirmSession(write)
        return {}
      })
    },
  }
}

/** The provider's id of the person of an account, unless the person has bound it. */
async function givenIdentity(db: Db, providerId: number, accountId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('provider_identity')
    .select('external_id')
    .where('provider_id', '=', providerId)
    .where('account_id', '=', accountId)
    .where('bound_by_owner', '=', false)
    .executeTakeFirst()
  return row?.external_id
}
