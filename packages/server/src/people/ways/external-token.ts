/*
 * Sign-in with a token of a system that the company trusts ([R020]): a JWT signed by a key that an administrator has
 * registered, for this server, of at most five minutes, good once. Without a key there is no such way.
 */
import { createPublicKey } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { jwtVerify } from 'jose'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Services } from '../../core/services.ts'
import { accountKey, assertAddress, attempt, type Proof, signInWith } from '../auth/index.ts'

type Names = 'onlineTokenAuthenticate' | 'setTokenKey' | 'getTokenKey'

/** The longest life of a token, in seconds. */
const maxLife = 300
const clockSkew = 30
const usualAudience = 'cloudoc'
/** A public key: it is no secret, but belongs to no page of settings either. */
const keyName = 'external-token-key'
const usedTokens = oneTimeToken<Record<string, never>>('externalToken')
const algorithms = ['ES256', 'ES384', 'RS256', 'RS512', 'PS256', 'EdDSA']

interface TokenKey {
  readonly publicKey: string
  readonly audience: string
}

async function registeredKey(db: Db): Promise<TokenKey> {
  const row = await db.selectFrom('secret').select('value').where('name', '=', keyName).executeTakeFirst()
  return row === undefined ? { publicKey: '', audience: '' } : (JSON.parse(row.value) as TokenKey)
}

/** Refuses what is no public key: a private or symmetric one would be stored in plain. */
function assertPublicKey(pem: string): void {
  if (!pem.trim().startsWith('-----BEGIN PUBLIC KEY-----')) fail('badRequest', 'publicKey')
  try {
    createPublicKey(pem)
  } catch {
    fail('badRequest', 'publicKey')
  }
}

/** The handlers of the calls about external tokens. */
export function externalTokenHandlers({
  settings,
}: Pick<Services, 'settings'>): Pick<Handlers<typeof features.ways.calls>, Names> {
  return {
    async onlineTokenAuthenticate(context, { account, token, clientType }) {
      const { db, now, address } = context
      assertAddress(await settings.current(), address)
      const tried = await attempt(db, undefined, address, now)
      const refused = { call: 'onlineTokenAuthenticate', accountId: null }
      const { publicKey, audience } = await registeredKey(db)
      if (publicKey === '') return tried.wrong('signInRejected', true, refused)
      const claims = await jwtVerify(token, createPublicKey(publicKey), {
        audience: audience || usualAudience,
        algorithms,
        clockTolerance: clockSkew,
        currentDate: new Date(now),
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
      }).then(
        ({ payload }) => payload,
        () => undefined,
      )
      const { sub, iat = 0, exp = 0, jti } = claims ?? {}
      const isFresh = exp - iat <= maxLife && exp > iat && iat <= now / 1000 + clockSkew
      if (sub === undefined || jti === undefined || !isFresh || accountKey(sub) !== accountKey(account))
        return tried.wrong('signInRejected', true, refused)
      const person = await db
        .selectFrom('account')
        .select(['id', 'is_admin'])
        .where('account_key', '=', accountKey(sub))
        .executeTakeFirst()
      // Another system vouches for people, but not for the first administrator.
      if (person === undefined || person.is_admin) return tried.wrong('signInRejected', true, refused)
      const proof: Proof = {
        account: person.id,
        // The other system has decided how its people sign in.
        skipsSecondFactor: true,
        async holds({ tx }) {
          const expiresAt = (exp + clockSkew + 1) * 1000
          return (await usedTokens.issueAs(tx, jti, { value: {}, expiresAt })) || fail('signInRejected')
        },
      }
      return signInWith(context, proof, { clientType })
    },

    async setTokenKey(context, { publicKey, audience }) {
      if (publicKey !== '') assertPublicKey(publicKey)
      await context.tx.deleteFrom('secret').where('name', '=', keyName).execute()
      if (publicKey !== '')
        await context.tx
          .insertInto('secret')
          .values({ name: keyName, value: JSON.stringify({ publicKey: publicKey.trim(), audience: audience.trim() }) })
          .execute()
      context.audit({ set: publicKey !== '' })
      return {}
    },

    getTokenKey: ({ db }) => registeredKey(db),
  }
}
