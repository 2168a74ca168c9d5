// The administrators' overview, and the reports.

import { features } from '@cloudoc/contract'
import { calendarDay, calendarDays } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { accountLimitOf } from '../../core/licence.ts'
import { resumableScan } from '../../core/resumable-scan.ts'
import type { Services } from '../../core/services.ts'
import { logBytes } from '../../drive/quotas/index.ts'
import { measured, spaceOf, usedByDay, usedBytes } from './storage.ts'

export { measureStorage } from './storage.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const onlineMs = 10 * 60_000
const daysOfActivity = 14
/** An older backup causes a warning. */
const backupStaleMs = 8 * dayMs

/** When the last backup was made, as recorded by the backup command. */
export const backedUp = resumableScan<{ at: number }>('backup', { at: 0 })

async function countsOf(db: Db, now: number) {
  const { rows } = await sql<{
    total: number
    active: number
    locked: number
    never: number
    online: number
    sessions: number
    damaged: number
    waiting: number
    failed: number
    version: string
    bytes: number
  }>`
    select
      (select count(*) from account where state <> 'disabled') as total,
      (select count(*) from account where signed_in_at > ${now - 30 * dayMs}) as active,
      (select count(*) from account where state = 'locked') as locked,
      (select count(*) from account where state = 'normal' and signed_in_at is null) as never,
      (select count(distinct account_id) from session where program_id is null and expires_at > ${now} and used_at > ${now - onlineMs}) as online,
      (select count(*) from session where program_id is null and expires_at > ${now}) as sessions,
      (select count(*) from blob_problem) as damaged,
      (select count(*) from job where state = 'waiting') as waiting,
      (select count(*) from job where state = 'failed') as failed,
      split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]
}

/** The audited calls of each of the last days. An hour that midnight divides counts with the day it begins in. */
async function activityOf(db: Db, now: number, timeZone: string) {
  const days = calendarDays(now, timeZone, daysOfActivity)
  const first = Math.ceil((days[0]?.from ?? now) / hourMs)
  const { rows } = await sql<{ hour: number; kind: number; n: number }>`
    select hour, kind, n from audit_hour where hour >= ${first}`.execute(db)
  return days.map(({ number: day, from, until }) => {
    const inDay = rows.filter(({ hour }) => hour * hourMs >= from && hour * hourMs < until)
    const of = (kind: number): number => inDay.reduce((sum, row) => (row.kind === kind ? sum + row.n : sum), 0)
    return { day, signIn: of(1), file: of(2), rights: of(3), administration: of(4) }
  })
}

/** The number of the current day in the company's time zone. */
const todayOf = (context: Context): number =>
  calendarDay(context.now, actorOf(context).settings.setting.download_time_zone).number

/** The handlers of the overview and the reports. */
export function overviewHandlers({ blobs, office }: Pick<Services, 'blobs' | 'office'>) {
  return implement(features.overview.calls, {
    async getOverview(context) {
      const { db, now } = context
      const { settings } = actorOf(context)
      const began = performance.now()
      const counts = await countsOf(db, now)
      const ms = Math.round(performance.now() - began)
      const low = await sql<{ kind: 'account' | 'installation' | 'disk' | 'log'; n: number }>`
        select kind, count(*) as n from space_low group by kind`.execute(db)
      const nearly = await spaceOf(
        db,
        { by: 'low', keyword: '', from: 0, rows: 1 },
        { usual: settings.user_space, percent: settings.personal_space_percent, today: todayOf(context) },
      )
      const { at: backupTime } = await backedUp.read(db)
      const isLow = (kind: string): number => low.rows.find((row) => row.kind === kind)?.n ?? 0
      const attention = [
        { what: 'serverFull' as const, n: isLow('installation') },
        { what: 'diskFull' as const, n: isLow('disk') },
        { what: 'damaged' as const, n: counts?.damaged ?? 0 },
        { what: 'noBackup' as const, n: backupTime === 0 ? 1 : 0 },
        {
          what: 'oldBackup' as const,
          n: backupTime > 0 && backupTime < now - backupStaleMs ? Math.floor((now - backupTime) / dayMs) : 0,
        },
        { what: 'logFull' as const, n: isLow('log') + isLow('archive') },
        { what: 'nearlyFull' as const, n: nearly.total },
        { what: 'lockedAccounts' as const, n: counts?.locked ?? 0 },
        { what: 'neverSignedIn' as const, n: counts?.never ?? 0 },
        { what: 'failedJobs' as const, n: counts?.failed ?? 0 },
      ].filter(({ n }) => n > 0)
      return {
        at: now,
        people: { total: counts?.total ?? 0, limit: accountLimitOf(settings), active: counts?.active ?? 0 },
        online: { people: counts?.online ?? 0, sessions: counts?.sessions ?? 0 },
        activity: await activityOf(db, now, settings.setting.download_time_zone),
        health: {
          upMs: Math.round(process.uptime() * 1000),
          database: { version: counts?.version ?? '', bytes: counts?.bytes ?? 0, ms },
          damaged: counts?.damaged ?? 0,
          backupTime,
          jobs: { waiting: counts?.waiting ?? 0, failed: counts?.failed ?? 0 },
          pages: {
            engine: office?.kind ?? 'none',
            isOn: settings.inner.page_engine,
            freeMemory: Math.round(process.availableMemory()),
          },
        },
        attention,
      }
    },

    async getStorage(context) {
      const { db } = context
      const { server_space: limit } = actorOf(context).settings
      const used = await usedBytes(db)
      const disk = await blobs.disk?.()
      const found = await measured.read(db)
      return {
        used,
        limit,
        place: blobs.place ?? '',
        disk: disk === undefined ? null : { free: disk.free, size: disk.size },
        measured: found.at === 0 ? null : found,
        logBytes: await logBytes(db),
        days: await usedByDay({ db }, used, todayOf(context)),
      }
    },

    getStorageOf(context, input) {
      const { user_space: usual, personal_space_percent: percent } = actorOf(context).settings
      return spaceOf(context.db, input, { usual, percent, today: todayOf(context) })
    },

    async getAbsentPeople({ db, now }, { days, from, rows: most }) {
      const { rows } = await sql<{
        userId: number
        account: string
        accountName: string
        groupName: string
        signedInTime: number
        createTime: number
        used: number
        n: number
      }>`
        select a.id as "userId", a.account, a.name as "accountName", coalesce(g.name, '') as "groupName",
          coalesce(a.signed_in_at, 0) as "signedInTime", a.created_at as "createTime",
          coalesce((select sum(bytes) from usage_total where account_id = a.id), 0)::bigint as used, count(*) over () as n
        from account a left join org_group g on g.id = a.group_id
        where a.state <> 'disabled' and coalesce(a.signed_in_at, a.created_at) < ${now - days * dayMs}
        order by coalesce(a.signed_in_at, 0), a.id limit ${most} offset ${from}`.execute(db)
      return { list: rows.map(({ n: _, ...row }) => row), total: rows[0]?.n ?? 0 }
    },
  })
}
