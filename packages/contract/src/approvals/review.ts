/*
 * Reviews: what somebody asks for and others decide. The kinds (rights, downloads, links, …) have calls of their own to ask
 * and to decide, as the documents name them; what all have in common is here: the way a request has gone and whom it
 * waits for, handing on, adding somebody, asking again, taking back.
 */
import { all, fact } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, rows, Time, text } from '../fields.ts'

/** What has become of a request. `over`: what was approved has come to its end by itself. */
export const ReviewState = z.enum(['pending', 'approved', 'rejected', 'withdrawn', 'revoked', 'over'])
export type ReviewState = z.output<typeof ReviewState>

/** A request as one person meets it who has asked or is asked. */
export interface FactsOfReview {
  readonly state: ReviewState
  readonly isLauncher: boolean
  /** It waits for them, or for somebody they stand in for. */
  readonly isAwaited: boolean
  /** They are or were asked. */
  readonly isReviewer: boolean
}

const pending = fact<FactsOfReview>('pending', ({ state }) => state === 'pending', 'alreadyHandled')
const approved = fact<FactsOfReview>('approved', ({ state }) => state === 'approved', 'alreadyHandled')
const launcher = fact<FactsOfReview>('who asked', ({ isLauncher }) => isLauncher)
const reviewer = fact<FactsOfReview>('who was asked', ({ isReviewer }) => isReviewer)
// Nobody decides about what they ask for themselves, whoever they stand in for.
const awaited = fact<FactsOfReview>('who it waits for', ({ isAwaited, isLauncher }) => isAwaited && !isLauncher)

/** Requests that are reviewed. Who has not asked and was not asked does not know of one. */
export const reviewKind = objectKind<FactsOfReview, 'see' | 'decide' | 'withdraw' | 'remind' | 'revoke'>('review', {
  see: fact('known to the person', () => true),
  decide: all(pending, awaited),
  withdraw: all(launcher, pending),
  remind: all(launcher, pending),
  revoke: all(reviewer, approved),
})

export const Comments = text(1000).default('')
const one = { reviewId: Id }

export const Person = z.strictObject({ userId: z.int(), accountName: z.string() })

/** What is told of a request of any kind. */
export const requestFields = {
  reviewId: z.int(),
  userId: z.int(),
  userName: z.string(),
  groupName: z.string(),
  comments: z.string(),
  createTime: Time,
  handleBefore: Time.nullable(),
  state: ReviewState,
  handleTime: Time.nullable(),
  handledBy: Person.nullable(),
  answer: z.string(),
  waitsFor: z.array(Person),
  isAwaited: z.boolean(),
}

/** How a request stands: everybody who was asked, round by round, and everything that was done. */
export const ReviewProgress = z.strictObject({
  reviewId: z.int(),
  kind: z.string(),
  state: ReviewState,
  launcher: Person,
  createTime: Time,
  /** Until when an answer is hoped for. */
  handleBefore: Time.nullable(),
  /** Counted from 0; as many as there are rounds once all are over. */
  round: z.int(),
  rounds: z.array(
    z.strictObject({
      /** How many have to approve. */
      needed: z.int(),
      reviewers: z.array(
        z.strictObject({
          ...Person.shape,
          why: z.enum(['owner', 'manager', 'named', 'role', 'handedOn', 'added', 'later']),
          /** Who stands in for them now. */
          standIn: Person.optional(),
          answer: z.enum(['approved', 'rejected', 'handedOn']).nullable(),
          /** Who answered in their place. */
          answeredBy: Person.optional(),
          comments: z.string(),
          at: Time.nullable(),
          isWaiting: z.boolean(),
        }),
      ),
    }),
  ),
  notes: z.array(
    z.strictObject({
      at: Time,
      /** Absent for what time has done. */
      by: Person.optional(),
      what: z.enum(['asked', 'approved', 'rejected', 'handedOn', 'added', 'reminded', 'withdrawn', 'revoked', 'later']),
      to: Person.optional(),
      comments: z.string(),
    }),
  ),
  may: z.strictObject({ decide: z.boolean(), withdraw: z.boolean(), remind: z.boolean(), revoke: z.boolean() }),
})
export type ReviewProgress = z.output<typeof ReviewProgress>

