// Sums are appended by whoever writes and folded into totals behind them (ADR 4).
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** So many rows are folded at once. */
export const tallyMost = 10_000

/** Folds appended sums into totals; readers add what is not folded yet, so a sum is right at any moment. */
export async function foldTallies(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with taken as (
      delete from tally where id in (select id from tally order by id limit ${tallyMost} for update skip locked)
      returning library_id, account_id, folder_id, bytes, children
    ), usage as (
      insert into usage_total (library_id, account_id, bytes)
      select library_id, account_id, sum(bytes) from taken where bytes <> 0 group by library_id, account_id
      on conflict (library_id, account_id) do update set bytes = usage_total.bytes + excluded.bytes
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
