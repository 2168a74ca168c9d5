/*
 * Throttling of every path that takes a credential. Failures count for the account and for the address separately, in the
 * database, so that neither another process nor a forged header starts the count anew.
 *
 * The count is asked twice: before the credential is compared, and again when the answer is known, in the transaction that
 * counts it. Of many guesses sent at once no more are answered than of guesses sent one after another, and many people
 * who sign in at once do not look like one who guesses.
 */
import { isIPv4, isIPv6 } from 'node:net'
import { defaultInstallation, type InstallationSetting } from '@cloudoc/contract'
import { type CodeName, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { hashToken } from '../../core/secrets.ts'

/** How many wrong passwords of an account are put up with, as the installation is set. */
export interface Patience {
  readonly captchaAfter: number
  readonly lockAfter: number
  /** Within which failures count (decisions "Captcha"). */
  readonly windowMs: number
}

const minuteMs = 60_000
export const patienceOf = ({ inner }: Pick<InstallationSetting, 'inner'>): Patience => ({
  captchaAfter: inner.captcha_after,
  lockAfter: inner.lock_after,
  windowMs: inner.lock_minutes * minuteMs,
})
const usualPatience = patienceOf(defaultInstallation)

/** Many people of an office share an address, which is no person: it meets captchas, never a lock (X61). */
const ofAddress = { captchaAfter: 20 }
/** Of credentials that name no account. */
const nameless = { lockAfter: 100 }

/** One credential being tried. */
export interface Attempt {
  /** Whether the failures so far make a captcha due. */
  readonly captchaDue: boolean
  /**
   * The credential was wrong: counts it and fails with that code, or with what guesses in a row would have met. What is
   * answered is on record, with the account that was meant, never with what was typed; what is refused for its number
   * is not, or whoever guesses could fill the record.
   */
  wrong(code: CodeName, captchaPassed: boolean, tried: { call: string; accountId: number | null }): Promise<never>
  /** The credential was right: the account starts anew, unless guesses beside it have used its patience up. */
  right(captchaPassed: boolean): Promise<void>
}

/** What was typed wrongly for an account within the time that counts. */
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

/** Lets somebody try again at once. */
export async function forgetFailures(tx: Tx, accounts: readonly string[]): Promise<void> {
  await sql`delete from throttle where key = any(${accounts.map((account) => `account:${account}`)})`.execute(tx)
}

interface Failures {
  account: number
  address: number
  /** By credentials that name no account. */
  nameless: number
}

/**
 * Begins an attempt, or fails with -47 where account or address must wait. A credential that names no account counts for
 * the address alone, and is counted apart: keys end by themselves, and nobody of an office is to meet a captcha for that.
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
    async wrong(code, captchaPassed, { call, accountId }) {
      await db.transaction().execute(async (tx) => {
        const before = { ...none }
        for (const { kind, key } of kinds) before[kind] = (await count(tx, key, now, windowMs)) - 1
        // A refusal takes the count back: what was not answered is no failure.
        assertPatient(before, captchaPassed)
      })
      // Not in that transaction, in which all guesses at the account wait for each other.
      await db
        .insertInto('audit')
        .values({ at: now, account_id: accountId, call, address, items: [], detail: JSON.stringify({ refused: code }) })
        .execute()
      return fail(code)
    },
    async right(captchaPassed) {
      assertPatient(await soFar(), captchaPassed)
      if (keys.account !== undefined) await db.deleteFrom('throttle').where('key', '=', keys.account).execute()
    },
  }
}

/** An IPv6 caller owns the 64 bits behind its network's prefix, so the prefix is what counts. */
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

/** Addresses that one who rotates them is likely to have: those of one provider's block. */
function neighbourhoodOf(address: string): string {
  const network = networkOf(address, 3)
  return isIPv4(network) ? network.replace(/\.\d+$/, '.0/24') : network
}

/**
 * Passwords of links are short, so wrong ones count for the link and the address together, and slow the link without
 * locking it (X35): whatever the addresses, at most twenty are looked at in a minute.
 *
 * Addresses that were wrong before, their neighbours, and all others each have places of their own, or whoever sends wrong
 * ones all the time would keep everybody out. What is wrong from elsewhere makes its address, and those around it, one of
 * the former. So a right password from elsewhere waits five seconds for a wrong one, also where a fresh neighbourhood sends
 * one every ten seconds; it competes only with somebody who has one every five.
 */
const ofLink = { addressMost: 5, addressMs: 10 * minuteMs, laneMs: { first: 5000, near: 15_000, again: 15_000 } }

/**
 * One try at the password of a link. What is refused for its number is not looked at, and says nothing of the password: a
 * right one is refused exactly when a wrong one would be, and counts for nothing.
 */
export async function tryLinkPassword(
  db: Db,
  linkId: number,
  address: string,
  now: number,
  isRight: boolean,
): Promise<'right' | 'wrong' | 'lastWrong'> {
  const own = `link:${linkId}:${networkOf(address)}`
  const around = `link:${linkId}:around:${neighbourhoodOf(address)}`
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ key: string; failures: number }>`
      select key, failures from throttle
      where key in (${own}, ${around}) and failures > 0 and since > ${now - ofLink.addressMs}`.execute(tx)
    const known = rows.find(({ key }) => key === own)?.failures ?? 0
    const lane = known > 0 ? 'again' : rows.length > 0 ? 'near' : 'first'
    // Tries of one kind wait for each other at its row; a refusal takes the counts back.
    const laneKey = `link:${linkId}:lane:${lane}`
    const step = isRight ? 0 : 1
    const looked = await count(tx, laneKey, now, ofLink.laneMs[lane], step)
    if (looked >= 1 + step || known >= ofLink.addressMost) return fail('sendingTooOften')
    if (isRight) return 'right'
    await count(tx, around, now, ofLink.addressMs)
    return (await count(tx, own, now, ofLink.addressMs)) === ofLink.addressMost ? 'lastWrong' : 'wrong'
  })
}

