// Confirms that a signed-in caller is who they are, by the password, a code of the second factor or a fresh sign-in at
// their provider, for acts that bind a person: a session that was left open signs nothing.
import { fail } from '@cloudoc/domain'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Services } from '../../core/services.ts'
import { identities, type Proof, type WrongCredentials } from './identities.ts'
import { factorProves, isFactorRight, takeFactor } from './second-factor.ts'
import { accountKey } from './sign-in.ts'
import { attempt, patienceOf } from './throttle.ts'

/** What the caller typed. */
export interface Confirmation {
  readonly password?: string | undefined
  readonly factorCode?: string | undefined
}

/** A caller who has confirmed. */
export interface Confirmed {
  readonly how: 'password' | 'secondFactor' | 'provider'
  /** Checks it once more in the transaction of the act, and uses up the code. */
  holds(write: WriteContext): Promise<void>
}

/** Sessions whose person has just signed in at their provider once more. */
const confirmations = oneTimeToken<{ readonly accountId: number }>('confirmation')
const confirmedMs = 5 * 60_000

/** The person of a session has signed in at their provider once more: it confirms their next act. */
export async function confirmSession(write: WriteContext): Promise<void> {
  const { tx, now } = write
  const { accountId, sessionId } = actorOf(write)
  await confirmations.consume(tx, `${sessionId}`, 0)
  await confirmations.issueAs(tx, `${sessionId}`, { value: { accountId }, expiresAt: now + confirmedMs })
}

/**
 * Compares what the caller typed. Wrong attempts count as at the sign-in. Called outside a transaction, because it
 * computes a password hash or asks another server.
 */
export async function confirmCaller(
  context: StagedContext,
  { settings, contributed }: Pick<Services, 'settings' | 'contributed'>,
  { password, factorCode }: Confirmation,
  call: string,
): Promise<Confirmed> {
  const { db, now, address } = context
  const { accountId, account, sessionId } = actorOf(context)
  const session = `${sessionId}`
  const isTyped = (factorCode ?? '') !== '' || (password ?? '') !== ''
  if (!isTyped && (await confirmations.peek(db, session, now))?.accountId === accountId)
    return {
      how: 'provider',
      async holds({ tx }) {
        if ((await confirmations.consume(tx, session, now)) === undefined) fail('wrongPassword')
      },
    }
  const setting = await settings.current()
  const key = accountKey(account)
  const tried = await attempt(db, key, address, now, patienceOf(setting))
  if (factorCode !== undefined && factorCode !== '') {
    const proves = await factorProves(db, accountId, sessionId)
    if (proves === 'setHere')
      return fail('wrongSecondFactor', {
        zh: '两步验证是在这次登录后设置的，请用密码确认，或重新登录后再用验证码',
        en: 'two-step sign-in was set up in this session: confirm with the password, or sign in again first',
      })
    if (proves === 'off' || !(await isFactorRight(db, accountId, factorCode, now)))
      return tried.wrong('wrongSecondFactor', true, { call, accountId })
    await tried.right(true)
    return {
      how: 'secondFactor',
      async holds({ tx }) {
        if (!(await takeFactor(tx, accountId, factorCode, now))) fail('wrongSecondFactor')
      },
    }
  }
  let proof: Proof | WrongCredentials | undefined
  for (const { byPassword } of contributed(identities)) {
    const answer = await byPassword?.(context, {
      ...{ account, accountKey: key, password: password ?? '', visitor: false, setting },
    })
    if (answer !== undefined) proof = answer
    if (answer !== undefined && !('wrong' in answer)) break
  }
  if (proof === undefined || 'wrong' in proof || proof.account !== accountId)
    return tried.wrong('wrongPassword', true, { call, accountId })
  await tried.right(true)
  const { holds } = proof
  return {
    how: 'password',
    async holds({ tx }) {
      if ((await holds?.({ tx, accountId })) === false) fail('wrongPassword')
    },
  }
}
