// Sign-in, sign-out and the calls that a client makes right after sign-in ([R014]-[R016], [R026], [R031], [R032],
// [R046]).
import { privateDecrypt, randomBytes } from 'node:crypto'
import { features, text } from '@cloudoc/contract'
import { fail, mainServerId, passwordProblems } from '@cloudoc/domain'
import { z } from 'zod'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { callerHandlers } from './caller-handlers.ts'
import { sendCaptcha } from './captcha.ts'
import { deviceKeyTokens, giveDeviceKey } from './device-keys.ts'
import { issueLoginKey } from './login-keys.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { bearerOf, clearSessionCookie } from './request.ts'
import { endSessions } from './sessions.ts'
import { accountKey, createSignIn } from './sign-in.ts'
import { attempt, limitHandOuts, patienceOf } from './throttle.ts'

export { accessAdmission, type Circumstances, decideAccess, isAdmitted } from './access-rules.ts'
export { addressList, assertAddress, isAllowed } from './addresses.ts'
export { loadAuthorities, overseersOf, securityAdministrators } from './authority.ts'
export { takeCaptcha } from './captcha.ts'
export { type Confirmation, type Confirmed, confirmCaller, confirmSession } from './confirm.ts'
export { deviceMark } from './devices.ts'
export { askFactor, assertOtherThanPhone, sendFactorCode } from './factor-messages.ts'
export { hasPasskey, isDemanded, isFactorDemanded } from './factor-rule.ts'
export { type Identity, identities, type Proof, type TypedCredentials } from './identities.ts'
export { issueLoginKey } from './login-keys.ts'
export { hashPassword, verifyPassword } from './passwords.ts'
export {
  appPasswordPath,
  authenticate,
  clearSessionCookie,
  cookieOf,
  deviceFor,
  deviceOf,
  sessionCookie,
  ticketTokens,
  tokenOf,
} from './request.ts'
export {
  factorOf,
  giveRecoveryCodes,
  isFactorRight,
  offerFactor,
  offerPhone,
  setFactor,
  takeFactor,
} from './second-factor.ts'
export {
  assertUsable,
  beginWorkSession,
  createSessions,
  endSessions,
  loadAccounts,
  type SessionLike,
  type Sessions,
} from './sessions.ts'
export { accountKey, openSession, signInWith } from './sign-in.ts'
export {
  attempt,
  failuresOf,
  forgetFailures,
  limitHandOuts,
  limitLinkCodes,
  limitLinkReports,
  limitSignCodes,
  mayMail,
  mayMessage,
  mayTryCode,
  patienceOf,
  tryLinkPassword,
} from './throttle.ts'

const nonceLife = 5 * 60_000

const nonceTokens = oneTimeToken<{ readonly csrf: string }>('nonce')

const Encrypted = z.strictObject({
  userName: text(200),
  password: text(1000),
  captcha: text(20).optional(),
  visitor: z.boolean().default(false),
  factorCode: text(20).optional(),
  nonce: text(100),
})

