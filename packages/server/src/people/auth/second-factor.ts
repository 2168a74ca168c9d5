/*
 * The second factor: codes of an authenticator (TOTP, RFC 6238), and recovery codes for when it is lost. A code counts once:
 * the period of the last one is kept, and a recovery code goes with its use.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Db, Tx } from '../../core/db/database.ts'
import { hashToken } from '../../core/secrets.ts'

/** A clock may differ by so many seconds. */
const tolerance = 30
const recoveryCount = 10
/** Crockford's digits: none that is read as another. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export interface SecondFactor {
  readonly secret: string
  readonly lastStep: number
  readonly recovery: readonly Buffer[]
}

/** What a person has, active or about to be. */
export async function factorOf(db: Db, accountId: number): Promise<SecondFactor | undefined> {
  const row = await db.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row && { secret: row.secret, lastStep: row.last_step, recovery: row.recovery }
}

const bare = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()

/** Which code somebody has typed: of which period, or which recovery code; undefined where it is none that counts. */
function readCode(
  factor: SecondFactor,
  typed: string,
  now: number,
): { step: number } | { recovery: Buffer } | undefined {
  const code = bare(typed)
  if (/^\d{6}$/.test(code)) {
    const found = verifySync({
      secret: factor.secret,
      token: code,
      epoch: Math.floor(now / 1000),
      epochTolerance: tolerance,
      ...(factor.lastStep > 0 && { afterTimeStep: factor.lastStep }),
    })
    return found.valid && 'timeStep' in found ? { step: found.timeStep } : undefined
  }
  const hashed = hashToken(code)
  const recovery = factor.recovery.find((one) => one.equals(hashed))
  return recovery && { recovery }
}

/** Whether a code would count now. */
export async function isFactorRight(db: Db, accountId: number, typed: string, now: number): Promise<boolean> {
  const factor = await factorOf(db, accountId)
  return factor !== undefined && readCode(factor, typed, now) !== undefined
}

/** Uses a code up; of two that come at once one counts. */
export async function takeFactor(tx: Tx, accountId: number, typed: string, now: number): Promise<boolean> {
  await sql`select 1 from second_factor where account_id = ${accountId} for update`.execute(tx)
  const factor = await factorOf(tx, accountId)
  const code = factor && readCode(factor, typed, now)
  if (code === undefined) return false
  await ('step' in code
    ? sql`update second_factor set last_step = ${code.step} where account_id = ${accountId}`
    : sql`update second_factor set recovery = array_remove(recovery, ${code.recovery}) where account_id = ${accountId}`
  ).execute(tx)
  return true
}

/** Makes a secret that counts once it has been confirmed; one made before is forgotten. */
export async function offerFactor(
  tx: Tx,
  { accountId, account, issuer }: { accountId: number; account: string; issuer: string },
): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret()
  await tx
    .insertInto('second_factor')
    .values({ account_id: accountId, secret })
    .onConflict((c) => c.column('account_id').doUpdateSet({ secret, last_step: 0, recovery: sql`'{}'` }))
    .execute()
  return { secret, uri: generateURI({ issuer, label: account, secret }) }
}

/** Switches it on or off. */
export async function setFactor(tx: Tx, accountId: number, active: boolean): Promise<void> {
  await sql`update account set second_factor = ${active} where id = ${accountId}`.execute(tx)
  if (!active) await tx.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
}

/** Makes recovery codes, in the place of those before. */
export async function giveRecoveryCodes(tx: Tx, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, () =>
    Array.from(randomBytes(10), (byte) => digits[byte % digits.length]).join(''),
  )
  await sql`
    update second_factor set recovery = ${codes.map(hashToken)}::bytea[] where account_id = ${accountId}`.execute(tx)
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}
