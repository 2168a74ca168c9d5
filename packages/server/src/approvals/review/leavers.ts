/*
 * Handover of requests that wait for a leaver, and of their own. Decisions pass to the successor, except on the
 * successor's own requests. The leaver's own requests are withdrawn.
 */
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { type Handover, type HandoverItem, idsOf, type Leaver } from '../../core/leavers.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { passOn, type Reviewing, readReview, withdraw } from './engine.ts'
import { ableOf } from './reviewers.ts'

interface Waiting {
  readonly id: number
  readonly title: string
  readonly launcher: string
  readonly launcherId: number
  /** Whether the successor is a reviewer too, and has answered. */
  readonly asked: 'waits' | 'answered' | null
}

async function mayDecide(
  tx: Tx,
  { settings, kindOf }: Reviewing,
  { id, launcherId }: Waiting,
  { leaverId, successorId, now }: Handover,
): Promise<boolean> {
  if (launcherId === successorId) return false
  const review = await readReview(tx, id)
  if ((await ableOf(tx, [successorId], review.itemId, now)).length === 0) return false
  // The leaver's libraries pass to the successor at the same time.
  const { rows } = await sql`
    select 1 from item i join library l on l.id = i.library_id
    where i.id = ${review.itemId} and l.owner_id = ${leaverId}`.execute(tx)
  if (rows.length > 0) return true
  const account = (await loadAccounts(tx, settings, [successorId], now)).get(successorId)
  if (account === undefined) return false
  return (await kindOf(review.kind).mayDecide?.(tx, review, account, now)) ?? true
}

/**
 * Requests that wait for the leaver. Those that the successor may not decide remain, and are assigned by the rule of
 * their kind (reassignReviews).
 */
export const waitingReviews = (reviewing: Reviewing): Leaver => ({
  kind: 'reviews',
  columns: ['review_reviewer.account_id'],
  async list(tx, who) {
    const { rows } = await sql<Waiting>`
      select r.id, r.title, a.name as launcher, r.launcher_id as "launcherId",
        (select case when o.is_waiting then 'waits' else 'answered' end from review_reviewer o
          where o.review_id = r.id and o.round = w.round and o.account_id = ${who.successorId}) as asked
      from review_reviewer w join review r on r.id = w.review_id join account a on a.id = r.launcher_id
      where w.account_id = ${who.leaverId} and w.is_waiting order by r.id`.execute(tx)
    const items: HandoverItem[] = []
    for (const row of rows) {
      const item = { id: row.id, name: row.title, detail: row.launcher }
      if (row.asked === 'waits') items.push({ ...item, outcome: 'merges' })
      else if (row.launcherId === who.successorId) items.push({ ...item, outcome: 'waits', why: 'ownRequest' })
      else if (row.asked === 'answered' || !(await mayDecide(tx, reviewing, row, who)))
        items.push({ ...item, outcome: 'waits', why: 'notTheirs' })
      else items.push({ ...item, outcome: 'passes' })
    }
    return { items }
  },
  async carryOut(context, { leaverId, successorId }, items) {
    for (const id of [...idsOf(items, 'passes'), ...idsOf(items, 'merges')])
      await passOn(context, reviewing.kindOf, id, leaverId, successorId)
  },
})

/** The leaver's undecided requests. */
export const launchedReviews = ({ kindOf }: Reviewing): Leaver => ({
  kind: 'requests',
  columns: ['review.launcher_id'],
  async list(tx, { leaverId }) {
    const { rows } = await sql<{ id: number; name: string; kind: string }>`
      select id, title as name, kind from review where launcher_id = ${leaverId} and state = 'pending'
      order by id`.execute(tx)
    const own = rows.filter(({ kind }) => kindOf(kind).isImposed !== true)
    return { items: own.map(({ id, name }) => ({ id, name, outcome: 'ends' })) }
  },
  async carryOut(context, _who, items) {
    for (const id of idsOf(items, 'ends')) await withdraw(context, kindOf, id, '')
  },
})

/** The leaver's stand-ins, and the users they stand in for. */
export const standIns: Leaver = {
  kind: 'standIns',
  columns: ['review_stand_in.account_id', 'review_stand_in.stand_in_id'],
  async list(tx, { leaverId, now }) {
    const { rows } = await sql<{ id: number; name: string }>`
      select a.id, a.name from review_stand_in s
      join account a on a.id = case when s.account_id = ${leaverId} then s.stand_in_id else s.account_id end
      where ${leaverId} in (s.account_id, s.stand_in_id) and (s.until_at is null or s.until_at > ${now})
      order by a.name_sort, a.id`.execute(tx)
    return { items: rows.map((row) => ({ ...row, outcome: 'ends' })) }
  },
  async carryOut({ tx }, { leaverId }) {
    await sql`delete from review_stand_in where ${leaverId} in (account_id, stand_in_id)`.execute(tx)
  },
}
