/*
 * Device keys, by which a browser signs a user in again without the password ([R028], [R358]). A key is valid only
 * together with the cookie of the browser it was issued to. Scripts cannot read that cookie, so a copied browser
 * database signs nobody in. A key ends when it expires, when it is returned, and when the password it was obtained with
 * changes.
 */
import { fail, limits } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import type { Identity } from './identities.ts'
import { deviceFor, deviceOf } from './request.ts'

/** The server's record of a key. */
interface DeviceKey {
  readonly accountId: number
  readonly device: string
  readonly password: string
}

/** Keys with which a device signs in again. */
export const deviceKeyTokens = oneTimeToken<DeviceKey>('deviceKey')

/** Identifies the password hash that a key was obtained with. */
const markOf = (passwordHash: string): string => hashToken(passwordHash).toString('hex')

/** Issues a device key to the caller's browser. */
export async function giveDeviceKey(context: WriteContext): Promise<{ authKey: string; expiredAt: number }> {
  const { tx, now, request, reply } = context
  const { accountId } = actorOf(context)
  const { password_hash } = await tx
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const device = hashToken(deviceFor(request, reply)).toString('hex')
  const expiredAt = now + limits.savedLoginMs
  const key: DeviceKey = { accountId, device, password: markOf(password_hash) }
  return { authKey: await deviceKeyTokens.issue(tx, key, expiredAt), expiredAt }
}

/** Proves by a device key. */
export const deviceKeyIdentity: Identity = {
  name: 'deviceKey',
  async byKey({ db, request, now }, presented) {
    const key = await deviceKeyOf(db, request, presented.key, now)
    if (key === undefined) return undefined
    return {
      account: key.accountId,
      skipsSecondFactor: true,
      async holds({ tx, accountId }) {
        const { password_hash } = await tx
          .selectFrom('account')
          .select('password_hash')
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow()
        return sameSecret(markOf(password_hash), key.password) || fail('notLoggedIn')
      },
    }
  },
}

/** Returns the key that this browser presents, if it was issued to this browser. */
async function deviceKeyOf(
  db: Db,
  request: FastifyRequest,
  authKey: string,
  now: number,
): Promise<DeviceKey | undefined> {
  const device = deviceOf(request)
  const key = device === undefined ? undefined : await deviceKeyTokens.peek(db, authKey, now)
  if (device === undefined || key === undefined) return undefined
  return sameSecret(hashToken(device).toString('hex'), key.device) ? key : undefined
}
