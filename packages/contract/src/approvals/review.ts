/*
 * Reviews: requests that other users decide. Each kind (rights, downloads, links, …) has its own calls to request and
 * to decide, as named in the spec. This file contains what all kinds share: the history of a request, its pending
 * reviewers, delegating, adding a reviewer, reminding and withdrawing.
 */
import { all, any, fact } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, objectKind, on, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, pageOf, Time, text } from '../fields.ts'

/** State of a request. `over`: the approval has expired by itself. */
export const ReviewState = z.enum(['pending', 'approved', 'rejected', 'withdrawn', 'revoked', 'over'])
export type ReviewState = z.output<typeof ReviewState>

/** The facts of a request as seen by one user: its requester or one of its reviewers. */
export interface FactsOfReview {
  readonly state: ReviewState
  readonly isLauncher: boolean
  /** The request waits for this user, or for a user for whom they are the stand-in. */
  readonly isAwaited: boolean
  /** The user is or was a reviewer of the request. */
  readonly isReviewer: boolean
}

const pending = fact<FactsOfReview>('pending', ({ state }) => state === 'pending', 'alreadyHandled')
const approved = fact<FactsOfReview>('approved', ({ state }) => state === 'approved', 'alreadyHandled')
const launcher = fact<FactsOfReview>('who asked', ({ isLauncher }) => isLauncher)
const reviewer = fact<FactsOfReview>('who was asked', ({ isReviewer }) => isReviewer)
const open = fact<FactsOfReview>(
  'pending or approved',
  ({ state }) => state === 'pending' || state === 'approved',
  'alreadyHandled',
)
const over = fact<FactsOfReview>('over', ({ state }) => state !== 'pending' && state !== 'approved')
// No user decides about their own request, not even as a stand-in.
const awaited = fact<FactsOfReview>('who it waits for', ({ isAwaited, isLauncher }) => isAwaited && !isLauncher)

/** Requests under review. A request does not exist for users who are neither its requester nor one of its reviewers. */
export const reviewKind = objectKind<
  FactsOfReview,
  'see' | 'decide' | 'withdraw' | 'remind' | 'revoke' | 'end' | 'remove'
>('review', {
  see: fact('known to the person', () => true),
  decide: all(pending, awaited),
  withdraw: all(launcher, pending),
  remind: all(launcher, pending),
  revoke: all(reviewer, approved),
  /** Withdraws, gives back or revokes: whatever the user may do to end the request. */
  end: all(open, any(launcher, all(reviewer, approved))),
  /** Removes it from the user's lists. */
  remove: over,
})

export const Comments = text(1000).default('')
const one = { reviewId: Id }

export const Person = z.strictObject({ userId: z.int(), accountName: z.string() })

/** The kinds of requests whose approvers the administration shows. */
export const approverKinds = ['rights', 'downloads', 'operations', 'sensitive', 'exchange'] as const
export type ApproverKind = (typeof approverKinds)[number]

/** The fields shared by requests of all kinds. */
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

