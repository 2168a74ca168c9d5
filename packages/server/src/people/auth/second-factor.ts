/*
 * The second factor: codes of an authenticator (TOTP, RFC 6238) or of a short message (factor-messages.ts), and recovery
 * codes for a lost device. A code is valid once: the period of the last one is stored, and a recovery code or the code of
 * a message is deleted when used.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Db, Tx } from '../../core/db/database.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import { mayTryCode } from './throttle.ts'

/** Accepted clock difference in seconds. */
const tolerance = 30
const recoveryCount = 10
/** Crockford's digits: no two of them look alike. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export interface SecondFactor {
  readonly secret: string
  readonly lastStep: number
  readonly recovery: readonly Buffer[]
  /** The confirmed phone; empty: an authenticator. */
  readonly phone: string
  /** The code of the last message, until it is used. */
  readonly message: { readonly hash: Buffer; readonly until: number; readonly sentAt: number } | undefined
}

/** The account's second factor, active or pending confirmation. */
export async function factorOf(db: Db, accountId: number): Promise<SecondFactor | undefined> {
  const row = await db.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  if (row === undefined) return undefined
  const { secret, last_step: lastStep, recovery, phone, code_hash: hash, code_until: until, code_sent_at: sentAt } = row
  return { secret, lastStep, recovery, phone, message: hash === null ? undefined : { hash, until, sentAt } }
}

/** The stored form of the code of a message. */
export const messageCodeHash = (accountId: number, code: string): Buffer => hashToken(`factor:${accountId}:${code}`)

const bare = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()

/** Recognizes a typed code: the period of an authenticator, a message or a recovery code; undefined if it is not valid. */
function readCode(
  { accountId, factor }: { readonly accountId: number; readonly factor: SecondFactor },
  typed: string,
  now: number,
): { step: number } | { message: true } | { recovery: Buffer } | undefined {
  const code = bare(typed)
  const { message } = factor
  if (message !== undefined && message.until > now) {
    const isSent = sameSecret(messageCodeHash(accountId, code).toString('hex'), message.hash.toString('hex'))
    if (isSent) return { message: true }
  }
  if (/^\d{6}$/.test(code) && factor.secret !== '') {
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

/** Whether a code is valid now, without using it. Called outside a transaction, because it counts tries of messages. */
export async function isFactorRight(db: Db, accountId: number, typed: string, now: number): Promise<boolean> {
  const factor = await factorOf(db, accountId)
  if (factor === undefined) return false
  const { message } = factor
  // Counted before the code is compared, so that guesses at once get no more tries than one after another.
  const mayTry = message === undefined || (await mayTryCode(db, `factor:${accountId}:${message.sentAt}`, now))
  return readCode({ accountId, factor: mayTry ? factor : { ...factor, message: undefined } }, typed, now) !== undefined
}

/** Consumes a code. Of two concurrent uses, one succeeds. */
export async function takeFactor(tx: Tx, accountId: number, typed: string, now: number): Promise<boolean> {
  await sql`select 1 from second_factor where account_id = ${accountId} for update`.execute(tx)
  const factor = await factorOf(tx, accountId)
  const code = factor && readCode({ accountId, factor }, typed, now)
  if (code === undefined) return false
  const used =
    'step' in code
      ? sql`last_step = ${code.step}`
      : 'message' in code
        ? sql`code_hash = null`
        : sql`recovery = array_remove(recovery, ${code.recovery})`
  await sql`update second_factor set ${used} where account_id = ${accountId}`.execute(tx)
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
    .onConflict((c) => c.column('account_id').doUpdateSet({ ...unused, secret }))
    .execute()
  return { secret, uri: generateURI({ issuer, label: account, secret }) }
}

/** What a factor begins with. */
const unused = {
  ...{ secret: '', last_step: 0, recovery: sql<Buffer[]>`'{}'`, phone: '' },
  ...{ code_hash: null, code_until: 0, code_sent_at: 0 },
}

/** Names the phone that becomes the factor once a code that was sent there is entered. */
export async function offerPhone(tx: Tx, accountId: number, phone: string): Promise<void> {
  const before = await factorOf(tx, accountId)
  if (before?.phone === phone) return
  await tx
    .insertInto('second_factor')
    .values({ account_id: accountId, secret: '', phone })
    .onConflict((c) => c.column('account_id').doUpdateSet({ ...unused, phone }))
    .execute()
}

/** Turns the second factor on, in a session, or off. */
export async function setFactor(tx: Tx, accountId: number, on: { readonly sessionId: number } | 'off'): Promise<void> {
  await sql`update account set second_factor = ${on !== 'off'} where id = ${accountId}`.execute(tx)
  if (on === 'off') await tx.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
  else await sql`update second_factor set set_in = ${on.sessionId} where account_id = ${accountId}`.execute(tx)
}

/**
 * Whether codes prove who is at a session. Whoever finds it open could set a factor up: that proves nothing there, if the
 * person has a password to prove it by.
 */
export async function factorProves(db: Db, accountId: number, sessionId: number): Promise<'yes' | 'off' | 'setHere'> {
  const { rows } = await sql<{ on: boolean; here: boolean }>`
    select a.second_factor as on, a.password_hash <> '' and f.set_in = ${sessionId} as here
    from account a join second_factor f on f.account_id = a.id where a.id = ${accountId}`.execute(db)
  const [row] = rows
  if (row?.on !== true) return 'off'
  return row.here ? 'setHere' : 'yes'
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
