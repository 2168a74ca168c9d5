// The log of the sensitive audit ([R191]): what was found, who decided and who looked. It holds no values.

import type { SensitiveLogCounts } from '@cloudoc/contract'
import { type SensitiveLogKind } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { mayAnswerFor } from '../review/index.ts'
import type { StoredHit } from './outcome.ts'

/** A record to write. */
export interface NewLogEntry {
  readonly what: SensitiveLogKind
  /** Null for what the check itself did. */
  readonly accountId: number | null
  readonly checkId: number
  readonly itemId: number
  readonly name: string
  readonly version: number
  readonly action?: StoredAction
  readonly reason?: string
  readonly hits?: readonly StoredHit[]
  readonly comments?: string
  readonly place?: string
}

type StoredAction = 'none' | 'note' | 'audit' | 'block'

/** Writes records. */
export async function writeLog(db: Db, now: number, entries: readonly NewLogEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((one) => ({
    ...{ what: one.what, account_id: one.accountId, check_id: one.checkId, item_id: one.itemId, name: one.name },
    ...{ version: one.version, action: one.action ?? 'none', reason: one.reason ?? '', hits: one.hits ?? [] },
    ...{ comments: one.comments ?? '', place: one.place ?? '' },
  }))
  await sql`
    insert into sensitive_log (at, what, account_id, check_id, item_id, name, version, action, reason, hits, comments, place)
    select ${now}::bigint, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      what text, account_id bigint, check_id bigint, item_id bigint, name text, version int, action text, reason text,
      hits jsonb, comments text, place text)`.execute(db)
}

/** Which records, of a reader. */
export interface LogQuery {
  /** The reader; undefined for whoever reads all. */
  readonly accountId: number | undefined
  readonly now: number
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly what?: SensitiveLogKind | undefined
  readonly userId?: number | undefined
  readonly keyword: string
}

interface LogRow {
  readonly id: number
  readonly time: number
  readonly what: SensitiveLogKind
  readonly userId: number | null
  readonly userName: string | null
  readonly fId: number
  readonly fName: string
  readonly version: number
  readonly action: StoredAction
  readonly reason: string
  readonly hits: StoredHit[]
  readonly comments: string
  readonly place: string
}

const filterOf = ({ accountId, now, start, end, userId, keyword }: LogQuery) => sql`
  ${
    accountId === undefined
      ? sql`true`
      : sql`l.check_id in (
    select f.id from review_reviewer w join sensitive_file f on f.review_id = w.review_id
    where ${mayAnswerFor(accountId, now)} or w.answered_by = ${accountId})`
  }
  and ${start === undefined ? sql`true` : sql`l.at >= ${start}`} and ${end === undefined ? sql`true` : sql`l.at < ${end}`}
  and ${userId === undefined ? sql`true` : sql`l.account_id = ${userId}`}
  and ${keyword === '' ? sql`true` : sql`(l.name ilike ${likeAnywhere(keyword)} or l.comments ilike ${likeAnywhere(keyword)})`}`

/** A page of records, the latest first. `after`: those before this id. */
export async function readLog(
  db: Db,
  query: LogQuery,
  page: { readonly from?: number; readonly rows: number; readonly after?: number | undefined },
): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select l.id, l.at as time, l.what, l.account_id as "userId", a.name as "userName", l.item_id as "fId",
      l.name as "fName", l.version, l.action, l.reason, l.hits, l.comments, l.place
    from sensitive_log l left join account a on a.id = l.account_id
    where ${filterOf(query)} and ${query.what === undefined ? sql`true` : sql`l.what = ${query.what}`}
      and ${page.after === undefined ? sql`true` : sql`l.id < ${page.after}`}
    order by l.id desc limit ${page.rows} offset ${page.from ?? 0}`.execute(db)
  return rows
}

/** The number of records of each kind within the filter. */
export async function countLog(db: Db, query: LogQuery): Promise<SensitiveLogCounts> {
  const { rows } = await sql<{ what: string; n: number }>`
    select l.what, count(*)::int as n from sensitive_log l where ${filterOf(query)} group by l.what`.execute(db)
  const counts = new Map(rows.map(({ what, n }) => [what, n]))
  const of = (what: SensitiveLogKind): number => counts.get(what) ?? 0
  return {
    all: rows.reduce((sum, { n }) => sum + n, 0),
    ...{ hit: of('hit'), uninspected: of('uninspected'), approved: of('approved'), disapproved: of('disapproved') },
    ...{ deleted: of('deleted'), revoked: of('revoked'), viewed: of('viewed'), revealed: of('revealed') },
  }
}