/** The progress of a request: all reviewers, round by round, and the history of all actions. */
export const ReviewProgress = z.strictObject({
  reviewId: z.int(),
  kind: z.string(),
  state: ReviewState,
  launcher: Person,
  createTime: Time,
  /** Date by which the requester hopes for an answer. */
  handleBefore: Time.nullable(),
  /** Index of the current round, from 0; equals the number of rounds once all are finished. */
  round: z.int(),
  rounds: z.array(
    z.strictObject({
      /** Number of approvals required. */
      needed: z.int(),
      reviewers: z.array(
        z.strictObject({
          ...Person.shape,
          why: z.enum(['owner', 'manager', 'named', 'role', 'handedOn', 'added', 'later']),
          /** The current stand-in of this reviewer. */
          standIn: Person.optional(),
          answer: z.enum(['approved', 'rejected', 'handedOn']).nullable(),
          /** The user who answered as stand-in for this reviewer. */
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
      /** Absent for actions triggered by a deadline. */
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
    sample: (ids) => ({ reviewId: ids.authorizationId }),
    data: ReviewProgress,
    codes: ['notFound'],
  }),
  /** Delegates the decision to another reviewer instead of the caller. */
  handOnReview: call({
    ...post,
    summary: 'Hands a request on to somebody else',
    title: { zh: '转交申请', en: 'Request handed on' },
    log: 'none',
    audits: ['userId'],
    path: '/services2/review/handOnReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'decide', 'change')],
    input: z.strictObject({ ...one, userId: Id, comments: Comments }),
    sample: (ids) => ({ reviewId: ids.authorizationId, userId: ids.userId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /** Adds another reviewer beside the caller. */
  addReviewer: call({
    ...post,
    summary: 'Asks somebody else beside those who are asked',
    title: { zh: '增加审批人', en: 'Reviewer added' },
    log: 'none',
    audits: ['userId'],
    path: '/services2/review/addReviewer',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'decide', 'change')],
    input: z.strictObject({ ...one, userId: Id, comments: Comments }),
    sample: (ids) => ({ reviewId: ids.authorizationId, userId: ids.userId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /** Withdraws a request that nobody has decided yet. */
  withdrawReview: call({
    ...post,
    summary: 'Takes back a request',
    title: { zh: '撤回申请', en: 'Request withdrawn' },
    log: 'none',
    path: '/services2/review/withdrawReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'withdraw', 'change')],
    input: z.strictObject({ ...one, comments: Comments }),
    sample: (ids) => ({ reviewId: ids.authorizationId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /** Notifies the pending reviewers again; at most once every two hours. */
  remindReview: call({
    ...post,
    summary: 'Reminds those whom a request waits for',
    title: { zh: '提醒审批人', en: 'Reviewers reminded' },
    log: 'none',
    path: '/services2/review/remindReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'remind', 'change')],
    input: z.strictObject(one),
    sample: (ids) => ({ reviewId: ids.authorizationId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'duplicateOperation'],
  }),
  /** Revokes an approval immediately. */
  revokeReview: call({
    ...post,
    summary: 'Takes back an approval with all that it gave',
    title: { zh: '撤销批准', en: 'Approval taken back' },
    log: 'none',
    path: '/services2/review/revokeReview',
    gate: ({ reviewId }) => [on(reviewKind, reviewId, 'revoke', 'change')],
    input: z.strictObject({ ...one, comments: Comments }),
    sample: (ids) => ({ reviewId: ids.authorizationId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  /**
   * Sets the stand-in who decides everything that waits for the caller, for a period; `userId` 0 removes the stand-in.
   */
  setReviewStandIn: call({
    ...post,
    summary: 'Says who decides in the caller’s place while they are away',
    title: { zh: '设置代理人', en: 'Stand-in set' },
    audits: ['userId'],
    path: '/services2/review/setReviewStandIn',
    guard: accountHolder,
    input: z.strictObject({ userId: Id, from: Time.optional(), until: Time.optional() }),
    sample: (ids) => ({ userId: ids.userId }),
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

/** The people who decide, of every kind of request, for the administration. */
const approverCalls = {
  getApprovers: call({
    summary: 'Tells who decides requests of every kind, for whom it waits, and who stands in',
    kind: 'read',
    method: 'GET',
    path: '/services2/review/getApprovers',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: securityAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      rules: z
        .array(
          z.strictObject({
            kind: z.enum(approverKinds),
            name: z.string().describe('The name of the rule; empty: it has none.'),
            by: z.enum(['people', 'role', 'managers', 'owner', 'superior', 'security']),
            people: z.array(Person),
            roles: z.array(z.string()),
          }),
        )
        .describe('Who decides, by the rules of each kind.'),
      list: z
        .array(
          Person.extend({
            groupName: z.string(),
            waiting: z.int(),
            oldestTime: Time.describe('Since when the oldest request waits; 0: none does.'),
            standIn: Person.extend({ from: Time, until: Time.nullable() }).nullable(),
          }),
        )
        .describe('For whom requests wait, and who has a stand-in.'),
    }),
  }),
  setStandInOf: call({
    ...post,
    summary: 'Says who decides in the place of somebody who is away',
    title: { zh: '为他人设置代理人', en: 'Stand-in of somebody set' },
    audits: ['userId'],
    path: '/services2/review/setStandInOf',
    guard: securityAdministrator,
    input: z.strictObject({
      userId: Id,
      standInId: Id.describe('Who decides in their place; 0: nobody.'),
      from: Time.optional().describe('Since when; left out: now.'),
      until: Time.optional().describe('Until when; left out: until it is ended.'),
    }),
    sample: (ids) => ({ userId: ids.userId, standInId: ids.successorId }),
    data: Nothing,
    codes: ['notFound'],
  }),
}

/** Paging of request lists: 30 per page by default. */
export const reviewPage = {
  ...pageOf(30, 200),
  /** `open`: not decided yet. */
  state: z.enum(['all', 'open', 'handled']).default('all'),
}

const Request = z.strictObject(requestFields)
export type RequestFacts = z.output<typeof Request>

/** Declares a call that lists requests of a kind. */
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
/** Shared fields of a call that reads one request. */
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
/** Shared fields of a call that decides one request. */
export const decision = {
  ...post,
  gate: ({ reviewId }: { reviewId: number }) => [on(reviewKind, reviewId, 'decide', 'change')],
  input: z.strictObject({ ...one, comments: Comments }),
  data: Nothing,
  codes: ['notFound', 'noPermission', 'alreadyHandled'],
} as const

export const reviews = feature({
  about: { name: 'reviews', text: 'What somebody asks for and others decide' },
  calls: { ...reviewCalls, ...approverCalls },
  objects: { review: reviewKind },
})
