// Sign-in, sign-out and the calls that a client makes right after sign-in ([R014]-[R016], [R026], [R031], [R032],
// [R046]).
import { createHmac, privateDecrypt, randomBytes } from 'node:crypto'
import { features, publicSettings, text } from '@cloudoc/contract'
import { fail, mainServerId, modules, passwordProblems } from '@cloudoc/domain'
import { sql } from 'kysely'
import svgCaptcha from 'svg-captcha'
import { z } from 'zod'
import type { AccountActor } from '../../core/actor.ts'
import { accountOf, actorOf, type Context, type StagedContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { assertAddress } from './addresses.ts'
import { deviceKeyOf, deviceKeyTokens, giveDeviceKey, markOf } from './device-keys.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { bearerOf, captchaIdOf, clearSessionCookie, setCaptchaCookie, setSessionCookie } from './request.ts'
import { isFactorRight, takeFactor } from './second-factor.ts'
import { assertUsable, beginSession, endSessions } from './sessions.ts'
import { attempt, limitHandOuts, patienceOf } from './throttle.ts'

export { assertAddress, isAllowed } from './addresses.ts'
export { loadAuthorities, overseersOf } from './authority.ts'
export { hashPassword, verifyPassword } from './passwords.ts'
export { authenticate, clearSessionCookie, cookieOf, sessionCookie, ticketTokens, tokenOf } from './request.ts'
export {
  factorOf,
  giveRecoveryCodes,
  isFactorRight,
  offerFactor,
  setFactor,
  takeFactor,
} from './second-factor.ts'
export {
  assertUsable,
  beginSession,
  createSessions,
  endSessions,
  loadAccounts,
  type Sessions,
} from './sessions.ts'
export {
  attempt,
  failuresOf,
  forgetFailures,
  limitHandOuts,
  limitLinkCodes,
  limitLinkReports,
  mayMail,
  mayMessage,
  mayTryCode,
  patienceOf,
  tryLinkPassword,
} from './throttle.ts'

const loginKeyLife = 60_000
const nonceLife = 5 * 60_000
const captchaLife = 5 * 60_000

/** Normalizes an account name for comparison. */
export function accountKey(account: string): string {
  return account.normalize('NFKC').toLowerCase().trim()
}

/** A login key has the lifetime of the session that requested it: it ends with that session. */
interface LoginKey {
  readonly accountId: number
  readonly sessionId: number
  readonly visitorUntil?: number
  /** The key is valid for this client type only, and does not end other sessions of that type. */
  readonly clientType?: number
}

const loginKeyTokens = oneTimeToken<LoginKey>('loginKey')
const nonceTokens = oneTimeToken<{ readonly csrf: string }>('nonce')
const captchaTokens = oneTimeToken<{ readonly text: string }>('captcha')

interface Credentials {
  readonly userName: string
  readonly password: string
  readonly captcha?: string | undefined
  readonly clientType: number
  /** Visitor mode: the password is checked against the visitor password. */
  readonly visitor: boolean
  readonly factorCode?: string | undefined
}

/** Checks the caller's credential once the account is locked, so that no concurrent change of it can intervene. */
interface Proof {
  readonly verify: (account: { passwordHash: string; tx: Tx }) => boolean | Promise<boolean>
  /** The latest end of a visitor mode session. */
  readonly visitorUntil?: number | undefined
  /** Whether other sessions of the same client type remain open. */
  readonly keepsOthers?: boolean
}

const Encrypted = z.strictObject({
  userName: text(200),
  password: text(1000),
  captcha: text(20).optional(),
  visitor: z.boolean().default(false),
  factorCode: text(20).optional(),
  nonce: text(100),
})

/**
 * Issues a short-lived one-time key that opens a session for its bearer. With `clientType` it opens a session of that
 * client type without ending others.
 */
export async function issueLoginKey(
  db: Db,
  { accountId, sessionId, isGuest }: Pick<AccountActor, 'accountId' | 'sessionId' | 'isGuest'>,
  now: number,
  clientType?: number,
): Promise<{ key: string; expiresAt: number }> {
  const expiresAt = now + loginKeyLife
  const key: LoginKey = {
    ...{ accountId, sessionId },
    ...(isGuest && { visitorUntil: await visitorUntilOf(db, accountId) }),
    ...(clientType !== undefined && { clientType }),
  }
  return { key: await loginKeyTokens.issue(db, key, expiresAt), expiresAt }
}

/** The handlers of sign-in and of the caller's own account. */
export function authHandlers({ secrets, settings, counters }: Pick<Services, 'secrets' | 'settings' | 'counters'>) {
  const signIn = async (context: StagedContext, credentials: Credentials, call: string) => {
    const { db, now, address } = context
    const key = accountKey(credentials.userName)
    const setting = await settings.current()
    assertAddress(setting, address)
    const tried = await attempt(db, key, address, now, patienceOf(setting))
    const captchaAsked = tried.captchaDue || setting.captcha_always
    if (captchaAsked) {
      const id = captchaIdOf(context.request)
      const code = id === undefined ? undefined : await captchaTokens.consume(db, id, now)
      if (code === undefined || code.text !== credentials.captcha?.trim().toLowerCase()) {
        return fail('wrongVerificationCode')
      }
    }
    const account = await db
      .selectFrom('account')
      .select(['id', 'password_hash', 'state', 'expires_at', 'visitor_hash', 'visitor_until', 'second_factor'])
      .where('account_key', '=', key)
      .executeTakeFirst()
    const isVisitor = credentials.visitor
    const known = isVisitor && setting.inner.visitor_mode ? account?.visitor_hash : account?.password_hash
    const isKnown = (!isVisitor || setting.inner.visitor_mode) && known !== ''
    // Only a caller who knows the password learns whether the account exists and its state.
    if (!(await verifyPassword(credentials.password, isKnown ? known : undefined)) || account === undefined) {
      const code = isVisitor ? 'guestPasswordInvalid' : 'wrongPassword'
      return tried.wrong(code, captchaAsked, { call, accountId: account?.id ?? null })
    }
    const { factorCode } = credentials
    const isFactorDue = account.second_factor && !isVisitor
    if (isFactorDue && factorCode === undefined) return fail('secondFactorDue')
    if (isFactorDue && !(await isFactorRight(db, account.id, factorCode ?? '', now))) {
      return tried.wrong('wrongSecondFactor', captchaAsked, { call, accountId: account.id })
    }
    await tried.right(captchaAsked)
    assertUsable(account, now)
    if (isVisitor && account.visitor_until <= now) return fail('guestPasswordExpired')
    return begin(context, account.id, credentials.clientType, {
      visitorUntil: isVisitor ? account.visitor_until : undefined,
      async verify({ passwordHash, tx }) {
        if (isVisitor) return isVisitorPassword(tx, account.id, account.visitor_hash)
        if (passwordHash !== account.password_hash) return false
        return !isFactorDue || (await takeFactor(tx, account.id, factorCode ?? '', now)) || fail('wrongSecondFactor')
      },
    })
  }

  /** Opens a session for a caller whose credential was accepted. */
  const begin = async (
    context: StagedContext,
    accountId: number,
    clientType: number,
    { verify, visitorUntil, keepsOthers }: Proof,
  ) => {
    const { now, address, request, reply } = context
    const begun = await context.commit(async (write) => {
      const account = await write.tx
        .selectFrom('account')
        .select(['account', 'name', 'state', 'password_hash', 'expires_at'])
        .where('id', '=', accountId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow()
      assertUsable(account, now)
      if (!(await verify({ passwordHash: account.password_hash, tx: write.tx }))) return fail('wrongPassword')
      const agent = request.headers['user-agent']
      const session = await beginSession(write.tx, {
        accountId,
        clientType,
        address,
        now,
        agent,
        visitorUntil,
        keepsOthers,
      })
      if (session.ended !== undefined) write.event(session.ended)
      write.audit({ account: account.account, accountId, ...(visitorUntil !== undefined && { visitor: true }) })
      return { ...session, account: account.account, name: account.name }
    })
    const inCookie = setSessionCookie(request, reply, { token: begun.token, accountId })
    return {
      accessToken: inCookie ? '' : begun.token,
      expiresAt: begun.expiresAt,
      accountInfo: { userId: accountId, account: begun.account, accountName: begun.name },
      serverId: 0,
    }
  }

  const accountInfo = async (context: Context) => {
    const actor = actorOf(context)
    const person = await context.db
      .selectFrom('account as a')
      .innerJoin('org_group as g', 'g.id', 'a.group_id')
      .select(['g.name as groupName', 'a.gender', 'a.avatar'])
      .where('a.id', '=', actor.accountId)
      .executeTakeFirstOrThrow()
    return {
      userId: actor.accountId,
      accountId: actor.accountId,
      account: actor.account,
      accountName: actor.name,
      groupId: actor.groupId,
      groupName: person.groupName,
      secretLevel: actor.secretLevel,
      level: 0,
      gender: person.gender,
      avatar: person.avatar,
      isAdmin: actor.isAdmin,
      mustChangePassword: actor.mustChangePassword || actor.passwordUntil <= context.now,
      needsSecondFactor: actor.needsSecondFactor,
    }
  }

  return implement(features.auth.calls, {
    async login3(context, input) {
      if (input.serverId !== mainServerId) return fail('interconnectedServerMissing')
      return signIn(context, input, 'login3')
    },

    async login3ByLoginKey(context, { serverId, loginKey, clientType }) {
      if (serverId !== mainServerId) return fail('interconnectedServerMissing')
      const { db, now, address } = context
      assertAddress(await settings.current(), address)
      const tried = await attempt(db, undefined, address, now)
      const kept = await deviceKeyOf(db, context.request, loginKey, now)
      if (kept !== undefined) {
        return begin(context, kept.accountId, clientType, {
          verify: ({ passwordHash }) => sameSecret(markOf(passwordHash), kept.password) || fail('notLoggedIn'),
        })
      }
      const key = await loginKeyTokens.consume(db, loginKey, now)
      // Keys are not typed by users, so no captcha is required.
      if (key === undefined || (key.clientType ?? clientType) !== clientType) {
        return tried.wrong('notLoggedIn', true, { call: 'login3ByLoginKey', accountId: null })
      }
      return begin(context, key.accountId, clientType, {
        visitorUntil: key.visitorUntil,
        keepsOthers: key.clientType !== undefined,
        async verify({ tx }) {
          const session = await tx.selectFrom('session').select('id').where('id', '=', key.sessionId).executeTakeFirst()
          return session !== undefined || fail('notLoggedIn')
        },
      })
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
      return signIn(context, { ...sent.data, clientType }, 'loginInEncrypt')
    },

    async getCaptcha(context, { width, height }) {
      await limitHandOuts(context.db, 'captcha', context.address, context.now)
      const { data, text } = svgCaptcha.create({
        width,
        height,
        size: 4,
        noise: 2,
        ignoreChars: '0oO1iIlL',
        // Grey on the page's background: the colours of this library are too pale to read.
        color: false,
      })
      const id = await captchaTokens.issue(context.db, { text: text.toLowerCase() }, context.now + captchaLife)
      setCaptchaCookie(context.request, context.reply, id)
      await context.reply.type('image/svg+xml').header('cache-control', 'no-store').send(data)
    },

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

    getMyAccountInfo: accountInfo,
    getMyUserInfo: accountInfo,

    async getServerSetting(context, { code }) {
      const value = publicSettings(actorOf(context).settings)
      if (code === '') return JSON.stringify(value)
      const all = new Map<string, unknown>(Object.entries({ ...value, ...value.setting }))
      return JSON.stringify(all.get(code) ?? null)
    },

    async getUserPermissionInfo(context) {
      const { isAdmin, isGuest, secretLevel, powers, delegated, capabilities } = actorOf(context)
      return {
        ...{ isAdmin, isGuest, secretLevel, powers: [...powers], capabilities: [...capabilities] },
        ...(delegated.size > 0 && { delegated: [...delegated.keys()] }),
      }
    },

    async getCounters(context) {
      const actor = actorOf(context)
      const counted = Object.entries(counters()).map(async ([name, count]) => ({
        name,
        count: await count(context.db, actor, context.now),
      }))
      return { list: await Promise.all(counted) }
    },

    async getSafeStrategyInfo(context) {
      const value = (context.actor && actorOf(context).settings) ?? (await settings.current())
      const { pwdLength, captcha_always: captchaAlways, inner } = value
      // The attempt limits are not disclosed to unauthenticated callers, who may be guessing passwords.
      if (context.actor === undefined) return { pwdLength, captchaAlways }
      return {
        pwdLength,
        captchaAlways,
        policy: {
          pwdAgeDays: inner.pwd_age_days,
          captchaAfter: inner.captcha_after,
          lockAfter: inner.lock_after,
          lockMinutes: inner.lock_minutes,
          sessionIdleHours: inner.session_idle_hours,
          sessionDays: inner.session_days,
          severalSessions: inner.several_sessions,
          visitorMode: inner.visitor_mode,
          visitorDays: inner.visitor_days,
          secondFactorAdmins: inner.second_factor_admins,
        },
      }
    },

    getModuleSetting(context) {
      const { capabilities } = accountOf(context)
      return Promise.resolve({ modules: modules.filter((name) => capabilities.has(name)) })
    },

    async getUseSpaceSizeInfo(context) {
      const actor = actorOf(context)
      const { rows } = await sql<{ used: number }>`
        select (coalesce((select sum(bytes) from usage_total where account_id = ${actor.accountId}), 0)
          + coalesce((select sum(bytes) from tally where account_id = ${actor.accountId}), 0))::bigint as used`.execute(
        context.db,
      )
      return { used: rows[0]?.used ?? 0, total: actor.quota }
    },

    async getUserJwt(context) {
      const actor = actorOf(context)
      const issued = Math.floor(context.now / 1000)
      const claims = {
        sub: String(actor.accountId),
        account: actor.account,
        name: actor.name,
        iat: issued,
        exp: issued + 300,
      }
      return { jwt: signJwt(claims, secrets.signingKey) }
    },

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

async function isVisitorPassword(tx: Tx, accountId: number, hash: string): Promise<boolean> {
  const row = await tx.selectFrom('account').select('visitor_hash').where('id', '=', accountId).executeTakeFirst()
  return row?.visitor_hash === hash || fail('guestPasswordInvalid')
}

async function visitorUntilOf(db: Db, accountId: number): Promise<number> {
  const row = await db.selectFrom('account').select('visitor_until').where('id', '=', accountId).executeTakeFirst()
  return row?.visitor_until ?? 0
}

function decrypt(privateKey: string, body: string): unknown {
  try {
    const plain = privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, Buffer.from(body, 'base64'))
    return JSON.parse(plain.toString()) as unknown
  } catch {
    return undefined
  }
}

/** Signs a JWT (RFC 7519) with HS256, for services that trust this server. */
function signJwt(claims: Record<string, string | number>, key: Buffer): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`
}
