/*
 * Keys by which a browser signs somebody in again without the password ([R028], [R358]). A key counts only beside the cookie
 * of the browser it was given to, which no script can read, so a copied database of a browser signs nobody in. It ends with
 * its time, when it is given back, and with the password it was earned by.
 */
import { limits } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { issueToken, peekToken } from '../../core/one-time-tokens.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import { deviceFor, deviceOf } from './request.ts'

/** What the server knows of a key. */
interface DeviceKey {
  readonly accountId: number
  readonly device: string
  readonly password: string
}

/** The mark that a password hash leaves on the keys earned by it. */
export const markOf = (passwordHash: string): string => hashToken(passwordHash).toString('hex')

/** Gives the caller's browser a key. */
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
  return { authKey: await issueToken(tx, 'deviceKey', key, expiredAt), expiredAt }
}

/** The key that this browser presents, if it is one of its own. */
export async function deviceKeyOf(
  db: Db,
  request: FastifyRequest,
  authKey: string,
  now: number,
): Promise<DeviceKey | undefined> {
  const device = deviceOf(request)
  const key = device === undefined ? undefined : await peekToken<DeviceKey>(db, 'deviceKey', authKey, now)
  if (device === undefined || key === undefined) return undefined
  return sameSecret(hashToken(device).toString('hex'), key.device) ? key : undefined
}