/** The handlers of sign-in and of the caller's own account. */
export function authHandlers({
  secrets,
  settings,
  counters,
  contributed,
  log,
  office,
}: Pick<Services, 'secrets' | 'settings' | 'counters' | 'contributed' | 'log' | 'office'>) {
  const signIn = createSignIn({ settings, contributed, log, secrets })

  return implement(features.auth.calls, {
    async login3(context, input) {
      if (input.serverId !== mainServerId) return fail('interconnectedServerMissing')
      return signIn.byPassword(context, input, 'login3')
    },

    async login3ByLoginKey(context, { serverId, loginKey, clientType }) {
      if (serverId !== mainServerId) return fail('interconnectedServerMissing')
      return signIn.byKey(context, { key: loginKey, clientType }, 'login3ByLoginKey')
    },

    async saveLoginKey(context) {
      await limitHandOuts(context.db, 'loginKey', context.address, context.now)
      return giveDeviceKey(context)
    },

    async forgetLoginKey({ db, now }, { loginKey }) {
      await deviceKeyTokens.consume(db, loginKey, now)
      return {}
    },

    async getLoginKey2(context) {
      const { db, now, address } = context
      const actor = context.actor && actorOf(context)
      await limitHandOuts(db, 'loginKey', address, now)
      const csrf = randomBytes(24).toString('base64url')
      return {
        loginKey: actor === undefined ? '' : (await issueLoginKey(db, actor, now)).key,
        publicKey: secrets.publicKey,
        csrf_token: csrf,
        nonce: await nonceTokens.issue(db, { csrf }, now + nonceLife),
      }
    },

    async loginInEncrypt(context, { csrf_token, clientType, body }) {
      const { db, now } = context
      const sent = Encrypted.safeParse(decrypt(secrets.privateKey, body))
      if (!sent.success) return fail('badRequest', 'body')
      const nonce = await nonceTokens.consume(db, sent.data.nonce, now)
      if (nonce === undefined || !sameSecret(nonce.csrf, csrf_token)) return fail('badRequest', 'nonce')
      return signIn.byPassword(context, { ...sent.data, clientType }, 'loginInEncrypt')
    },

    getCaptcha: sendCaptcha,

    async logout2(context) {
      const { tx, request, reply } = context
      const { sessionId } = actorOf(context)
      await tx.deleteFrom('session').where('id', '=', sessionId).execute()
      context.event({ kind: 'session', sessionIds: [sessionId], elsewhere: false })
      clearSessionCookie(request, reply)
      return {}
    },

    async getUserAccessTokenByServerId(context, { serverId }) {
      if (serverId !== 0) return fail('interconnectedServerMissing')
      // A browser's token stays where its scripts cannot read it. Programs get back the token they sent.
      return bearerOf(context.request) ?? fail('noPermission')
    },

    ...callerHandlers({ secrets, settings, counters, office }),

    async modifyPwd2(context, { oldPassword, newPassword, confirmPassword }) {
      const { db, now, address } = context
      const actor = actorOf(context)
      const stored = await db
        .selectFrom('account')
        .select(['password_hash', 'visitor_hash'])
        .where('id', '=', actor.accountId)
        .executeTakeFirstOrThrow()
      const tried = await attempt(db, accountKey(actor.account), address, now, patienceOf(actor.settings))
      if (!(await verifyPassword(oldPassword, stored.password_hash || undefined))) {
        return tried.wrong('wrongPassword', true, { call: 'modifyPwd2', accountId: actor.accountId })
      }
      await tried.right(true)
      const problem = passwordProblems({
        password: newPassword,
        account: actor.account,
        oldPassword,
        minLength: actor.settings.pwdLength,
        ...(confirmPassword === undefined ? {} : { confirm: confirmPassword }),
      })
      if (problem !== undefined) return fail(problem)
      await assertDiffers(newPassword, 'password', stored)
      const hash = await hashPassword(newPassword)
      return context.commit(async (write) => {
        const changed = await write.tx
          .updateTable('account')
          .set({ password_hash: hash, must_change_password: false })
          .where('id', '=', actor.accountId)
          .where('password_hash', '=', stored.password_hash)
          .where('visitor_hash', '=', stored.visitor_hash)
          .returning('id')
          .executeTakeFirst()
        if (changed === undefined) return fail('wrongPassword')
        // A password change ends all other sessions, since the old password may be known to others. The session that
        // changed it remains.
        const ended = await endSessions(write.tx, actor.accountId, { exceptId: actor.sessionId })
        if (ended !== undefined) write.event(ended)
        return {}
      })
    },
  })
}

/** The stored hashes of an account; an empty one stands for a password that is not set. */
interface StoredPasswords {
  readonly password_hash: string
  readonly visitor_hash: string
}

/**
 * Refuses a new password or visitor password that equals the one it replaces (-77) or the other of the two (-214)
 * ([R026], [R027]). The caller's update must require that the compared hashes are still stored.
 */
export async function assertDiffers(
  newPassword: string,
  which: 'password' | 'visitor',
  { password_hash, visitor_hash }: StoredPasswords,
): Promise<void> {
  const [replaced, other] = which === 'password' ? [password_hash, visitor_hash] : [visitor_hash, password_hash]
  const equals = (hash: string): Promise<boolean> | false => hash !== '' && verifyPassword(newPassword, hash)
  if (await equals(replaced)) return fail('sameAsOld')
  if (await equals(other)) return fail('sameAsGuestPassword')
}

function decrypt(privateKey: string, body: string): unknown {
  try {
    const plain = privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, Buffer.from(body, 'base64'))
    return JSON.parse(plain.toString()) as unknown
  } catch {
    return undefined
  }
}
