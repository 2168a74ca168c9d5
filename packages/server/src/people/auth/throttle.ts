/*
 * Throttling of every path that takes a credential. Attempts count for the account and for the address separately, in the
 * database, so that neither another process nor a forged header starts the count anew.
 *
 * For the account an attempt is counted before the password is looked at and given back when it was right: many guesses
 * at once are counted as many. For the address only failures count: a whole office that signs in at nine shares one.
 */
import { isIPv6 } from 'node:net'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** The window in which failures count (decisions "Captcha"). */
const windowMs = 15 * 60_000
const captchaAfter = 2
const refusedAfter = { account: 10, address: 100 }

export interface Attempt {
  /** Whether the failures before this attempt make a captcha due. */
  readonly captchaDue: boolean
  /** The password was right: the account starts anew. */
  succeeded(): Promise<void>
  /** The password was wrong: the address has one failure more. */
  failed(): Promise<void>
  /** Nothing was guessed: the attempt does not count. */
  withdrawn(): Promise<void>
}

/**
 * Counts an attempt, or fails with -47 where account or address must wait. A credential that names no account counts for
 * the address alone.
 */
export async function attempt(db: Db, account: string | undefined, address: string, now: number): Promise<Attempt> {
  const accountKey = account === undefined ? undefined : `account:${account}`
  const addressKey = `address:${networkOf(address)}`
  const ofAccount = accountKey === undefined ? 0 : await count(db, accountKey, now)
  const ofAddress = await failuresOf(db, addressKey, now)
  const withdrawn = async (): Promise<void> => {
    await sql`update throttle set failures = greatest(failures - 1, 0) where key = ${accountKey}`.execute(db)
  }
  if (ofAccount > refusedAfter.account || ofAddress >= refusedAfter.address) {
    // What was not looked at is no failure, or a burst of empty guesses would lock somebody else out.
    await withdrawn()
    return fail('accountLocked')
  }
  return {
    captchaDue: ofAccount > captchaAfter || ofAddress >= captchaAfter,
    async succeeded() {
      if (accountKey !== undefined) await db.deleteFrom('throttle').where('key', '=', accountKey).execute()
    },
    async failed() {
      await count(db, addressKey, now)
    },
    withdrawn,
  }
}

async function failuresOf(db: Db, key: string, now: number): Promise<number> {
  const row = await db
    .selectFrom('throttle')
    .select('failures')
    .where('key', '=', key)
    .where('since', '>', now - windowMs)
    .executeTakeFirst()
  return row?.failures ?? 0
}

/** An IPv6 caller owns the 64 bits behind its network's prefix, so the prefix is what counts. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}

async function count(db: Db, key: string, now: number): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into throttle (key, failures, since) values (${key}, 1, ${now})
    on conflict (key) do update set
      failures = case when throttle.since > ${now - windowMs} then throttle.failures + 1 else 1 end,
      since = case when throttle.since > ${now - windowMs} then throttle.since else ${now} end
    returning failures`.execute(db)
  return rows[0]?.failures ?? 1
}
