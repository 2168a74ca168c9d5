/*
 * Counts a day's downloads before their first byte, in one statement, so concurrent downloads cannot exceed the limit
 * ([R284]). Each file of a zip counts as one. Resuming a file within a day of its first request is free. Previews, HEAD
 * requests and empty responses are also free. An aborted download counts, and it can be resumed for free.
 */
import { calendarDay } from '@cloudoc/domain'
import { sql } from 'kysely'
import { type Account, accountOf } from '../../core/actor.ts'
import type { Context } from '../../core/call/context.ts'
import { cachedForAll } from '../../core/db/cached.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import { type NewEvent, personal, writeEvents } from '../../core/events.ts'
import { overseersOf } from '../../people/auth/index.ts'

const dayMs = 24 * 60 * 60_000
/** Users are warned from this fraction of the limit on. */
const nearPart = 0.9

export interface LimitRow {
  readonly account_id: number | null
  readonly group_id: number | null
  readonly role_id: number | null
  readonly per_day: number
  /** Depth of the department below the company. */
  readonly depth: number
}

/** Returns all limits. Their number is small because administrators enter them. */
export async function readLimits(db: Db): Promise<LimitRow[]> {
  const { rows } = await sql<LimitRow>`
    select l.account_id, l.group_id, l.role_id, l.per_day, (
      with recursive up as (
        select g.id, g.parent_id from org_group g where g.id = l.group_id
        union all select g.id, g.parent_id from up join org_group g on g.id = up.parent_id)
      select count(*)::int from up) as depth
    from download_limit l`.execute(db)
  return rows
}

/** How many files the user may download per day; 0: unlimited. */
export function limitOf(limits: readonly LimitRow[], { subjects }: Pick<Account, 'subjects'>): number {
  const own = limits.find(({ account_id }) => account_id === subjects.userId)
  if (own !== undefined) return own.per_day
  const roles = limits.filter(({ role_id }) => role_id !== null && subjects.roleIds.has(role_id))
  const some = roles.map(({ per_day }) => per_day).filter((n) => n > 0)
  if (roles.length > 0) return some.length === 0 ? 0 : Math.min(...some)
  const groups = limits.filter(({ group_id }) => group_id !== null && subjects.groupIds.has(group_id))
  const [nearest] = groups.toSorted((a, b) => b.depth - a.depth)
  if (nearest !== undefined) return nearest.per_day
  const isAll = ({ account_id, group_id, role_id }: LimitRow): boolean =>
    account_id === null && group_id === null && role_id === null
  return limits.find(isAll)?.per_day ?? 0
}

/** The download counter of a user with a limit. */
export interface Limited {
  /** Counts one download; false if none is left. */
  take(file: { readonly fileId: number; readonly version: number }): Promise<boolean>
  /** Whether the limit is used up. */
  isUsedUp(): Promise<boolean>
  /** Refunds a download that was not sent. */
  giveBack(): Promise<void>
  /** Whether the user has already started this download. */
  hasStarted(file: { readonly fileId: number; readonly version: number }): Promise<boolean>
}

/**
 * Returns the caller's download counter; undefined if the caller has no limit. For visitors the limit of the external
 * link applies instead.
 */
export type DownloadLimits = (context: Context) => Promise<Limited | undefined>

export function createDownloadLimits(db: Db, invalidations: Invalidations): DownloadLimits {
  const keptLimits = cachedForAll(invalidations, () => readLimits(db))
  return async (context) => {
    const { actor, now } = context
    if (actor?.kind !== 'account') return undefined
    const limits = await keptLimits()
    const perDay = limits.length === 0 ? 0 : limitOf(limits, actor)
    if (perDay === 0) return undefined
    const account = accountOf(actor)
    const { accountId } = account
    const { day } = calendarDay(now, account.settings.setting.download_time_zone)
    return {
      take: ({ fileId, version }) =>
        db.transaction().execute(async (tx) => {
          const { rows } = await sql<{ taken: number; more: number }>`
            insert into download_day as d (account_id, day, taken) values (${accountId}, ${day}, 1)
            on conflict (account_id, day) do update set taken = d.taken + 1 where d.taken < ${perDay} + d.more
            returning taken, more`.execute(tx)
          const [row] = rows
          if (row === undefined) return false
          const { taken } = row
          const limit = perDay + row.more
          await sql`
            insert into download_taken (account_id, item_id, version, at)
            values (${accountId}, ${fileId}, ${version}, ${now})
            on conflict (account_id, item_id, version) do update set at = excluded.at`.execute(tx)
          const near = Math.ceil(limit * nearPart)
          if (taken === near || taken === limit)
            await writeEvents(tx, await limitEvents(tx, account, taken, limit, now), now)
          return true
        }),
      async isUsedUp() {
        const { rows } = await sql`
          select 1 from download_day
          where account_id = ${accountId} and day = ${day} and taken >= ${perDay} + more`.execute(db)
        return rows.length > 0
      },
      async giveBack() {
        await sql`
          update download_day set taken = taken - 1
          where account_id = ${accountId} and day = ${day} and taken > 0`.execute(db)
      },
      async hasStarted({ fileId, version }) {
        const { rows } = await sql`
          select 1 from download_taken where account_id = ${accountId} and item_id = ${fileId} and version = ${version}
            and at > ${now - dayMs}`.execute(db)
        return rows.length > 0
      },
    }
  }
}

/**
 * Adds to a user's downloads for a day, or takes some back; downloads already taken still count. The row that counts
 * the downloads stores the extra number. A concurrent download therefore sees either the old or the new number.
 */
export async function giveMore(tx: Tx, accountId: number, day: string, count: number): Promise<void> {
  await sql`
    insert into download_day as d (account_id, day, taken, more) values (${accountId}, ${day}, 0, ${Math.max(0, count)})
    on conflict (account_id, day) do update set more = greatest(0, d.more + ${count})`.execute(tx)
}

/** How many files the user has downloaded today, the limit (0: unlimited), and when that count ends. */
export async function todayOf(db: Db, account: Account, now: number) {
  const { day, until } = calendarDay(now, account.settings.setting.download_time_zone)
  const { rows } = await sql<{ taken: number; more: number }>`
    select taken, more from download_day where account_id = ${account.accountId} and day = ${day}`.execute(db)
  const { taken, more } = rows[0] ?? { taken: 0, more: 0 }
  const perDay = limitOf(await readLimits(db), account)
  return { count: taken, limit: perDay === 0 ? 0 : perDay + more, more: perDay === 0 ? 0 : more, until }
}

/** Events that notify the user, and the users responsible for security or for reading the audit. */
async function limitEvents(tx: Tx, account: Account, count: number, limit: number, time: number): Promise<NewEvent[]> {
  const state = count >= limit ? ('reached' as const) : ('near' as const)
  const group = await sql<{ name: string }>`select name from org_group where id = ${account.groupId}`.execute(tx)
  const { accountId, name } = account
  const others = (await overseersOf(tx)).filter((id) => id !== accountId)
  return [
    personal('downloadsLow', [accountId], { serverId: 0, count, limit, time, state }),
    personal('downloadAudit', others, {
      serverId: 0,
      accountId,
      account: account.account,
      accountName: name,
      groupName: group.rows[0]?.name ?? '',
      count,
      time,
      limit,
      state,
    }),
  ]
}

/** Deletes old records of started downloads. */
export async function removeExpiredDownloads(db: Db, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from download_taken where ctid in (
      select ctid from download_taken where at < ${now - 2 * dayMs} limit 1000)`.execute(db)
  return (numAffectedRows ?? 0n) === 1000n
}