const post = {
  method: 'POST',
  auth: 'required',
  payload: 'json',
  origin: 'ours',
  kind: 'write',
  audit: 'rights',
} as const

const reviewCalls = {
  getReviewWay: call({
    summary: 'Tells how a request stands and whom it waits for',
    kind: 'read',
    method: 'GET',
    path: '/services2/review/getReviewWay/{reviewId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'see')],
    input: z.strictObject(one),
    data: ReviewProgress,
    codes: ['notFound'],
  }),
  /** Somebody else decides in the caller's place. */
  handOnReview: call({
    ...post,
    summary: 'Hands a request on to somebody else',
    path: '/services2/review/handOnReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'decide', 'change')],
    input: z.strictObject({ ...one, userId: Id, comments: Comments }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /** Somebody else decides beside the caller. */
  addReviewer: call({
    ...post,
    summary: 'Asks somebody else beside those who are asked',
    path: '/services2/review/addReviewer',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'decide', 'change')],
    input: z.strictObject({ ...one, userId: Id, comments: Comments }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /** Takes a request back that nobody has decided. */
  withdrawReview: call({
    ...post,
    summary: 'Takes back a request',
    path: '/services2/review/withdrawReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'withdraw', 'change')],
    input: z.strictObject({ ...one, comments: Comments }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /** Tells those whom a request waits for once more; at most every two hours. */
  remindReview: call({
    ...post,
    summary: 'Reminds those whom a request waits for',
    path: '/services2/review/remindReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'remind', 'change')],
    input: z.strictObject(one),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'duplicateOperation'],
  }),
  /** Ends what was approved, at once. */
  revokeReview: call({
    ...post,
    summary: 'Takes back an approval with all that it gave',
    path: '/services2/review/revokeReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'revoke', 'change')],
    input: z.strictObject({ ...one, comments: Comments }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /** Who decides in the caller's place for a time, about everything that waits for them; nobody where `userId` is 0. */
  setReviewStandIn: call({
    ...post,
    summary: 'Says who decides in the caller’s place while they are away',
    path: '/services2/review/setReviewStandIn',
    guard: accountHolder,
    input: z.strictObject({ userId: Id, from: Time.optional(), until: Time.optional() }),
    data: Nothing,
    codes: ['notFound'],
  }),
  getReviewStandIn: call({
    summary: 'Tells who decides in the caller’s place',
    kind: 'read',
    method: 'GET',
    path: '/services2/review/getReviewStandIn',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({ standIn: Person.extend({ from: Time, until: Time.nullable() }).nullable() }),
  }),
}

/** How lists of requests are asked for: pages of 30 unless said. */
export const reviewPage = {
  from: Count.default(0),
  rows: rows(30, 200),
  /** `open`: nobody has decided yet. */
  state: z.enum(['all', 'open', 'handled']).default('all'),
}

const Request = z.strictObject(requestFields)
export type RequestFacts = z.output<typeof Request>

/** A call that lists requests of a kind. */
export const requestList = <S extends z.ZodType>(request: S) =>
  ({
    kind: 'read',
    method: 'GET',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: accountHolder,
    input: z.strictObject(reviewPage),
    data: z.strictObject({ list: z.array(request), total: z.int() }),
  }) as const
/** A call that reads one. */
export const requestRead = {
  kind: 'read',
  method: 'GET',
  auth: 'required',
  payload: 'none',
  origin: 'ours',
  gate: ({ reviewId }: { reviewId: number }) => [on(reviewKind, reviewId, 'see')],
  input: z.strictObject(one),
  codes: ['notFound'],
} as const
/** A call that decides about one. */
export const decision = {
  ...post,
  gate: ({ reviewId }: { reviewId: number }) => [on(reviewKind, reviewId, 'decide', 'change')],
  input: z.strictObject({ ...one, comments: Comments }),
  data: Nothing,
  codes: ['notFound', 'noPermission', 'alreadyHandled'],
} as const

export const reviews = feature({
  about: { name: 'reviews', text: 'What somebody asks for and others decide' },
  calls: reviewCalls,
  objects: { review: reviewKind },
})