/** What a client asks for before it signs in, and mails that somebody sends; each leaves a row behind for a while. */
const handedOut = {
  captcha: 120,
  loginKey: 600,
  company: 120,
  findPassword: 20,
  findPasswordSms: 5,
  linkMail: 20,
  linkCode: 20,
} as const
const handOutMs = 60_000

/** Refuses with -42 an address that asks for more in a minute than a large office behind one address does. */
export async function limitHandOuts(db: Db, kind: keyof typeof handedOut, address: string, now: number): Promise<void> {
  const asked = await count(db, `${kind}:${networkOf(address)}`, now, handOutMs)
  if (asked > handedOut[kind]) fail('sendingTooOften')
}

/** Mails to one person in an hour that nobody who is signed in has asked for. */
const mailsAnHour = 5

/** Whether somebody may be sent one more; counts it. */
export async function mayMail(db: Db, accountId: number, now: number): Promise<boolean> {
  return (await count(db, `mailTo:${accountId}`, now, 60 * minuteMs)) <= mailsAnHour
}

/** Codes by mail for one link and address: one a minute, ten an hour, whoever asks. */
const codesOfLink = { everyMs: minuteMs, mostAnHour: 10 }

/** Refuses with -42 one code more for a link and an address, and what one network asks for beyond a large office. */
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

/** Reports of one link: three an hour from a network, thirty a day altogether. */
const reportsOfLink = { fromOne: 3, aDay: 30 }

/** Refuses with -42 one report more of a link. */
export async function limitLinkReports(db: Db, linkId: number, address: string, now: number): Promise<void> {
  const [key, hourMs] = [`linkReport:${linkId}`, 60 * minuteMs]
  if ((await count(db, `${key}:${networkOf(address)}`, now, hourMs)) > reportsOfLink.fromOne) fail('sendingTooOften')
  if ((await count(db, key, now, 24 * hourMs)) > reportsOfLink.aDay) fail('sendingTooOften')
}

/** Short messages cost money, and their codes are short. */
const messagesAnHour = 3
const messagesADay = 10

/** Whether somebody may be sent one more short message; counts it. */
export async function mayMessage(db: Db, accountId: number, now: number): Promise<boolean> {
  const today = await count(db, `smsADay:${accountId}`, now, 24 * 60 * minuteMs)
  return (await count(db, `smsTo:${accountId}`, now, 60 * minuteMs)) <= messagesAnHour && today <= messagesADay
}

const triesOfCode = 5

/** Whether the code of a short message may be tried once more; counts it. */
export async function mayTryCode(db: Db, verifyParam: string, now: number): Promise<boolean> {
  const key = `smsCode:${hashToken(verifyParam).toString('hex')}`
  return (await count(db, key, now, 10 * minuteMs)) <= triesOfCode
}

/** Counts one more within some time, or looks how many there are, both holding the row to the end of the transaction. */
async function count(db: Db, key: string, now: number, within: number, step: 0 | 1 = 1): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into throttle (key, failures, since) values (${key}, ${step}, ${now})
    on conflict (key) do update set
      failures = case when throttle.since > ${now - within} then throttle.failures + ${step} else ${step} end,
      since = case when throttle.since > ${now - within} then throttle.since else ${now} end
    returning failures`.execute(db)
  return rows[0]?.failures ?? 1
}
