/*
 * Login keys: short-lived one-time keys with which a session opens another one for the same account, in another program
 * ([R026]). A key ends with the session that requested it.
 */
import { fail } from '@cloudoc/domain'
import type { AccountActor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Identity } from './identities.ts'

const loginKeyLife = 60_000

interface LoginKey {
  readonly accountId: number
  readonly sessionId: number
  readonly visitorUntil?: number
  /** The key is valid for this client type only, and does not end other sessions of that type. */
  readonly clientType?: number
}

const loginKeyTokens = oneTimeToken<LoginKey>('loginKey')

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

/** Proves by a login key. */
export const loginKeyIdentity: Identity = {
  name: 'loginKey',
  async byKey({ db, now }, presented) {
    const key = await loginKeyTokens.consume(db, presented.key, now)
    if (key === undefined || (key.clientType ?? presented.clientType) !== presented.clientType) return undefined
    return {
      account: key.accountId,
      skipsSecondFactor: true,
      visitorUntil: key.visitorUntil,
      keepsOthers: key.clientType !== undefined,
      async holds({ tx }) {
        const session = await tx.selectFrom('session').select('id').where('id', '=', key.sessionId).executeTakeFirst()
        return session !== undefined || fail('notLoggedIn')
      },
    }
  },
}

async function visitorUntilOf(db: Db, accountId: number): Promise<number> {
  const row = await db.selectFrom('account').select('visitor_until').where('id', '=', accountId).executeTakeFirst()
  return row?.visitor_until ?? 0
}
