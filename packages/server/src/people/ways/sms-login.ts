/*
 * Sign-in by a code of a short message ([R017]), and trial accounts for confirmed phone numbers ([R023]). A code has six
 * digits, five tries and ten minutes, and works once. Nobody learns which accounts exist: the answer and its time are
 * the same whether or not a message is sent.
 */

import { randomBytes, randomInt } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { fail, mobileOf } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { StagedContext, WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { accountLimitOf } from '../../core/licence.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { bump } from '../../core/settings.ts'
import { isSmsSetUp, postSms } from '../../core/sms/index.ts'
import {
  accountKey,
  assertAddress,
  assertOtherThanPhone,
  attempt,
  isFactorRight,
  limitHandOuts,
  mayMessage,
  mayTryCode,
  type Proof,
  patienceOf,
  signInWith,
  takeCaptcha,
} from '../auth/index.ts'
import { assertAccountsLeft, insertAccount, lockAccounts } from '../organisation/index.ts'

type Names = 'getLoginSmsCaptcha' | 'loginBySmsCaptcha' | 'getPhoneCode' | 'createTrialUser'

const codeMs = 10 * 60_000
const dayMs = 24 * 60 * 60_000

interface LoginCode {
  /** 0: nothing was sent, and no code matches. */
  readonly accountId: number
  readonly hash: string
}
interface TrialCode {
  readonly phone: string
  readonly hash: string
}

const loginCodes = oneTimeToken<LoginCode>('loginCode')
const trialCodes = oneTimeToken<TrialCode>('trialCode')

const hashOf = (key: string, code: string): string => hashToken(`${key}:${code}`).toString('base64')
const typedCode = (typed: string): string => typed.normalize('NFKC').replaceAll(/\s/g, '')
const newKey = (): string => randomBytes(24).toString('base64url')
const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** The phone of an account that may sign in by a short message. */
async function phoneFor(db: Db, userName: string): Promise<{ id: number; phone: string } | undefined> {
  const row = await db
    .selectFrom('account')
    .select(['id', 'phone'])
    .where('account_key', '=', accountKey(userName))
    .where('state', '=', 'normal')
    .executeTakeFirst()
  const phone = mobileOf(row?.phone ?? '')
  return row === undefined || phone === undefined ? undefined : { id: row.id, phone }
}

/** The handlers of the calls about codes by short message. */
export function smsLoginHandlers({
  settings,
  secrets,
}: Pick<Services, 'settings' | 'secrets'>): Pick<Handlers<typeof features.ways.calls>, Names> {
  return {
    async getLoginSmsCaptcha(context, { userName }) {
      const setting = await settings.current()
      assertAddress(setting, context.address)
      if (!isSmsSetUp(setting) || !setting.inner.login_by_sms) return fail('smsNotSetUp')
      // Digits that are no phone number are a mistyped one: whoever types their number instead of their account.
      if (/^[+\d\s()-]{3,}$/.test(userName.trim()) && mobileOf(userName) === undefined) {
        const isAccount = await context.db
          .selectFrom('account')
          .select('id')
          .where('account_key', '=', accountKey(userName))
          .executeTakeFirst()
        if (isAccount === undefined) return fail('invalidMobileNumber')
      }
      await limitHandOuts(context.db, 'loginSms', context.address, context.now)
      await limitPerName(context, userName)
      return context.commit(async (write) => {
        const { tx, now } = write
        const person = await phoneFor(tx, userName)
        const [smsKey, code, expiresAt] = [newKey(), newCode(), now + codeMs]
        const isSent = person !== undefined && (await mayMessage(tx, person.id, now))
        const value = { accountId: isSent ? person.id : 0, hash: hashOf(smsKey, code) }
        await loginCodes.issueAs(tx, smsKey, { value, expiresAt })
        if (isSent) {
          await postSms(write, { phone: person.phone, code, until: expiresAt }, secrets)
          write.audit({ userId: person.id })
        }
        return { smsKey, expiresAt }
      })
    },

    async loginBySmsCaptcha(context, { smsKey, captcha, clientType, factorCode }) {
      const { db, now, address } = context
      const setting = await settings.current()
      assertAddress(setting, address)
      if (!setting.inner.login_by_sms) return fail('smsNotSetUp')
      const kept = await loginCodes.peek(db, smsKey, now)
      // Counted before the code is compared, in a transaction of its own, so that a wrong one counts.
      if (!(await mayTryCode(db, smsKey, now))) return fail('sendingTooOften')
      const account =
        kept === undefined || kept.accountId === 0
          ? undefined
          : await db
              .selectFrom('account')
              .select(['id', 'account_key', 'second_factor'])
              .where('id', '=', kept.accountId)
              .executeTakeFirst()
      const tried = await attempt(db, account?.account_key, address, now, patienceOf(setting))
      const isRight = kept !== undefined && sameSecret(hashOf(smsKey, typedCode(captcha)), kept.hash)
      const call = 'loginBySmsCaptcha'
      if (!isRight || account === undefined)
        return tried.wrong('wrongVerificationCode', true, { call, accountId: account?.id ?? null })
      if (account.second_factor) await assertOtherThanPhone(db, account.id)
      if (account.second_factor && factorCode === undefined) return fail('secondFactorDue')
      if (account.second_factor && !(await isFactorRight(db, account.id, factorCode ?? '', now)))
        return tried.wrong('wrongSecondFactor', true, { call, accountId: account.id })
      const proof: Proof = {
        account: account.id,
        // Of two uses of a code the second finds it consumed.
        async holds({ tx }) {
          return (await loginCodes.consume(tx, smsKey, now)) !== undefined || fail('wrongVerificationCode')
        },
      }
      return signInWith(context, proof, { clientType, factorCode })
    },

    async getPhoneCode(context, { phone: written, captcha }) {
      const setting = await settings.current()
      assertAddress(setting, context.address)
      if (!setting.inner.trial_accounts || !isSmsSetUp(setting)) return fail('noPermission')
      const phone = mobileOf(written) ?? fail('invalidMobileNumber')
      if (!(await takeCaptcha(context, captcha))) return fail('wrongVerificationCode')
      await limitHandOuts(context.db, 'trialSms', context.address, context.now)
      await limitPerName(context, `phone:${phone}`)
      return context.commit(async (write) => {
        const [smsKey, code, expiresAt] = [newKey(), newCode(), write.now + codeMs]
        await trialCodes.issueAs(write.tx, smsKey, { value: { phone, hash: hashOf(smsKey, code) }, expiresAt })
        await postSms(write, { phone, code, until: expiresAt }, secrets)
        return { smsKey, expiresAt }
      })
    },

    async createTrialUser(context, { smsKey, captcha, clientType }) {
      const { db, now, address } = context
      const setting = await settings.current()
      assertAddress(setting, address)
      if (!setting.inner.trial_accounts) return fail('noPermission')
      const kept = await trialCodes.peek(db, smsKey, now)
      if (!(await mayTryCode(db, smsKey, now))) return fail('sendingTooOften')
      if (kept === undefined || !sameSecret(hashOf(smsKey, typedCode(captcha)), kept.hash))
        return fail('wrongVerificationCode')
      const expireTime = now + setting.inner.trial_days * dayMs
      const proof: Proof = {
        async account(write) {
          if ((await trialCodes.consume(write.tx, smsKey, now)) === undefined) return fail('wrongVerificationCode')
          return createTrial(write, kept.phone, { ...setting.inner, expireTime, limit: accountLimitOf(setting) })
        },
      }
      return { ...(await signInWith(context, proof, { clientType })), expireTime }
    },
  }
}

/** One message a minute for a name, whoever asks, and whether or not it is an account. */
async function limitPerName({ db, now }: StagedContext, name: string): Promise<void> {
  const everyMs = 60_000
  const key = `loginSmsTo:${hashToken(accountKey(name)).toString('base64url')}`
  const { rows } = await sql<{ failures: number }>`
    insert into throttle (key, failures, since) values (${key}, 1, ${now})
    on conflict (key) do update set
      failures = case when throttle.since > ${now - everyMs} then throttle.failures + 1 else 1 end,
      since = case when throttle.since > ${now - everyMs} then throttle.since else ${now} end
    returning failures`.execute(db)
  if ((rows[0]?.failures ?? 1) > 1) fail('sendingTooOften')
}

/** Creates the trial account of a phone number; each number has one at most. */
async function createTrial(
  write: WriteContext,
  phone: string,
  {
    trial_space,
    trial_role,
    expireTime,
    limit,
  }: { trial_space: number; trial_role: string; expireTime: number; limit: number },
): Promise<number> {
  const { tx, now } = write
  // Also serializes trials: their number follows from those that exist.
  await lockAccounts(tx)
  await assertAccountsLeft(tx, limit, 1)
  const { rows } = await sql<{ next: number; has: boolean }>`
    select coalesce(max(substring(account_key from '^trial-([0-9]{1,9})$')::int), 0) + 1 as next,
      coalesce(bool_or(phone = ${phone}), false) as has
    from account where account_key like 'trial-%'`.execute(tx)
  const [{ next, has } = { next: 1, has: false }] = rows
  if (has) return fail('alreadyExists', { zh: '这个手机号已有试用账号', en: 'this phone number has a trial account' })
  const root = await tx.selectFrom('org_group').select('id').where('parent_id', 'is', null).executeTakeFirstOrThrow()
  const account = `trial-${next}`
  const made = await insertAccount(tx, {
    ...{ account, accountName: account, passwordHash: '', groupId: root.id, secretLevel: 0, now },
    ...{ phone, quota: trial_space === 0 ? null : trial_space, expireTime },
  })
  if (trial_role !== '')
    await sql`
      insert into role_account (role_id, account_id)
      select id, ${made.accountId}::bigint from role where name = ${trial_role} on conflict do nothing`.execute(tx)
  write.changed({ kind: 'person', change: made })
  await bump(tx, 'organisation')
  return made.accountId
}
