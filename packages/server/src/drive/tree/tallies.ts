// Sums are appended by whoever writes and folded into totals behind them (ADR 4).
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { FeatureEvent } from '../../core/events.ts'

/** So many rows are folded at once. */
export const tallyMost = 10_000

/** The bytes that people use have changed, or how many they may use. */
export interface SpaceEvent extends FeatureEvent {
  readonly kind: 'space.changed'
  /** Null: everybody's. */
  readonly accountIds: readonly number[] | null
}

const dayMs = 24 * 60 * 60_000

/** The day of a moment, counted from 1970: growth is kept by it. */
export const dayOf = (at: number): number => Math.floor(at / dayMs)

/**
 * Folds appended sums into totals, and tells whose have changed; readers add what is not folded yet, so a sum is right at
 * any moment.
 */
export async function foldTallies(db: Db, now = Date.now()): Promise<number> {
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
      select ${dayOf(now)}, library_id, account_id, bytes from changed
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

/** For so long growth is known day by day. */
const retentionDays = 400

/** Forgets the growth of days long ago. */
export async function removeExpiredDays(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('usage_day')
    .where('day', '<', dayOf(now) - retentionDays)
    .execute()
}
