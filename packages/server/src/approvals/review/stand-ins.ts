/*
 * Stand-ins of those for whom requests wait. `review_told_stand_in` says who was told of a request, so an absence that
 * begins or ends while it waits is found by a chore, as in workflows (ADR 0361).
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { type NewEvent, writeEvents } from '../../core/events.ts'
import { settleNotices } from '../../core/notices/index.ts'
import { noteStandIns, readReview } from './engine.ts'
import type { KindOf, Review } from './kind.ts'
import { currentStandIns, mayKnowItem } from './read.ts'

interface Difference {
  readonly reviewId: number
  readonly accountId: number
  readonly isBegun: boolean
}

/** Who stands in for a reviewer and was not told, and who was told and stands in no longer; of one request, or of all. */
async function differences(db: Db, now: number, limit: number, id?: number): Promise<Difference[]> {
  const of = id === undefined ? sql`true` : sql`review_id = ${id}`
  const { rows } = await sql<Difference>`
    with wanted as materialized (
      select distinct w.review_id, s.id as account_id from (${currentStandIns(now)}) s
        join review_reviewer w on w.account_id = s.person and w.is_waiting
        join review r on r.id = w.review_id and r.launcher_id <> s.id
        join account b on b.id = s.id and ${mayKnowItem('b', 'r', now)}
      where not exists (
        select 1 from review_reviewer o where o.review_id = w.review_id and o.account_id = s.id and o.is_waiting)
    )
    select review_id as "reviewId", account_id as "accountId", true as "isBegun" from wanted n
    where ${of} and not exists (
      select 1 from review_told_stand_in x where x.review_id = n.review_id and x.account_id = n.account_id)
    union all
    select review_id, account_id, false from review_told_stand_in x
    where ${of} and not exists (
      select 1 from wanted n where n.review_id = x.review_id and n.account_id = x.account_id)
    limit ${limit}`.execute(db)
  return rows
}

/** Brings up to date who was told of requests as a stand-in. Returns how many requests it looked at. */
export async function followStandIns(db: Db, kindOf: KindOf, now: number, limit: number): Promise<number> {
  const ids = new Set((await differences(db, now, limit)).map(({ reviewId }) => reviewId))
  for (const id of ids)
    await db.transaction().execute(async (tx) => {
      await sql`select 1 from review where id = ${id} for no key update`.execute(tx)
      const changed = await differences(tx, now, Number.MAX_SAFE_INTEGER, id)
      const idsOf = (isBegun: boolean) =>
        changed.filter((one) => one.isBegun === isBegun).map(({ accountId }) => accountId)
      const review = await readReview(tx, id)
      await writeEvents(tx, await follow(tx, kindOf, review, idsOf(true), idsOf(false), now), now)
    })
  return ids.size
}

/** Tells those who begin; what those were told who have ended is read. */
async function follow(
  tx: Tx,
  kindOf: KindOf,
  review: Review,
  begun: readonly number[],
  ended: readonly number[],
  now: number,
): Promise<readonly NewEvent[]> {
  const kind = kindOf(review.kind)
  await noteStandIns(tx, review.id, begun)
  const events: NewEvent[] = begun.length === 0 ? [] : [...kind.asks(review, begun)]
  if (ended.length === 0) return events
  await sql`
    delete from review_told_stand_in where review_id = ${review.id} and account_id = any(${[...ended]})`.execute(tx)
  const told = kind.asks(review, ended).flatMap((event) => ('notice' in event && event.notice ? [event.notice] : []))
  for (const notice of told)
    for (const accountId of ended) events.push(...(await settleNotices(tx, accountId, notice as never, now)))
  return events
}
