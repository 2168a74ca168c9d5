/*
 * Throttling of every path that takes a credential. Attempts count for the account and for the address separately, in the
 * database, so that neither another process nor a forged header starts the count anew. An attempt is counted before the
 * password is looked at and given back when it was right: many guesses at once are counted as many.
 */
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** The window in which failures count (decisions "Captcha"). */
const windowMs = 15 * 60_000
const captchaAfter = { account: 2, address: 10 }
const refusedAfter = { account: 10, address: 100 }

export interface Attempt {
  /** Whether the failures before this attempt make a captcha due. */
  readonly captchaDue: boolean
  /** The password was right: the account starts anew, the address gets this attempt back. */
  succeeded(): Promise<void>
  /** Nothing was guessed: the attempt does not count. */
  withdrawn(): Promise<void>
}

/** Counts an attempt, or fails with -47 where account or address must wait. */
export async function attempt(db: Db, account: string, address: string, now: number): Promise<Attempt> {
  const accountKey = `account:${account}`
  const addressKey = `address:${address}`
  const ofAccount = await count(db, accountKey, now)
  const ofAddress = await count(db, addressKey, now)
  if (ofAccount > refusedAfter.account || ofAddress > refusedAfter.address) return fail('accountLocked')
  const giveBack = (key: string) =>
    sql`update throttle set failures = greatest(failures - 1, 0) where key = ${key}`.execute(db)
  return {
    captchaDue: ofAccount > captchaAfter.account || ofAddress > captchaAfter.address,
    async succeeded() {
      await db.deleteFrom('throttle').where('key', '=', accountKey).execute()
      await giveBack(addressKey)
    },
    async withdrawn() {
      await giveBack(accountKey)
      await giveBack(addressKey)
    },
  }
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
