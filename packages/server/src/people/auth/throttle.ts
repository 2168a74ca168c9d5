/*
 * Throttling of every path that accepts a credential. Failures are counted separately for the account and the address,
 * in the database, so that neither another process nor a forged header resets the count.
 *
 * The count is checked twice: before the credential is compared, and again when the result is known, in the transaction
 * that counts it. Many concurrent guesses therefore get no more answers than sequential guesses. Many users who sign in
 * at once do not look like one guesser.
 */
import { isIPv4, isIPv6 } from 'node:net'
import { defaultInstallation, type InstallationSetting } from '@cloudoc/contract'
import { type CodeName, fail, signLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { hashToken } from '../../core/secrets.ts'

/** How many wrong passwords of an account are tolerated, as configured. */
export interface Patience {
  readonly captchaAfter: number
  readonly lockAfter: number
  /** The window in which failures count (decisions "Captcha"). */
  readonly windowMs: number
}

const minuteMs = 60_000
export const patienceOf = ({ inner }: Pick<InstallationSetting, 'inner'>): Patience => ({
  captchaAfter: inner.captcha_after,
  lockAfter: inner.lock_after,
  windowMs: inner.lock_minutes * minuteMs,
})
const usualPatience = patienceOf(defaultInstallation)

/** Many users of an office share one address, so an address gets captchas but never a lock (X61). */
const ofAddress = { captchaAfter: 20 }
/** For credentials that name no account. */
const nameless = { lockAfter: 100 }

/** One attempt with a credential. */
export interface Attempt {
  /** Whether the failures so far require a captcha. */
  readonly captchaDue: boolean
  /**
   * The credential was wrong: counts it and fails with that code, or with the refusal that sequential guesses would
   * have received. An answered attempt is audited with the account it was for, never with the typed text. A throttled
   * attempt is not audited, or an attacker could flood the log. `whenDue` is called if this failure makes a captcha due
   * for the next attempt.
   */
  wrong(
    code: CodeName,
    captchaPassed: boolean,
    tried: { call: string; accountId: number | null; whenDue?: () => void },
  ): Promise<never>
  /**
   * The credential was right: resets the account's count, unless concurrent guesses have already exhausted its limit.
   */
  right(captchaPassed: boolean): Promise<void>
}

/** Failures of an account within the window. */
export async function failuresOf(
  db: Db,
  account: string,
  now: number,
  patience: Patience,
): Promise<{ failures: number; since: number; until: number } | undefined> {
  const row = await db
    .selectFrom('throttle')
    .select(['failures', 'since'])
    .where('key', '=', `account:${account}`)
    .where('since', '>', now - patience.windowMs)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { ...row, until: row.failures >= patience.lockAfter ? row.since + patience.windowMs : 0 }
}

/** Clears the failures, so that the accounts can try again at once. */
export async function forgetFailures(tx: Tx, accounts: readonly string[]): Promise<void> {
  await sql`delete from throttle where key = any(${accounts.map((account) => `account:${account}`)})`.execute(tx)
}

interface Failures {
  account: number
  address: number
  /** Failures of credentials that name no account. */
  nameless: number
}

/**
 * Starts an attempt, or fails with -47 if the account or the address must wait. A credential that names no account
 * counts for the address only, in a separate count: keys expire by themselves, and users of one office should not get a
 * captcha for that.
 */
export async function attempt(
  db: Db,
  account: string | undefined,
  address: string,
  now: number,
  { captchaAfter, lockAfter, windowMs }: Patience = usualPatience,
): Promise<Attempt> {
  const keys = {
    account: account === undefined ? undefined : `account:${account}`,
    address: account === undefined ? undefined : `address:${networkOf(address)}`,
    nameless: account === undefined ? `nameless:${networkOf(address)}` : undefined,
  }
  const kinds = (['account', 'address', 'nameless'] as const).flatMap((kind) => {
    const key = keys[kind]
    return key === undefined ? [] : [{ kind, key }]
  })
  const none: Failures = { account: 0, address: 0, nameless: 0 }
  const isCaptchaDue = (failures: Readonly<Failures>): boolean =>
    failures.account >= captchaAfter || failures.address >= ofAddress.captchaAfter

  const soFar = async (): Promise<Failures> => {
    const rows = await db
      .selectFrom('throttle')
      .select(['key', 'failures'])
      .where(
        'key',
        'in',
        kinds.map(({ key }) => key),
      )
      .where('since', '>', now - windowMs)
      .execute()
    const of = (key: string): number => rows.find((row) => row.key === key)?.failures ?? 0
    return { ...none, ...Object.fromEntries(kinds.map(({ kind, key }) => [kind, of(key)])) }
  }
  const assertPatient = (failures: Readonly<Failures>, captchaPassed: boolean): void => {
    if (failures.account >= lockAfter || failures.nameless >= nameless.lockAfter) fail('accountLocked')
    if (!captchaPassed && isCaptchaDue(failures)) fail('wrongVerificationCode')
  }

  const before = await soFar()
  assertPatient(before, true)
  return {
    captchaDue: isCaptchaDue(before),
    async wrong(code, captchaPassed, { call, accountId, whenDue }) {
      const after = { ...none }
      await db.transaction().execute(async (tx) => {
        const before = { ...none }
        for (const { kind, key } of kinds) {
          after[kind] = await count(tx, key, now, windowMs)
          before[kind] = after[kind] - 1
        }
        // A refusal rolls the count back: an attempt that was not answered is not a failure.
        assertPatient(before, captchaPassed)
      })
      // Outside that transaction, in which all guesses at the account are serialized.
      await db
        .insertInto('audit')
        .values({ at: now, account_id: accountId, call, address, items: [], detail: JSON.stringify({ refused: code }) })
        .execute()
      if (isCaptchaDue(after)) whenDue?.()
      return fail(code)
    },
    async right(captchaPassed) {
      assertPatient(await soFar(), captchaPassed)
      if (keys.account !== undefined) await db.deleteFrom('throttle').where('key', '=', keys.account).execute()
    },
  }
}

/**
 * Returns the network that is counted. An IPv6 caller controls the 64 bits after the network prefix, so only the prefix
 * counts.
 */
function networkOf(address: string, groupsCounted = 4): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...after]
  return `${groups.slice(0, groupsCounted).join(':')}::/${groupsCounted * 16}`
}

