/*
 * The sign-in: opens a session for a caller who has proven who they are, in whatever way (identities.ts). Here are the
 * rules that apply to every way.
 */
import { captchaDueHeader, type InstallationSetting } from '@cloudoc/contract'
import { fail, mainServerId, ResultError } from '@cloudoc/domain'
import type { StagedContext } from '../../core/call/context.ts'
import { personal } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { createSettings } from '../../core/settings.ts'
import { decideAccess } from './access-rules.ts'
import { assertAddress, isListed } from './addresses.ts'
import { securityAdministrators } from './authority.ts'
import { captchaTokens } from './captcha.ts'
import { arriveFrom } from './devices.ts'
import { askFactor } from './factor-messages.ts'
import { type Identity, identities, type Proof, type TypedCredentials, type WrongCredentials } from './identities.ts'
import { captchaIdOf, setSessionCookie } from './request.ts'
import { isFactorRight, takeFactor } from './second-factor.ts'
import { assertUsable, beginSession } from './sessions.ts'
import { attempt, patienceOf } from './throttle.ts'

/** Normalizes an account name for comparison. */
export function accountKey(account: string): string {
  return account.normalize('NFKC').toLowerCase().trim()
}

/** What a caller typed on the sign-in page. */
export interface Credentials {
  readonly userName: string
  readonly password: string
  readonly captcha?: string | undefined
  readonly clientType: number
  /** Visitor mode: the password is the visitor password. */
  readonly visitor: boolean
  readonly factorCode?: string | undefined
}

/** How a session is opened for a proof. */
export interface Opening {
  readonly clientType: number
  /** The code of the second factor, for accounts that have one. The caller has compared it and counts wrong ones. */
  readonly factorCode?: string | undefined
}

/**
 * Opens a session for a proof, in one transaction. For calls of identities that neither type a password nor present a
 * key, such as the return from another server.
 */
export async function openSession(context: StagedContext, proof: Proof, { clientType, factorCode }: Opening) {
  const { now, address, request } = context
  const { visitorUntil, keepsOthers, strong } = proof
  const opened = await context.commit(async (write) => {
    const accountId = typeof proof.account === 'number' ? proof.account : await proof.account(write)
    const account = await write.tx
      .selectFrom('account')
      .select(['account', 'name', 'state', 'expires_at', 'second_factor', 'is_admin', 'secret_level', 'service'])
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    assertUsable(account, now)
    // Only tokens open an account of a program.
    if (account.service) return fail('wrongPassword')
    const setting = await createSettings(write.tx).current()
    // A visitor password has no second factor.
    if (visitorUntil !== undefined && !isTrusted(setting, address)) return fail('addressNotAllowed')
    if ((await proof.holds?.({ tx: write.tx, accountId })) === false) return fail('wrongPassword')
    if (account.second_factor && proof.skipsSecondFactor !== true) {
      // A code is taken only for an account that was known before: then wrong codes have been counted.
      if (factorCode === undefined || typeof proof.account !== 'number') return fail('secondFactorDue')
      if (!(await takeFactor(write.tx, accountId, factorCode, now))) return fail('wrongSecondFactor')
    }
    const person = { accountId, isAdmin: account.is_admin, clientType }
    const arrival =
      visitorUntil === undefined
        ? await arriveFrom({ ...context, tx: write.tx }, person, setting)
        : { deviceId: undefined, isApproved: false, refusal: undefined }
    const verdict = decideAccess(setting, {
      ...{ address, now, clientType, level: account.secret_level, isExempt: account.is_admin },
      isApprovedDevice: arrival.isApproved,
    })
    if (arrival.begunToWait === true && arrival.deviceId !== undefined)
      write.event(
        personal('deviceWaiting', await securityAdministrators(write.tx), {
          ...{ serverId: mainServerId, deviceId: arrival.deviceId, accountName: account.name, address },
        }),
      )
    const refusal = arrival.refusal ?? (verdict.action === 'refuse' ? 'accessRefused' : undefined)
    if (refusal !== undefined) {
      // The device stays recorded, so that it can be approved.
      write.audit({ account: account.account, accountId, refused: refusal })
      return { refusal }
    }
    const agent = request.headers['user-agent']
    const { deviceId } = arrival
    const session = await beginSession(write.tx, {
      ...{ accountId, clientType, address, now, agent, visitorUntil, keepsOthers, strong, deviceId, setting },
    })
    await proof.opened?.(write, session.sessionId)
    if (session.ended !== undefined) write.event(session.ended)
    write.audit({ account: account.account, accountId, ...(visitorUntil !== undefined && { visitor: true }) })
    return { ...session, accountId, account: account.account, name: account.name }
  })
  return 'refusal' in opened ? fail(opened.refusal) : opened
}

