// The life cycle of a request: launch, decision round by round, handing on, withdrawal, revocation. Everything happens
// in the transaction of a call that locks the request's row, so concurrent decisions are serialized.
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { NewEvent } from '../../core/events.ts'
import type { Settings } from '../../core/settings.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { knownOf } from '../../people/organisation/index.ts'
import type { Asked, KindOf, Review, ReviewKind, Round } from './kind.ts'
import { mayAnswerFor, standInsOf } from './read.ts'
import { ableOf, reviewersBy } from './reviewers.ts'
import type { What } from './tables.ts'

const hourMs = 60 * 60_000
/** Minimum interval between reminders by the requester. */
export const remindEveryMs = 2 * hourMs

/** A request to create. */
export interface Launch<S> {
  readonly itemId: number | null
  readonly title: string
  /** Identifies the subject: a second open request of a person with the same key is refused with -95. */
  readonly key: string
  readonly subject: S
  readonly comments: string
  readonly handleBefore: number | null
}

/** Creates a request of the caller and asks the first round. Returns its id. */
export async function launch<S, D>(context: WriteContext, kind: ReviewKind<S, D>, request: Launch<S>): Promise<number> {
  const { id, events } = await launchFor(context, actorOf(context), kind, request)
  for (const event of events) context.event(event)
  return id
}

/** Creates a request for a user outside a call of theirs, such as one that follows from what was found in their file. */
export async function launchFor<S, D>(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  { accountId, name }: Pick<Account, 'accountId' | 'name'>,
  kind: ReviewKind<S, D>,
  request: Launch<S>,
): Promise<{ readonly id: number; readonly events: readonly NewEvent[] }> {
  const { handleBefore, itemId } = request
  if (handleBefore !== null && handleBefore <= now)
    return fail('badRequest', { zh: '期望处理时间已过', en: 'handleBefore: it is over already' })
  const rounds = await kind.rounds({ tx, now, subject: request.subject, itemId, launcherId: accountId })
  if (rounds.length === 0 || rounds.some(({ who, needed }) => who.length < needed || needed < 1))
    return fail('folderWithoutApprover')
  const { rows } = await sql<{ id: number }>`
    insert into review (kind, launcher_id, item_id, title, key, subject, comments, created_at, handle_before, remind_at)
    values (${kind.name}, ${accountId}, ${itemId}, ${request.title}, ${request.key}, ${JSON.stringify(request.subject)},
      ${request.comments}, ${now}, ${handleBefore}, ${nextReminder(handleBefore, now)})
    on conflict (kind, launcher_id, key) where state = 'pending' do nothing returning id`.execute(tx)
  const id = rows[0]?.id ?? fail('duplicateRequest')
  await tx
    .insertInto('review_round')
    .values(rounds.map(({ needed }, round) => ({ review_id: id, round, needed })))
    .execute()
  await tx
    .insertInto('review_reviewer')
    .values(rounds.flatMap((one, round) => rowsOf(id, round, one, round === 0)))
    .execute()
  await recordStep(tx, id, now, accountId, 'asked', { comments: request.comments })
  const review: Review<S> = {
    ...{ id, kind: kind.name, state: 'pending', itemId, title: request.title, subject: request.subject },
    launcher: { accountId, name },
    comments: request.comments,
    createdAt: now,
  }
  const first = rounds[0]?.who.map((one) => one.accountId) ?? []
  return { id, events: kind.asks(review, await withStandIns(tx, review, first, now)) }
}

/**
 * Creates a request that is approved by a rule, without a reviewer. Returns its id; the caller grants what it asks for
 * by the kind's `approved`, in the same transaction.
 */
