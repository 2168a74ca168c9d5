// Sums: writers append rows, which are folded into totals asynchronously (ADR 4).
import { defaultSetting } from '@cloudoc/contract'
import { calendarDay } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { FeatureEvent } from '../../core/events.ts'

/** Number of rows folded per batch. */
export const tallyMost = 10_000

/** The space used by users, or their limit, has changed. */
export interface SpaceEvent extends FeatureEvent {
  readonly kind: 'space.changed'
  /** Null: all users. */
  readonly accountIds: readonly number[] | null
}

/** The time zone of an installation that has not set its own. */
const { download_time_zone: usualTimeZone } = defaultSetting.setting

/**
 * Folds appended sums into totals and publishes whose have changed. Readers add the rows that are not folded yet, so a
 * sum is always correct. Growth is stored by the calendar day of the company's time zone.
 */
export async function foldTallies(db: Db, now = Date.now(), timeZone = usualTimeZone): Promise<number> {
  const { number: day } = calendarDay(now, timeZone)
  const { rows } = await sql<{ folded: number }>`
    with taken as (
      delete from tally where id in (select id from tally order by id limit ${tallyMost} for update skip locked)
      returning library_id, account_id, folder_id, bytes, children
    ), changed as (
      select library_id, account_id, sum(bytes) as bytes from taken where bytes <> 0 group by library_id, account_id
    ), usage as (
      insert into usage_total (library_id, account_id, bytes) select library_id, account_id, bytes from changed
      on conflict (library_id, account_id) do update set bytes = usage_total.bytes + excluded.bytes
    ), days as (
      insert into usage_day (day, library_id, account_id, bytes)
      select ${day}, library_id, account_id, bytes from changed
      on conflict (day, library_id, account_id) do update set bytes = usage_day.bytes + excluded.bytes
    ), told as (
      insert into event (kind, payload, created_at)
      select 'space.changed',
        jsonb_build_object('kind', 'space.changed', 'accountIds', jsonb_agg(distinct account_id)), ${now}::bigint
      from changed having count(*) > 0
    ), libraries as (
      insert into library_total (library_id, bytes)
      select coalesce(library_id, 0), sum(bytes) from taken where bytes <> 0
      group by rollup (library_id) having count(*) > 0
      on conflict (library_id) do update set bytes = library_total.bytes + excluded.bytes
    ), counts as (
      insert into child_total (folder_id, children)
      select folder_id, sum(children) from taken where folder_id is not null and children <> 0 group by folder_id
      on conflict (folder_id) do update set children = child_total.children + excluded.children
    )
    select count(*) as folded from taken`.execute(db)
  return rows[0]?.folded ?? 0
}

/** Number of days for which daily growth is stored. */
const retentionDays = 400

/** Deletes old daily growth. */
export async function removeExpiredDays(db: Db, now: number, timeZone: string): Promise<void> {
  await db
    .deleteFrom('usage_day')
    .where('day', '<', calendarDay(now, timeZone).number - retentionDays)
    .execute()
}
