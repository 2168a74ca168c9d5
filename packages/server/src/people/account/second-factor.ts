// Setting up and removing a second factor. Wrong codes count as wrong passwords do.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import {
  accountKey,
  attempt,
  factorOf,
  giveRecoveryCodes,
  hasPasskey,
  isDemanded,
  isFactorRight,
  offerFactor,
  patienceOf,
  setFactor,
  takeFactor,
} from '../auth/index.ts'

type Names =
  | 'getSecondFactor'
  | 'beginSecondFactor'
  | 'confirmSecondFactor'
  | 'renewRecoveryCodes'
  | 'endSecondFactor'
  | 'removeSecondFactor'

const issuer = 'Cloudoc'

async function isActive(db: Db, accountId: number): Promise<boolean> {
  const row = await db.selectFrom('account').select('second_factor').where('id', '=', accountId).executeTakeFirst()
  return row?.second_factor === true
}

/** Runs `work` if the code is valid. `active`: whether the second factor must already be on. */
async function withCode<T>(
  context: StagedContext,
  { code, call, active }: { readonly code: string; readonly call: string; readonly active: boolean },
  work: (write: WriteContext) => Promise<T>,
): Promise<T> {
  const { db, now, address } = context
  const { accountId, account, settings } = actorOf(context)
  if ((await isActive(db, accountId)) !== active) return fail(active ? 'notFound' : 'alreadyExists')
  if ((await factorOf(db, accountId)) === undefined) return fail('notFound')
  const tried = await attempt(db, accountKey(account), address, now, patienceOf(settings))
  if (!(await isFactorRight(db, accountId, code, now)))
    return tried.wrong('wrongSecondFactor', true, { call, accountId })
  await tried.right(true)
  return context.commit(async (write) => {
    if (!(await takeFactor(write.tx, accountId, code, now))) return fail('wrongSecondFactor')
    return work(write)
  })
}

export const secondFactorHandlers: Pick<Handlers<typeof features.account.calls>, Names> = {
  async getSecondFactor(context) {
    const { accountId } = actorOf(context)
    const active = await isActive(context.db, accountId)
    const factor = active ? await factorOf(context.db, accountId) : undefined
    return {
      active,
      recoveryLeft: factor?.recovery.length ?? 0,
      demanded: await isDemanded(context),
    }
  },

  async beginSecondFactor(context) {
    const { accountId, account, settings } = actorOf(context)
    await sql`select 1 from account where id = ${accountId} for no key update`.execute(context.tx)
    if (await isActive(context.tx, accountId)) return fail('alreadyExists')
    // The password alone does not give another factor to somebody who has one.
    if (actorOf(context).needsSecondFactor && (await hasPasskey(context.tx, accountId))) return fail('secondFactorDue')
    return offerFactor(context.tx, { accountId, account, issuer: settings.company_name || issuer })
  },

  confirmSecondFactor: (context, { factorCode: code }) =>
    withCode(context, { code, call: 'confirmSecondFactor', active: false }, async ({ tx }) => {
      const { accountId } = actorOf(context)
      await setFactor(tx, accountId, true)
      // Device keys, which let browsers sign in without a password, were obtained without the second factor, so they
      // are removed.
      await sql`
        delete from once where kind = 'deviceKey' and (value::jsonb ->> 'accountId')::bigint = ${accountId}`.execute(tx)
      return { recoveryCodes: await giveRecoveryCodes(tx, accountId) }
    }),

  renewRecoveryCodes: (context, { factorCode: code }) =>
    withCode(context, { code, call: 'renewRecoveryCodes', active: true }, async ({ tx }) => ({
      recoveryCodes: await giveRecoveryCodes(tx, actorOf(context).accountId),
    })),

  async endSecondFactor(context, { factorCode: code }) {
    const { accountId } = actorOf(context)
    if ((await isDemanded(context)) && !(await hasPasskey(context.db, accountId))) return fail('secondFactorMissing')
    return withCode(context, { code, call: 'endSecondFactor', active: true }, async ({ tx }) => {
      await setFactor(tx, accountId, false)
      return {}
    })
  },

  async removeSecondFactor(context, { userId }) {
    const { tx } = context
    if (userId === actorOf(context).accountId) return fail('ownAccount')
    const person = await tx.selectFrom('account').select('account').where('id', '=', userId).executeTakeFirst()
    if (person === undefined) return fail('notFound')
    await setFactor(tx, userId, false)
    // A lost device holds both.
    await tx.deleteFrom('passkey').where('account_id', '=', userId).execute()
    context.audit({ userId, account: person.account })
    return {}
  },
}
