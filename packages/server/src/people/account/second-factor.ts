// Setting up and removing a second factor. Wrong codes count as wrong passwords do.
import type { features, InstallationSetting } from '@cloudoc/contract'
import { fail, maskedMobile, mobileOf } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { isSmsSetUp } from '../../core/sms/index.ts'
import {
  accountKey,
  attempt,
  factorOf,
  giveRecoveryCodes,
  hasPasskey,
  isDemanded,
  isFactorRight,
  offerFactor,
  offerPhone,
  patienceOf,
  sendFactorCode,
  setFactor,
  takeFactor,
} from '../auth/index.ts'

type Names =
  | 'getSecondFactor'
  | 'beginSecondFactor'
  | 'beginPhoneFactor'
  | 'sendFactorCode'
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

const isPhoneOffered = (settings: InstallationSetting): boolean =>
  settings.inner.second_factor_sms && isSmsSetUp(settings)

/** Refuses to set a factor up beside another one. */
async function assertNoFactor(context: WriteContext): Promise<void> {
  const { tx } = context
  const { accountId, needsSecondFactor } = actorOf(context)
  await sql`select 1 from account where id = ${accountId} for no key update`.execute(tx)
  if (await isActive(tx, accountId)) fail('alreadyExists')
  // The password alone does not give another factor to somebody who has one.
  if (needsSecondFactor && (await hasPasskey(tx, accountId))) fail('secondFactorDue')
}

/** Sends a code to the phone of the caller's factor, and returns the number as it may be shown. */
async function sendTo(context: WriteContext, secrets: Services['secrets']): Promise<string> {
  const { accountId, settings } = actorOf(context)
  const { phone, state } = (await sendFactorCode(context, accountId, settings, secrets)) ?? fail('notFound')
  if (state === 'notSetUp') return fail('smsNotSetUp')
  return state === 'sent' ? maskedMobile(phone) : fail('sendingTooOften')
}

export const secondFactorHandlers = ({
  secrets,
}: Pick<Services, 'secrets'>): Pick<Handlers<typeof features.account.calls>, Names> => ({
  async getSecondFactor(context) {
    const { accountId, settings } = actorOf(context)
    const { second_factor: active, phone: ownPhone } = await context.db
      .selectFrom('account')
      .select(['second_factor', 'phone'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const { recovery, phone } = (active ? await factorOf(context.db, accountId) : undefined) ?? {
      recovery: [],
      phone: '',
    }
    return {
      active,
      recoveryLeft: recovery.length,
      demanded: await isDemanded(context),
      phone: phone === '' ? '' : maskedMobile(phone),
      sms: isPhoneOffered(settings),
      ownPhone,
    }
  },

  async beginSecondFactor(context) {
    const { accountId, account, settings } = actorOf(context)
    await assertNoFactor(context)
    return offerFactor(context.tx, { accountId, account, issuer: settings.company_name || issuer })
  },

  async beginPhoneFactor(context, { phone: written }) {
    const { accountId, settings } = actorOf(context)
    if (!isPhoneOffered(settings)) return fail('smsNotSetUp')
    const phone = mobileOf(written) ?? fail('invalidMobileNumber')
    await assertNoFactor(context)
    await offerPhone(context.tx, accountId, phone)
    return { phone: await sendTo(context, secrets) }
  },

  async sendFactorCode(context) {
    if (!(await isActive(context.tx, actorOf(context).accountId))) return fail('notFound')
    return { phone: await sendTo(context, secrets) }
  },

  confirmSecondFactor: (context, { factorCode: code }) =>
    withCode(context, { code, call: 'confirmSecondFactor', active: false }, async ({ tx }) => {
      const { accountId, sessionId } = actorOf(context)
      await setFactor(tx, accountId, { sessionId })
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
      await setFactor(tx, accountId, 'off')
      return {}
    })
  },

  async removeSecondFactor(context, { userId }) {
    const { tx } = context
    if (userId === actorOf(context).accountId) return fail('ownAccount')
    const person = await tx.selectFrom('account').select('account').where('id', '=', userId).executeTakeFirst()
    if (person === undefined) return fail('notFound')
    await setFactor(tx, userId, 'off')
    // A lost device holds both.
    await tx.deleteFrom('passkey').where('account_id', '=', userId).execute()
    context.audit({ userId, account: person.account })
    return {}
  },
})