/** Returns the provider's block, whose addresses an attacker who rotates addresses is likely to have. */
function neighbourhoodOf(address: string): string {
  const network = networkOf(address, 3)
  return isIPv4(network) ? network.replace(/\.\d+$/, '.0/24') : network
}

/**
 * Link passwords are short. Wrong ones are counted per link and address, and slow the link down without locking it
 * (X35): at most twenty attempts per minute are checked, regardless of the addresses.
 *
 * Addresses that failed before (`again`), their neighbours (`near`) and all other addresses (`first`) each have a lane
 * of their own, so that a permanent attacker does not block everybody. A failure of a new address moves it to `again`
 * and its neighbourhood to `near`. A right password from a new address therefore waits five seconds behind a wrong one,
 * even if a fresh neighbourhood sends one every ten seconds. It competes only with an attacker who has a fresh
 * neighbourhood every five seconds.
 */
const ofLink = { addressMost: 5, addressMs: 10 * minuteMs, laneMs: { first: 5000, near: 15_000, again: 15_000 } }
/**
 * Wrong passwords of a link from all addresses together, after which its owner is notified: guessing from ever other
 * addresses reaches no limit of one address.
 */
const guessesOfLink = { most: 10, withinMs: 60 * minuteMs }

/**
 * One attempt at a link password. A throttled attempt is not checked and reveals nothing about the password: a right
 * one is refused exactly when a wrong one would be, and is not counted.
 *
 * Returns `lastWrong` for the attempt that blocks its address, and `spread` for the one after which wrong passwords from
 * many addresses are too many; the owner is notified of both.
 */
export async function tryLinkPassword(
  db: Db,
  linkId: number,
  address: string,
  now: number,
  isRight: boolean,
): Promise<'right' | 'wrong' | 'lastWrong' | 'spread'> {
  const own = `link:${linkId}:${networkOf(address)}`
  const around = `link:${linkId}:around:${neighbourhoodOf(address)}`
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ key: string; failures: number }>`
      select key, failures from throttle
      where key in (${own}, ${around}) and failures > 0 and since > ${now - ofLink.addressMs}`.execute(tx)
    const known = rows.find(({ key }) => key === own)?.failures ?? 0
    const lane = known > 0 ? 'again' : rows.length > 0 ? 'near' : 'first'
    // Attempts of one lane are serialized by its row; a refusal rolls the counts back.
    const laneKey = `link:${linkId}:lane:${lane}`
    const step = isRight ? 0 : 1
    const looked = await count(tx, laneKey, now, ofLink.laneMs[lane], step)
    if (looked >= 1 + step || known >= ofLink.addressMost) return fail('sendingTooOften')
    if (isRight) return 'right'
    await count(tx, around, now, ofLink.addressMs)
    const all = await count(tx, `link:${linkId}:wrong`, now, guessesOfLink.withinMs)
    if ((await count(tx, own, now, ofLink.addressMs)) === ofLink.addressMost) return 'lastWrong'
    return all === guessesOfLink.most ? 'spread' : 'wrong'
  })
}

/**
 * Limits of what a client requests before sign-in, and of mails that users send. Each leaves a row in the database for
 * a while.
 */
