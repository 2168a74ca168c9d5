/*
 * The second factor: authenticator codes (TOTP, RFC 6238) and recovery codes for a lost authenticator. A code is valid
 * once: the period of the last one is stored, and a recovery code is deleted when used.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Db, Tx } from '../../core/db/database.ts'
import { hashToken } from '../../core/secrets.ts'

/** Accepted clock difference in seconds. */
const tolerance = 30
const recoveryCount = 10
/** Crockford's digits: no two of them look alike. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export interface SecondFactor {
  readonly secret: string
  readonly lastStep: number
  readonly recovery: readonly Buffer[]
}

/** The account's second factor, active or pending confirmation. */
export async function factorOf(db: Db, accountId: number): Promise<SecondFactor | undefined> {
  const row = await db.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row && { secret: row.secret, lastStep: row.last_step, recovery: row.recovery }
}

const bare = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()

/** Recognizes a typed code: returns its period, or which recovery code it is; undefined if it is not valid. */
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

/** Whether a code is valid now, without using it. */
export async function isFactorRight(db: Db, accountId: number, typed: string, now: number): Promise<boolean> {
  const factor = await factorOf(db, accountId)
  return factor !== undefined && readCode(factor, typed, now) !== undefined
}

/** Consumes a code. Of two concurrent uses, one succeeds. */
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

/** Creates a secret that takes effect once confirmed. It replaces an earlier unconfirmed one. */
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

/** Turns the second factor on or off. */
export async function setFactor(tx: Tx, accountId: number, active: boolean): Promise<void> {
  await sql`update account set second_factor = ${active} where id = ${accountId}`.execute(tx)
  if (!active) await tx.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
}

/** Generates recovery codes, replacing the previous ones. */
export async function giveRecoveryCodes(tx: Tx, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, () =>
    Array.from(randomBytes(10), (byte) => digits[byte % digits.length]).join(''),
  )
  await sql`
    update second_factor set recovery = ${codes.map(hashToken)}::bytea[] where account_id = ${accountId}`.execute(tx)
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}
