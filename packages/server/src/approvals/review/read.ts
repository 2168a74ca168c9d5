// Reading requests: which ones a user may see, their state, and which wait for the user.
import { type FactsOfReview, features, type ReviewProgress, type ReviewState } from '@cloudoc/contract'
import { denial } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ObjectAccess } from '../../core/access.ts'
import type { Counter } from '../../core/counters.ts'
import type { Db } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'
import type { Services } from '../../core/services.ts'
import { reviewKinds } from './kind.ts'
import type { StoredState } from './tables.ts'

/** How far stand-ins are followed: where a stand-in is away too, theirs acts, and the stand-in of that one. */
export const longestStandInChain = 3

/** Whether a row of review_stand_in (`s`) is in force. */
const inForce = (now: number) => sql`s.from_at <= ${now} and (s.until_at is null or s.until_at > ${now})`

/**
 * The users whose decisions a user may make: their own, and those of active users they currently stand in for, also for
 * somebody who is a stand-in themselves.
 */
export const representedAccounts = (accountId: number, now: number) => sql`
  with recursive represented (id, depth) as (
    select ${accountId}::bigint, 0 union
    select s.account_id, r.depth + 1 from represented r join review_stand_in s on s.stand_in_id = r.id
      join account p on p.id = s.account_id
    where r.depth < ${longestStandInChain} and ${inForce(now)}
      and p.state = 'normal' and (p.expires_at is null or p.expires_at > ${now}))
  select distinct id from represented`

/** Whether an account (`person`) may know the item of a review (`review`); both are aliases of rows. */
export const mayKnowItem = (person: 'me' | 'b', review: 'q' | 'r', now: number) => sql`not exists (
  select 1 from item i where i.id = ${sql.ref(`${review}.item_id`)} and i.secret_level > ${sql.ref(`${person}.secret_level`)}
    and (i.secret_until is null or i.secret_until > ${now}))`

/**
 * Whether a user may answer for the reviewer of a row of review_reviewer (`w`): their own, or as a stand-in whose secret
 * level suffices. The reviewers themselves were chosen by their level.
 */
export const mayAnswerFor = (accountId: number, now: number) => sql`(w.account_id = ${accountId} or (
  w.account_id in (${representedAccounts(accountId, now)}) and exists (
    select 1 from review q join account me on me.id = ${accountId}
    where q.id = w.review_id and ${mayKnowItem('me', 'q', now)})))`

/** Who stands in for whom now, as rows (person, id); also over others who are away. */
export const currentStandIns = (now: number) => sql`
  with recursive standing (person, id, depth) as (
    select s.account_id, s.stand_in_id, 1 from review_stand_in s where ${inForce(now)} union
    select r.person, s.stand_in_id, r.depth + 1 from standing r join review_stand_in s on s.account_id = r.id
    where r.depth < ${longestStandInChain} and ${inForce(now)})
  select distinct person, id from standing where person <> id`

