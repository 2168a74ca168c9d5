/*
 * Work of the elected process beside the sequencer: folding sums, ending what has expired. All of it may stop at any
 * point and be taken up by another process.
 */
import { sql } from 'kysely'
import type { Db } from './db/database.ts'

const foldMost = 10_000
const eventsMost = 5000
/** How long events can be replayed (decisions "JSON channel"). */
const eventLife = 7 * 24 * 60 * 60_000
/** Personal pushes nobody confirmed end after so long. */
const personalLife = 90 * 24 * 60 * 60_000
const dayMs = 24 * 60 * 60_000

/** Folds appended sums into totals; readers add what is not folded yet, so a sum is right at any moment. */
export async function foldTallies(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with taken as (
      delete from tally where id in (select id from tally order by id limit ${foldMost} for update skip locked)
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

/** Removes some of the oldest events, if they are older; from the front of their positions, so that it reads no others. */
async function removeOldEvents(db: Db, before: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from event where position in (
      select position from (
        select position, created_at from event where position is not null order by position limit ${eventsMost}) oldest
      where created_at < ${before})`.execute(db)
  return Number(numAffectedRows)
}

/** Removes what has expired: sessions, single-use things, old throttles, old events. */
export async function removeExpired(db: Db, now: number): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
  await db.deleteFrom('once').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('throttle')
    .where('since', '<', now - dayMs)
    .execute()
  while ((await removeOldEvents(db, now - eventLife)) === eventsMost);
  await db
    .deleteFrom('personal_push')
    .where('created_at', '<', now - personalLife)
    .execute()
}
