// The logs that people send ([R374]): packed by the page, which has removed what is secret; kept for 30 days.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

const keptMs = 30 * 24 * 60 * 60_000
/** Packs that a person may send in a day. */
const mostInADay = 20
const dayMs = 24 * 60 * 60_000

/** The number of a pack, as people tell it. */
export const logNumber = (id: number): string => `LOG-${String(id).padStart(4, '0')}`

export interface SentLog {
  readonly accountId: number
  readonly note: string
  readonly happenedAt: number
  readonly packed: Buffer
  readonly size: number
}

/** Packs a text, before the transaction. */
export const pack = (text: string): Promise<Buffer> => promisify(gzip)(text)

/** Unpacks a text. */
export const unpack = async (packed: Buffer): Promise<string> => (await promisify(gunzip)(packed)).toString('utf8')

/** Stores a pack; refused above the limit of a day. */
export async function storeLog(db: Db, log: SentLog, now: number): Promise<number> {
  const { accountId, note, happenedAt, packed, size } = log
  // One pack of a person at a time, so that the limit holds.
  await sql`select 1 from account where id = ${accountId} for no key update`.execute(db)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from client_log where account_id = ${accountId} and created_at > ${now - dayMs}`.execute(
    db,
  )
  if ((rows[0]?.n ?? 0) >= mostInADay) fail('sendingTooOften')
  const values = { account_id: accountId, note, happened_at: happenedAt, created_at: now, size, pack: packed }
  const { id } = await db.insertInto('client_log').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function deleteOldLogs(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('client_log')
    .where('created_at', '<', now - keptMs)
    .execute()
}