/** The current stand-ins of users, and theirs. */
export async function standInsOf(db: Db, people: readonly number[], now: number): Promise<number[]> {
  if (people.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with recursive standing (id, depth) as (
      select unnest(${[...people]}::bigint[]), 0 union
      select s.stand_in_id, r.depth + 1 from standing r join review_stand_in s on s.account_id = r.id
      where r.depth < ${longestStandInChain} and ${inForce(now)})
    select distinct id from standing where depth > 0`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The people whom a choice of a stand-in connects at any time of a period: from the one who stands in for nobody of them
 * down to the last stand-in. Ends with the user themselves if it is a circle.
 */
export async function standInChain(
  db: Db,
  { accountId, userId, from, until }: { accountId: number; userId: number; from: number; until: number | null },
): Promise<{ readonly ids: readonly number[]; readonly isCircle: boolean }> {
  const during = sql`s.from_at < coalesce(${until}::bigint, 9223372036854775807)
    and coalesce(s.until_at, 9223372036854775807) > ${from}`
  const follow = async (start: number, along: 'down' | 'up'): Promise<number[]> => {
    const [here, next] = along === 'down' ? ['account_id', 'stand_in_id'] : ['stand_in_id', 'account_id']
    const { rows } = await sql<{ path: string[] }>`
      with recursive chain (id, path) as (
        select ${start}::bigint, array[${start}::bigint] union all
        select s.${sql.ref(next)}, c.path || s.${sql.ref(next)} from chain c
          join review_stand_in s on s.${sql.ref(here)} = c.id
        where ${during} and s.account_id <> ${accountId} and s.${sql.ref(next)} <> all(c.path)
          and cardinality(c.path) <= ${longestStandInChain + 1})
      select path from chain order by cardinality(path) desc limit 1`.execute(db)
    return rows[0]?.path.map(Number) ?? [start]
  }
  const { rows } = await sql<{ path: string[] }>`
    with recursive chain (id, path) as (
      select ${userId}::bigint, array[${userId}::bigint] union all
      select s.stand_in_id, c.path || s.stand_in_id from chain c join review_stand_in s on s.account_id = c.id
      where ${during} and s.account_id <> ${accountId} and s.stand_in_id <> all(c.path))
    select path from chain where id = ${accountId} limit 1`.execute(db)
  const [circle] = rows
  if (circle !== undefined) return { ids: [accountId, ...circle.path.map(Number)], isCircle: true }
  const [up, down] = [await follow(accountId, 'up'), await follow(userId, 'down')]
  return { ids: [...up.toReversed(), ...down], isCircle: false }
}

/** The current state: an approval may have ended by itself. */
export function stateNow(state: StoredState, endsAt: number | null, now: number): ReviewState {
  return state === 'approved' && endsAt !== null && endsAt <= now ? 'over' : state
}

/** Requests as objects of gates. */
export function reviewObjects({
  now,
  contributed,
}: Pick<Services, 'now' | 'contributed'>): Objects<ObjectAccess<FactsOfReview>> {
  return {
    kind: features.reviews.objects.review,
    async load(db, actor, ids) {
      // A visitor neither requests nor decides (X51), so the account's requests do not exist for them.
      if (actor.kind !== 'account' || actor.isGuest) return new Map()
      const { accountId, powers } = actor
      const at = now()
      const isSupervisor = powers.includes('security') || powers.includes('audit')
      const supervised = isSupervisor ? contributed(reviewKinds).filter((kind) => kind.isSupervised) : []
      const { rows } = await sql<{
        id: number
        state: StoredState
        ends_at: number | null
        launched: boolean
        awaited: boolean
        asked: boolean
        supervised: boolean
      }>`
        select r.id, r.state, r.ends_at, r.launcher_id = ${accountId} as launched,
          exists (select 1 from review_reviewer w
            where w.review_id = r.id and w.is_waiting and ${mayAnswerFor(accountId, at)}) as awaited,
          exists (select 1 from review_reviewer w where w.review_id = r.id
            and (w.account_id = ${accountId} or w.answered_by = ${accountId})) as asked,
          r.kind = any(${supervised.map(({ name }) => name)}::text[]) as supervised
        from review r where r.id = any(${ids.map(Number)})`.execute(db)
      return new Map(
        rows
          .filter(({ launched, awaited, asked, supervised: seen }) => launched || awaited || asked || seen)
          .map((row) => [
            row.id,
            {
              facts: {
                state: stateNow(row.state, row.ends_at, at),
                isLauncher: row.launched,
                isAwaited: row.awaited,
                isReviewer: row.asked,
              },
            },
          ]),
      )
    },
    async lock(tx, id) {
      await sql`select 1 from review where id = ${Number(id)} for no key update`.execute(tx)
    },
  }
}

/** Counts the requests of a kind that wait for a user ([R033]). */
export function waitingFor(kind: string): Counter {
  return async (db, { accountId, isGuest }, now) => {
    if (isGuest) return 0
    const { rows } = await sql<{ n: number }>`
      select count(distinct w.review_id)::int as n from review_reviewer w join review r on r.id = w.review_id
      where w.is_waiting and ${mayAnswerFor(accountId, now)}
        and r.kind = ${kind} and r.launcher_id <> ${accountId}`.execute(db)
    return rows[0]?.n ?? 0
  }
}

/** One request in a list. */
export interface Listed {
  readonly id: number
  readonly state: ReviewState
  readonly launcherId: number
  readonly launcher: string
  readonly groupName: string
  readonly itemId: number | null
  readonly title: string
  readonly subject: object
  readonly comments: string
  readonly createdAt: number
  readonly handleBefore: number | null
  readonly decision: object | null
  /** When what was approved ends by itself. */
  readonly endsAt: number | null
  readonly decidedAt: number | null
  readonly decidedBy: { readonly userId: number; readonly accountName: string } | null
  readonly answer: string
  readonly waitsFor: readonly { readonly userId: number; readonly accountName: string }[]
  readonly isAwaited: boolean
}

/** The fields common to requests of any kind. */
export const reviewSummary = (one: Listed) => ({
  reviewId: one.id,
  userId: one.launcherId,
  userName: one.launcher,
  groupName: one.groupName,
  comments: one.comments,
  createTime: one.createdAt,
  handleBefore: one.handleBefore,
  state: one.state,
  handleTime: one.decidedAt,
  handledBy: one.decidedBy,
  answer: one.answer,
  waitsFor: [...one.waitsFor],
  isAwaited: one.isAwaited,
})

export interface ListQuery {
  readonly kind: string
  readonly accountId: number
  /** Requests the user has made, or those they decide on. */
  readonly side: 'launched' | 'asked'
  /** `mine`: decided with the user; `others`: without them. */
  readonly state: 'all' | 'open' | 'handled' | 'mine' | 'others'
  readonly from: number
  readonly rows: number
  readonly now: number
  /** Only this request. */
  readonly id?: number
  /** Only requests whose title, comments or requester contain it. */
  readonly keyword?: string
  /** Only requests since this time. */
  readonly since?: number
}

/** The statement parts that select requests, without and with their state. */
function selectionOf(query: Omit<ListQuery, 'state' | 'from' | 'rows'>) {
  const { kind, accountId, side, now, id, keyword = '', since = 0 } = query
  const isTurn = mayAnswerFor(accountId, now)
  const asked = sql`r.id in (
    select w.review_id from review_reviewer w where w.account_id = ${accountId} union
    select w.review_id from review_reviewer w where w.is_waiting and ${isTurn} union
    select w.review_id from review_reviewer w where w.answered_by = ${accountId})`
  const whose =
    side === 'launched' ? sql`r.launcher_id = ${accountId}` : sql`r.launcher_id <> ${accountId} and ${asked}`
  const hidden = sql`exists (
    select 1 from review_hidden h where h.review_id = r.id and h.account_id = ${accountId})`
  const words = `%${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const matches =
    keyword === ''
      ? sql`true`
      : sql`(lower(r.title) like ${words} or lower(r.comments) like ${words} or lower(a.name) like ${words})`
  const wanted = sql`${whose} and not ${hidden} and r.created_at >= ${since} and ${matches}`
  const answered = sql`exists (
    select 1 from review_reviewer w where w.review_id = r.id and w.answer in ('approved', 'rejected')
      and (w.answered_by = ${accountId} or (w.answered_by is null and w.account_id = ${accountId})))`
  const reviews = sql`
    from review r join account a on a.id = r.launcher_id join org_group g on g.id = a.group_id
      left join account d on d.id = r.decided_by
      cross join lateral (select exists (select 1 from review_reviewer w where w.review_id = r.id and w.is_waiting
        and ${isTurn}) as is) awaited
    where r.kind = ${kind} and ${id === undefined ? wanted : sql`r.id = ${id}`}`
  const states =
    side === 'launched'
      ? {
          ...{ all: sql`true`, open: sql`r.state = 'pending'`, handled: sql`r.state <> 'pending'` },
          ...{ mine: sql`r.state <> 'pending'`, others: sql`false` },
        }
      : {
          ...{ all: sql`true`, open: sql`awaited.is`, handled: sql`not awaited.is` },
          mine: sql`not awaited.is and ${answered}`,
          others: sql`not awaited.is and not ${answered}`,
        }
  return { reviews, states }
}

/** How many of a user's requests are in each state. */
export async function countReviews(
  db: Db,
  query: Omit<ListQuery, 'state' | 'from' | 'rows'>,
): Promise<{ all: number; open: number; mine: number; others: number }> {
  const { reviews, states } = selectionOf(query)
  const { rows } = await sql<{ all: number; open: number; mine: number; others: number }>`
    select count(*)::int as all, (count(*) filter (where ${states.open}))::int as open,
      (count(*) filter (where ${states.mine}))::int as mine,
      (count(*) filter (where ${states.others}))::int as others ${reviews}`.execute(db)
  return rows[0] ?? { all: 0, open: 0, mine: 0, others: 0 }
}

/** Removes a request from the lists of a user. */
export async function hideReview(db: Db, reviewId: number, accountId: number): Promise<void> {
  await sql`
    insert into review_hidden (review_id, account_id) values (${reviewId}, ${accountId}) on conflict do nothing`.execute(
    db,
  )
}

/** A page of requests: those waiting for the user first, then the latest. */
export async function listReviews(db: Db, query: ListQuery): Promise<{ list: Listed[]; total: number }> {
  const { state, from, rows: most, now } = query
  const { reviews, states } = selectionOf(query)
  const found = sql`${reviews} and ${states[state]}`
  const page = await sql<
    Omit<Listed, 'state' | 'decidedBy' | 'waitsFor'> & {
      kept: StoredState
      endsAt: number | null
      decidedById: number | null
      decidedByName: string | null
      waitsFor: Listed['waitsFor'] | null
    }
  >`
    select r.id, r.state as kept, r.ends_at as "endsAt", r.launcher_id as "launcherId", a.name as launcher,
      g.name as "groupName", r.item_id as "itemId", r.title, r.subject, r.comments, r.created_at as "createdAt",
      r.handle_before as "handleBefore", r.decision, r.decided_at as "decidedAt", r.decided_by as "decidedById",
      d.name as "decidedByName", r.answer, awaited.is as "isAwaited", (
        select json_agg(json_build_object('userId', p.id, 'accountName', p.name) order by w.round, p.id)
        from review_reviewer w join account p on p.id = w.account_id where w.review_id = r.id and w.is_waiting
      ) as "waitsFor"
    ${found} order by awaited.is desc, r.id desc offset ${from} limit ${most}`.execute(db)
  const count = await sql<{ n: number }>`select count(*)::int as n ${found}`.execute(db)
  return {
    total: count.rows[0]?.n ?? 0,
    list: page.rows.map(({ kept, decidedById, decidedByName, waitsFor, ...row }) => ({
      ...row,
      state: stateNow(kept, row.endsAt, now),
      decidedBy: decidedById === null ? null : { userId: decidedById, accountName: decidedByName ?? '' },
      waitsFor: waitsFor ?? [],
    })),
  }
}

interface PersonRow {
  readonly id: number
  readonly name: string
}

/** The state and history of a request, for a user who may see it. */
export async function reviewProgress(db: Db, id: number, facts: FactsOfReview, now: number): Promise<ReviewProgress> {
  const { rows } = await sql<{
    kind: string
    launcher: PersonRow
    created_at: number
    handle_before: number | null
    round: number
  }>`
    select r.kind, r.created_at, r.handle_before, r.round, json_build_object('id', a.id, 'name', a.name) as launcher
    from review r join account a on a.id = r.launcher_id where r.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`review ${id} is gone`)
  const rounds = await sql<{ round: number; needed: number }>`
    select round, needed from review_round where review_id = ${id} order by round`.execute(db)
  const reviewers = await sql<{
    round: number
    id: number
    name: string
    why: ReviewProgress['rounds'][number]['reviewers'][number]['why']
    answer: 'approved' | 'rejected' | 'handedOn' | null
    answered_by: PersonRow | null
    stand_in: PersonRow | null
    comments: string
    at: number | null
    is_waiting: boolean
  }>`
    select w.round, a.id, a.name, w.why, w.answer, w.comments, w.at, w.is_waiting,
      (select json_build_object('id', b.id, 'name', b.name) from account b where b.id = w.answered_by) as answered_by,
      (select json_build_object('id', b.id, 'name', b.name) from review_stand_in s join account b on b.id = s.stand_in_id
        where s.account_id = a.id and ${inForce(now)} and ${mayKnowItem('b', 'r', now)}) as stand_in
    from review_reviewer w join account a on a.id = w.account_id join review r on r.id = w.review_id
    where w.review_id = ${id} order by w.round, w.at nulls last, a.id`.execute(db)
  const notes = await sql<{
    at: number
    by: PersonRow | null
    to: PersonRow | null
    what: ReviewProgress['notes'][number]['what']
    comments: string
  }>`
    select n.at, n.what, n.comments,
      (select json_build_object('id', a.id, 'name', a.name) from account a where a.id = n.account_id) as by,
      (select json_build_object('id', a.id, 'name', a.name) from account a where a.id = n.to_id) as to
    from review_note n where n.review_id = ${id} order by n.id`.execute(db)
  const { gates } = features.reviews.objects.review
  const may = (action: keyof typeof gates): boolean => denial(gates[action], facts) === undefined
  return {
    reviewId: id,
    kind: row.kind,
    state: facts.state,
    launcher: personOf(row.launcher),
    createTime: row.created_at,
    handleBefore: row.handle_before,
    round: row.round,
    rounds: rounds.rows.map(({ round, needed }) => ({
      needed,
      reviewers: reviewers.rows
        .filter((one) => one.round === round)
        .map(({ id: userId, name, why, answer, answered_by: by, stand_in: standIn, comments, at, is_waiting }) => ({
          ...{ userId, accountName: name, why, answer, comments, at, isWaiting: is_waiting },
          ...(standIn !== null && is_waiting && { standIn: personOf(standIn) }),
          ...(by !== null && { answeredBy: personOf(by) }),
        })),
    })),
    notes: notes.rows.map(({ at, by, to, what, comments }) => ({
      at,
      what,
      comments,
      ...(by !== null && { by: personOf(by) }),
      ...(to !== null && { to: personOf(to) }),
    })),
    may: { decide: may('decide'), withdraw: may('withdraw'), remind: may('remind'), revoke: may('revoke') },
  }
}

const personOf = ({ id, name }: PersonRow) => ({ userId: id, accountName: name })