const handedOut = {
  captcha: 120,
  loginKey: 600,
  company: 120,
  findPassword: 20,
  findPasswordSms: 5,
  linkMail: 20,
  passkey: 100,
  linkCode: 20,
  signCode: 20,
  provider: 60,
  providerLogout: 600,
  loginSms: 20,
  trialSms: 10,
  qrCode: 60,
  qrState: 1200,
} as const
const handOutMs = 60_000

/** Refuses with -42 an address that requests more per minute than a large office behind one address does. */
export async function limitHandOuts(db: Db, kind: keyof typeof handedOut, address: string, now: number): Promise<void> {
  const asked = await count(db, `${kind}:${networkOf(address)}`, now, handOutMs)
  if (asked > handedOut[kind]) fail('sendingTooOften')
}

/** Mails per hour to one person that were not requested by a signed-in user. */
const mailsAnHour = 5

/** Whether the person may be sent another mail; counts it. */
export async function mayMail(db: Db, accountId: number, now: number): Promise<boolean> {
  return (await count(db, `mailTo:${accountId}`, now, 60 * minuteMs)) <= mailsAnHour
}

/** Mailed codes per link and address: one per minute, ten per hour, regardless of the requester. */
const codesOfLink = { everyMs: minuteMs, mostAnHour: 10 }

/**
 * Refuses with -42 a further code for a link and an address, and requests of one network beyond those of a large
 * office.
 */
export async function limitLinkCodes(
  db: Db,
  linkId: number,
  mail: string,
  address: string,
  now: number,
): Promise<void> {
  await limitHandOuts(db, 'linkCode', address, now)
  const key = `linkCode:${linkId}:${hashToken(mail).toString('base64url')}`
  if ((await count(db, key, now, codesOfLink.everyMs)) > 1) fail('sendingTooOften')
  if ((await count(db, `${key}:hour`, now, 60 * minuteMs)) > codesOfLink.mostAnHour) fail('sendingTooOften')
}

/** Refuses with -42 a further code for a signer without an account: one per minute, and a few per hour. */
export async function limitSignCodes(db: Db, signerId: number, address: string, now: number): Promise<void> {
  await limitHandOuts(db, 'signCode', address, now)
  const key = `signCode:${signerId}`
  if ((await count(db, key, now, minuteMs)) > 1) fail('sendingTooOften')
  if ((await count(db, `${key}:hour`, now, 60 * minuteMs)) > signLimits.codesAnHour) fail('sendingTooOften')
}

/** Reports per link: three per hour from one network, thirty per day in total. */
const reportsOfLink = { fromOne: 3, aDay: 30 }

/** Refuses with -42 a further report of a link. */
export async function limitLinkReports(db: Db, linkId: number, address: string, now: number): Promise<void> {
  const [key, hourMs] = [`linkReport:${linkId}`, 60 * minuteMs]
  if ((await count(db, `${key}:${networkOf(address)}`, now, hourMs)) > reportsOfLink.fromOne) fail('sendingTooOften')
  if ((await count(db, key, now, 24 * hourMs)) > reportsOfLink.aDay) fail('sendingTooOften')
}

/**
 * Short messages cost money, and their codes are short. One that is asked for with a password, as the second factor, may
 * be asked for more often than one that anybody asks for.
 */
const messages = { anybody: { anHour: 3, aDay: 10 }, factor: { anHour: 10, aDay: 30 } } as const

/** Whether the person may be sent another short message; counts it. */
export async function mayMessage(
  db: Db,
  accountId: number,
  now: number,
  askedBy: keyof typeof messages = 'anybody',
): Promise<boolean> {
  const key = askedBy === 'anybody' ? String(accountId) : `${askedBy}:${accountId}`
  const today = await count(db, `smsADay:${key}`, now, 24 * 60 * minuteMs)
  const lately = await count(db, `smsTo:${key}`, now, 60 * minuteMs)
  return lately <= messages[askedBy].anHour && today <= messages[askedBy].aDay
}

const triesOfCode = 5

/** Whether another attempt at the code of a short message is allowed; counts it. */
export async function mayTryCode(db: Db, verifyParam: string, now: number): Promise<boolean> {
  const key = `smsCode:${hashToken(verifyParam).toString('hex')}`
  return (await count(db, key, now, 10 * minuteMs)) <= triesOfCode
}

/** Increments a counter within a time window, or only reads it. Both lock the row until the end of the transaction. */
async function count(db: Db, key: string, now: number, within: number, step: 0 | 1 = 1): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into throttle (key, failures, since) values (${key}, ${step}, ${now})
    on conflict (key) do update set
      failures = case when throttle.since > ${now - within} then throttle.failures + ${step} else ${step} end,
      since = case when throttle.since > ${now - within} then throttle.since else ${now} end
    returning failures`.execute(db)
  return rows[0]?.failures ?? 1
}