/** Whether no second factor is demanded of whoever signs in from this address. */
function isTrusted({ inner }: Pick<InstallationSetting, 'inner'>, address: string): boolean {
  const { second_factor_trusted: trusted } = inner
  return trusted.length === 0 || isListed(trusted, address)
}

/** Opens a session and hands it to the client: browsers get its token in a cookie, programs in the answer. */
export async function signInWith(context: StagedContext, proof: Proof, opening: Opening) {
  const { accountId, account, name, token, expiresAt } = await openSession(context, proof, opening)
  const inCookie = setSessionCookie(context.request, context.reply, { token, accountId })
  return {
    accessToken: inCookie ? '' : token,
    expiresAt,
    accountInfo: { userId: accountId, account, accountName: name },
    serverId: 0,
  }
}

/** The two forms of sign-in that all identities share: typed credentials, and presented keys. */
export function createSignIn({
  settings,
  contributed,
  log,
  secrets,
}: Pick<Services, 'settings' | 'contributed' | 'log' | 'secrets'>) {
  /** Logs a refused attempt for whoever guards the address. Never what was typed, which may be a password. */
  const noting = async <T>({ address }: StagedContext, call: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const asksFactor = error instanceof ResultError && ['secondFactorDue', 'secondFactorSent'].includes(error.code)
      if (error instanceof ResultError && !asksFactor)
        log.warn({ call, address, code: error.code }, 'a sign-in was refused')
      throw error
    }
  }
  return {
    /** Signs in with a name and a password. */
    byPassword: (context: StagedContext, credentials: Credentials, call: string) =>
      noting(context, call, async () => {
        const { db, now, address } = context
        const { userName, password, visitor, clientType, factorCode } = credentials
        const key = accountKey(userName)
        const setting = await settings.current()
        assertAddress(setting, address)
        const tried = await attempt(db, key, address, now, patienceOf(setting))
        // The page shows the captcha with the failure that makes it due, not after the next password.
        const whenDue = (): void => void context.reply.header(captchaDueHeader, 'due')
        const captchaAsked = tried.captchaDue || setting.captcha_always
        if (captchaAsked) {
          const id = captchaIdOf(context.request)
          const code = id === undefined ? undefined : await captchaTokens.consume(db, id, now)
          if (code === undefined || code.text !== credentials.captcha?.trim().toLowerCase()) {
            return fail('wrongVerificationCode')
          }
        }
        const proof = await compare(contributed(identities), context, {
          ...{ account: userName, accountKey: key, password, visitor, setting },
        })
        // Only a caller with right credentials learns whether the account exists and its state.
        if ('wrong' in proof)
          return tried.wrong(proof.wrong, captchaAsked, { call, accountId: proof.accountId, whenDue })
        if (typeof proof.account === 'number' && proof.skipsSecondFactor !== true) {
          const { second_factor } = await db
            .selectFrom('account')
            .select('second_factor')
            .where('id', '=', proof.account)
            .executeTakeFirstOrThrow()
          if (second_factor && factorCode === undefined) return askFactor(context, { settings, secrets }, proof.account)
          if (second_factor && !(await isFactorRight(db, proof.account, factorCode ?? '', now))) {
            return tried.wrong('wrongSecondFactor', captchaAsked, { call, accountId: proof.account, whenDue })
          }
        }
        await tried.right(captchaAsked)
        return signInWith(context, proof, { clientType, factorCode })
      }),

    /** Signs in with a key. Keys are not typed by users, so no captcha is required. */
    byKey: (context: StagedContext, { key, clientType }: { key: string; clientType: number }, call: string) =>
      noting(context, call, async () => {
        const { db, now, address } = context
        assertAddress(await settings.current(), address)
        const tried = await attempt(db, undefined, address, now)
        for (const { byKey } of contributed(identities)) {
          const proof = await byKey?.(context, { key, clientType })
          if (proof !== undefined) return signInWith(context, proof, { clientType })
        }
        return tried.wrong('notLoggedIn', true, { call, accountId: null })
      }),
  }
}

/** Lets the identities compare typed credentials: the first proof, otherwise the first refusal. */
async function compare(
  all: readonly Identity[],
  context: StagedContext,
  typed: TypedCredentials,
): Promise<Proof | WrongCredentials> {
  let refused: WrongCredentials | undefined
  for (const { byPassword } of all) {
    const answer = await byPassword?.(context, typed)
    if (answer === undefined) continue
    if (!('wrong' in answer)) return answer
    refused ??= answer
  }
  return refused ?? { wrong: 'wrongPassword', accountId: null }
}