export async function launchApproved<S, D>(
  context: WriteContext,
  kind: ReviewKind<S, D>,
  request: Omit<Launch<S>, 'handleBefore'>,
  decision: D,
  /** Stores what belongs to the request, before the approval is applied. */
  prepare: (id: number) => Promise<void>,
): Promise<number> {
  const { tx, now } = context
  const actor = actorOf(context)
  const { id } = await tx
    .insertInto('review')
    .values({
      ...{ kind: kind.name, launcher_id: actor.accountId, item_id: request.itemId, title: request.title },
      ...{ key: request.key, subject: JSON.stringify(request.subject) as never, comments: request.comments },
      ...{ created_at: now, handle_before: null, remind_at: null, state: 'approved', decided_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordStep(tx, id, now, actor.accountId, 'asked', { comments: request.comments })
  await recordStep(tx, id, now, null, 'approved')
  await prepare(id)
  const review = (await readReview(tx, id)) as Review<S>
  const given = await kind.approved(context, review, decision, actor)
  await sql`
    update review set decision = ${JSON.stringify(given.decision)}::jsonb, ends_at = ${given.endsAt}
    where id = ${id}`.execute(tx)
  emitEvents(context, kind.answers(review, { approved: true, by: '', comments: '', decision: given.decision }, now))
  return id
}

const rowsOf = (id: number, round: number, { who }: Round, isWaiting: boolean) =>
  who.map(({ accountId, why }) => ({ review_id: id, round, account_id: accountId, why, is_waiting: isWaiting }))

/** One hour before the requested deadline, then at the deadline. */
export function nextReminder(handleBefore: number | null, now: number): number | null {
  if (handleBefore === null || handleBefore <= now) return null
  return handleBefore - hourMs > now ? handleBefore - hourMs : handleBefore
}

/** A reviewer's answer. */
export interface Answer<D> {
  readonly approve: boolean
  readonly comments: string
  /** What to grant; only that of the last approval counts. */
  readonly decision?: D
}

/** Decides for the caller, or for the user the caller stands in for. Its call is gated by `decide`. */
export async function decide<S, D>(
  context: WriteContext,
  settings: Settings,
  kind: ReviewKind<S, D>,
  id: number,
  { approve, comments, decision }: Answer<D>,
): Promise<void> {
  const { tx, now } = context
  const actor = actorOf(context)
  const review = (await readReview(tx, id)) as Review<S>
  // Each kind has its own calls; those of other kinds do not find it.
  if (review.kind !== kind.name) return fail('notFound')
  const mine = await waitingRow(tx, id, actor.accountId, now)
  await tx
    .updateTable('review_reviewer')
    .set({
      answer: approve ? 'approved' : 'rejected',
      answered_by: mine.account_id === actor.accountId ? null : actor.accountId,
      comments,
      at: now,
      is_waiting: false,
    })
    .where('review_id', '=', id)
    .where('round', '=', mine.round)
    .where('account_id', '=', mine.account_id)
    .execute()
  await recordStep(tx, id, now, actor.accountId, approve ? 'approved' : 'rejected', { comments })
  if (!approve) {
    await end(tx, id, { state: 'rejected', decided_by: actor.accountId, decided_at: now, answer: comments })
    await kind.rejected?.(context, review)
    emitEvents(context, kind.answers(review, { approved: false, by: actor.name, comments, decision: undefined }, now))
    return
  }
  if (!(await isRoundOver(tx, id, mine.round))) return
  if (await nextRound(context, kind, review, mine.round + 1)) return
  if (decision === undefined) return fail('badRequest', 'decision')
  const by =
    mine.account_id === actor.accountId
      ? actor
      : ((await loadAccounts(tx, settings, [mine.account_id], now)).get(mine.account_id) ?? fail('noPermission'))
  const given = await kind.approved(context, review, decision, by)
  await end(tx, id, {
    state: 'approved',
    decided_by: actor.accountId,
    decided_at: now,
    answer: comments,
    decision: given.decision as object,
    ends_at: given.endsAt,
  })
  emitEvents(context, kind.answers(review, { approved: true, by: actor.name, comments, decision: given.decision }, now))
}

async function isRoundOver(tx: Tx, id: number, round: number): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`
    select (select count(*) from review_reviewer where review_id = ${id} and round = ${round} and answer = 'approved')
      >= needed as over
    from review_round where review_id = ${id} and round = ${round}`.execute(tx)
  return rows[0]?.over === true
}

/** Asks the next round; false if there is none. */
async function nextRound(context: WriteContext, kind: ReviewKind, review: Review, round: number): Promise<boolean> {
  const { tx, now } = context
  const { id } = review
  await sql`update review_reviewer set is_waiting = false where review_id = ${id} and is_waiting`.execute(tx)
  await sql`update review set round = ${round} where id = ${id}`.execute(tx)
  const { rows } = await sql<{ account_id: number }>`
    update review_reviewer set is_waiting = true where review_id = ${id} and round = ${round} and answer is null
    returning account_id`.execute(tx)
  if (rows.length === 0) return false
  const people = rows.map(({ account_id }) => account_id)
  emitEvents(context, kind.asks(review, await withStandIns(tx, review, people, now)))
  return true
}

/** What the engine needs to act on requests of every kind. */
export interface Reviewing {
  readonly settings: Settings
  readonly kindOf: KindOf
}

interface HandOver {
  readonly userId: number
  readonly comments: string
}

/** Hands the caller's decision on to another user, or adds another reviewer. Its call is gated by `decide`. */
export async function askAnother(
  context: WriteContext,
  { settings, kindOf }: Reviewing,
  id: number,
  what: 'handedOn' | 'added',
  { userId, comments }: HandOver,
): Promise<void> {
  const { tx, now } = context
  const actor = actorOf(context)
  const review = await readReview(tx, id)
  const kind = kindOf(review.kind)
  const [known] = await knownOf(tx, actor, [{ subjectType: 'user', subjectId: userId } as const])
  const account = known && (await loadAccounts(tx, settings, [userId], now)).get(userId)
  if (account === undefined)
    return fail('notFound', { zh: '该人员不存在或已离开', en: 'userId: somebody who is not there, or has left' })
  if (userId === review.launcher.accountId)
    return fail('noPermission', {
      zh: '申请人不能审批自己的申请',
      en: 'userId: nobody decides about their own request',
    })
  const isAble = (await ableOf(tx, [userId], review.itemId, now)).length > 0
  if (!isAble || !((await kind.mayDecide?.(tx, review, account, now)) ?? true))
    return fail('noPermission', { zh: '该人员无权审批此申请', en: 'userId: they may not decide about this' })
  const mine = await waitingRow(tx, id, actor.accountId, now)
  const { rows } = await sql`
    insert into review_reviewer (review_id, round, account_id, why, is_waiting)
    values (${id}, ${mine.round}, ${userId}, ${what}, true)
    on conflict (review_id, round, account_id) do nothing returning 1`.execute(tx)
  if (rows.length === 0) return fail('badRequest', { zh: '该人员已在审批人中', en: 'userId: they are asked already' })
  if (what === 'handedOn') {
    await sql`
      update review_reviewer set answer = 'handedOn', is_waiting = false, at = ${now}, comments = ${comments}
      where review_id = ${id} and round = ${mine.round} and account_id = ${mine.account_id}`.execute(tx)
  } else {
    // If all have to approve, the added reviewer has to as well.
    await sql`
      update review_round r set needed = needed + 1 where review_id = ${id} and round = ${mine.round} and needed = (
        select count(*) - 1 from review_reviewer w where w.review_id = r.review_id and w.round = r.round
          and w.answer is distinct from 'handedOn') and needed > 1`.execute(tx)
  }
  await recordStep(tx, id, now, actor.accountId, what, { to: userId, comments })
  emitEvents(context, kind.asks(review, await withStandIns(tx, review, [userId], now)))
}

/**
 * Passes the decision of a leaver to the successor. If the successor is already a reviewer, their own answer is the
 * only one.
 */
export async function passOn(
  context: WriteContext,
  kindOf: KindOf,
  id: number,
  fromId: number,
  toId: number,
): Promise<void> {
  const { tx, now } = context
  await sql`select 1 from review where id = ${id} for no key update`.execute(tx)
  const { rows } = await sql<{ round: number }>`
    update review_reviewer set answer = 'handedOn', is_waiting = false, at = ${now}
    where review_id = ${id} and account_id = ${fromId} and is_waiting returning round`.execute(tx)
  for (const { round } of rows) {
    const added = await sql`
      insert into review_reviewer (review_id, round, account_id, why, is_waiting)
      values (${id}, ${round}, ${toId}, 'handedOn', true)
      on conflict (review_id, round, account_id) do nothing returning 1`.execute(tx)
    // One reviewer answers where two had to.
    if (added.rows.length === 0)
      await sql`
        update review_round r set needed = greatest(1, least(needed, (
          select count(*)::int from review_reviewer w where w.review_id = r.review_id and w.round = r.round
            and w.answer is distinct from 'handedOn')))
        where review_id = ${id} and round = ${round}`.execute(tx)
    const review = await readReview(tx, id)
    await recordStep(tx, id, now, actorOf(context).accountId, 'handedOn', { to: toId })
    if (added.rows.length > 0)
      emitEvents(context, kindOf(review.kind).asks(review, await withStandIns(tx, review, [toId], now)))
  }
}

/** Withdraws a request. Its call is gated by `withdraw`. */
export async function withdraw(context: WriteContext, kindOf: KindOf, id: number, comments: string): Promise<void> {
  const review = await readReview(context.tx, id)
  if (kindOf(review.kind).isImposed === true) return fail('noPermission')
  await end(context.tx, id, { state: 'withdrawn' })
  await kindOf(review.kind).withdrawn?.(context, review)
  await recordStep(context.tx, id, context.now, actorOf(context).accountId, 'withdrawn', { comments })
}

/** Closes a request that has become pointless, if it is still open. */
export async function closeReview(tx: Tx, id: number, now: number): Promise<void> {
  const { rows } = await sql`select 1 from review where id = ${id} and state = 'pending' for no key update`.execute(tx)
  if (rows.length === 0) return
  await end(tx, id, { state: 'withdrawn' })
  await recordStep(tx, id, now, null, 'withdrawn')
}

/** Revokes an approval with everything it granted. Its call is gated by `revoke`. */
export async function revoke(
  context: WriteContext,
  { settings, kindOf }: Reviewing,
  id: number,
  comments: string,
): Promise<void> {
  const review = await readReview(context.tx, id)
  await kindOf(review.kind).revoked(context, review, settings)
  await end(context.tx, id, { state: 'revoked', ends_at: null })
  await recordStep(context.tx, id, context.now, actorOf(context).accountId, 'revoked', { comments })
}

/** Reminds the reviewers that a request is waiting. */
export async function remind(
  tx: Tx,
  kindOf: KindOf,
  id: number,
  now: number,
  by: number | null,
): Promise<readonly NewEvent[]> {
  const review = await readReview(tx, id)
  const { rows } = await sql<{ account_id: number }>`
    select account_id from review_reviewer where review_id = ${id} and is_waiting`.execute(tx)
  await sql`update review set reminded_at = ${now} where id = ${id}`.execute(tx)
  await recordStep(tx, id, now, by, 'reminded')
  const people = rows.map(({ account_id }) => account_id)
  return kindOf(review.kind).asks(review, await withStandIns(tx, review, people, now), true)
}

/** Does what the kind prescribes for a request that nobody has decided by its deadline. */
export async function endOverdue(tx: Tx, kindOf: KindOf, id: number, now: number): Promise<readonly NewEvent[]> {
  const review = await readReview(tx, id)
  const kind = kindOf(review.kind)
  switch (kind.atDeadline?.(review) ?? 'wait') {
    case 'reject':
      await end(tx, id, { state: 'rejected', decided_at: now })
      await kind.lapsed?.(tx, review)
      await recordStep(tx, id, now, null, 'rejected')
      return kind.answers(review, { approved: false, by: '', comments: '', decision: undefined }, now)
    case 'managers': {
      const { rows } = await sql<{ account_id: number; round: number }>`
        select w.account_id, r.round from review r left join review_reviewer w
          on w.review_id = r.id and w.round = r.round where r.id = ${id}`.execute(tx)
      const known = new Set(rows.map(({ account_id }) => account_id))
      const ask = { tx, now, itemId: review.itemId, launcherId: review.launcher.accountId }
      const managers = await reviewersBy(ask, [{ by: 'owner' }, { by: 'managers' }])
      const fresh = managers.filter(({ accountId }) => !known.has(accountId))
      return [...(await askLater(tx, kind, review, rows[0]?.round ?? 0, fresh, now)), ...kind.late(review, now)]
    }
    default:
      return kind.late(review, now)
  }
}

/**
 * Called when a reviewer has left: if no reviewer remains, the request is assigned to those that the rule of its kind
 * names now.
 */
export async function reassignReviews(
  tx: Tx,
  kindOf: KindOf,
  goneId: number,
  now: number,
): Promise<readonly NewEvent[]> {
  const { rows } = await sql<{ review_id: number; round: number }>`
    select w.review_id, w.round from review_reviewer w where w.account_id = ${goneId} and w.is_waiting
    order by w.review_id`.execute(tx)
  const events: NewEvent[] = []
  for (const { review_id: id, round } of rows) {
    await sql`select 1 from review where id = ${id} for no key update`.execute(tx)
    const review = await readReview(tx, id)
    const asked = await sql<{ account_id: number; is_waiting: boolean }>`
      select account_id, is_waiting from review_reviewer where review_id = ${id} and round = ${round}`.execute(tx)
    const waiting = asked.rows.filter(({ is_waiting }) => is_waiting).map(({ account_id }) => account_id)
    if ((await ableOf(tx, waiting, review.itemId, now)).some((one) => one !== goneId)) continue
    const kind = kindOf(review.kind)
    const { subject, itemId, launcher } = review
    const rounds = await kind.rounds({ tx, now, subject, itemId, launcherId: launcher.accountId })
    const known = new Set(asked.rows.map(({ account_id }) => account_id))
    const fresh = rounds.flatMap(({ who }) => who).filter(({ accountId }) => !known.has(accountId))
    events.push(...(await askLater(tx, kind, review, round, fresh, now)))
  }
  return events
}

async function askLater(
  tx: Tx,
  kind: ReviewKind,
  review: Review,
  round: number,
  fresh: readonly Asked[],
  now: number,
): Promise<readonly NewEvent[]> {
  if (fresh.length === 0) return []
  const people = [...new Set(fresh.map(({ accountId }) => accountId))]
  for (const accountId of people) {
    await sql`
      insert into review_reviewer (review_id, round, account_id, why, is_waiting)
      values (${review.id}, ${round}, ${accountId}, 'later', true) on conflict do nothing`.execute(tx)
    await recordStep(tx, review.id, now, null, 'later', { to: accountId })
  }
  return kind.asks(review, await withStandIns(tx, review, people, now))
}

function emitEvents(context: WriteContext, events: readonly NewEvent[]): void {
  for (const event of events) context.event(event)
}

async function end(tx: Tx, id: number, set: object): Promise<void> {
  await tx
    .updateTable('review')
    .set({ ...set, remind_at: null })
    .where('id', '=', id)
    .execute()
  await sql`update review_reviewer set is_waiting = false where review_id = ${id} and is_waiting`.execute(tx)
}

async function recordStep(
  tx: Tx,
  id: number,
  at: number,
  by: number | null,
  what: What,
  { to = null, comments = '' }: { readonly to?: number | null; readonly comments?: string } = {},
): Promise<void> {
  await tx.insertInto('review_note').values({ review_id: id, at, account_id: by, what, to_id: to, comments }).execute()
}

/** Reads one request. */
export async function readReview(tx: Db, id: number): Promise<Review> {
  const row = await tx
    .selectFrom('review as r')
    .innerJoin('account as a', 'a.id', 'r.launcher_id')
    .selectAll('r')
    .select('a.name as launcher')
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    ...{ id, kind: row.kind, state: row.state, itemId: row.item_id, title: row.title, subject: row.subject },
    launcher: { accountId: row.launcher_id, name: row.launcher },
    comments: row.comments,
    createdAt: row.created_at,
  }
}

/** The row by which a request waits for a user: their own first, then that of a user they stand in for. */
async function waitingRow(tx: Tx, id: number, accountId: number, now: number) {
  const { rows } = await sql<{ round: number; account_id: number }>`
    select w.round, w.account_id from review_reviewer w
    where w.review_id = ${id} and w.is_waiting and ${mayAnswerFor(accountId, now)}
    order by w.account_id <> ${accountId}, w.account_id limit 1`.execute(tx)
  return rows[0] ?? fail('noPermission')
}

/** Notes that stand-ins are told of a request. */
export async function noteStandIns(tx: Tx, id: number, standIns: readonly number[]): Promise<void> {
  if (standIns.length === 0) return
  await sql`
    insert into review_told_stand_in (review_id, account_id) select ${id}, unnest(${[...standIns]}::bigint[])
    on conflict do nothing`.execute(tx)
}

/** Reviewers and their current stand-ins, as far as the item is not too secret for these, who are told of a request. */
async function withStandIns(
  tx: Tx,
  { id, itemId }: Pick<Review, 'id' | 'itemId'>,
  people: readonly number[],
  now: number,
): Promise<number[]> {
  const standIns = await ableOf(tx, await standInsOf(tx, people, now), itemId, now)
  await noteStandIns(tx, id, standIns)
  return [...new Set([...people, ...standIns])]
}
