/*
 * How a feature declares a kind of request and its reviewers. A kind defines its subject, its reviewers and the effect
 * of an approval. Everything else (rounds, stand-ins, handing on, reminders, revocation, visibility) is done by the
 * engine (`engine.ts`). To add one:
 *
 *   export const downloadRequest = reviewKind<{ fileIds: number[] }, object>({
 *     name: 'download',
 *     rounds: async (ask) => [{ who: await reviewersBy(ask, [{ by: 'managers' }]), needed: 1 }],
 *     async approved(context, review) { …what the approval gives, in the transaction of the decision… },
 *     async rejected() {},
 *     async revoked(context, review) { …takes it back… },
 *     asks: (review, people) => [personal('downloadApply', people, …)],
 *     answers: (review, outcome) => [personal('downloadReply', [review.launcher.accountId], …)],
 *     late: (review) => [personal('downloadReply', [review.launcher.accountId], …)],
 *   })
 *
 * in its feature `contributions: [contribute(reviewKinds, downloadRequest)]`, and in its handlers
 * `launch(context, downloadRequest, { … })` and `decide(context, downloadRequest, …)`. Its calls are gated by
 * `reviewKind` of the contract; its counter is `waitingFor('download')`; its lists start from `listReviews`.
 */
import type { Account } from '../../core/actor.ts'
import type { WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import type { NewEvent } from '../../core/events.ts'
import { extensionPoint } from '../../core/extension-points.ts'
import type { Services } from '../../core/services.ts'
import type { Settings } from '../../core/settings.ts'
import type { StoredState, Why } from './tables.ts'

/** A reviewer, and why they are asked. */
export interface Asked {
  readonly accountId: number
  readonly why: Why
}

/** One round: reviewers who are asked at the same time. */
export interface Round {
  readonly who: readonly Asked[]
  /** Number of required approvals: one for any, all of them for all. One rejection rejects the request. */
  readonly needed: number
}

/** The request data that reviewers are determined by. */
export interface Ask<S> {
  readonly tx: Tx
  readonly now: number
  readonly subject: S
  readonly itemId: number | null
  readonly launcherId: number
}

/** A request as passed to its kind. */
export interface Review<S = unknown> {
  readonly id: number
  readonly kind: string
  readonly state: StoredState
  readonly launcher: { readonly accountId: number; readonly name: string }
  readonly itemId: number | null
  readonly title: string
  readonly subject: S
  readonly comments: string
  readonly createdAt: number
}

/** The decision on a request. */
export interface Outcome<D> {
  readonly approved: boolean
  /** The name of the reviewer. */
  readonly by: string
  readonly comments: string
  /** Undefined if it was rejected. */
  readonly decision: D | undefined
}

/** A kind of request. */
export interface ReviewKind<S = unknown, D = unknown> {
  readonly name: string
  /** Nobody asked for it: the launcher can neither withdraw it nor take it along when they leave. */
  readonly isImposed?: boolean
  /** Whoever supervises the downloads and links of all users may read it, without deciding. */
  readonly isSupervised?: boolean
  /** The reviewers, round by round. */
  rounds(ask: Ask<S>): Promise<readonly Round[]>
  /** Whether another user may decide, to whom the request is handed on or who is added; by default everybody. */
  mayDecide?(tx: Tx, review: Review<S>, account: Account, now: number): Promise<boolean>
  /**
   * Applies the approval, in the transaction of the last one. `by` is the responsible reviewer, even if a stand-in
   * decided. Returns what was granted, and when it ends by itself.
   */
  approved(
    context: WriteContext,
    review: Review<S>,
    decision: D,
    by: Account,
  ): Promise<{ readonly decision: D; readonly endsAt: number | null }>
  rejected?(context: WriteContext, review: Review<S>): Promise<void>
  /** Ends what was requested, if the deadline rejects the request instead of a reviewer. */
  lapsed?(tx: Tx, review: Review<S>): Promise<void>
  withdrawn?(context: WriteContext, review: Review<S>): Promise<void>
  /** Revokes what was granted. */
  revoked(context: WriteContext, review: Review<S>, settings: Settings): Promise<void>
  /** Notifies the reviewers; `isReminder` if they were notified before. */
  asks(review: Review<S>, people: readonly number[], isReminder?: boolean): readonly NewEvent[]
  /** Notifies the requester. */
  answers(review: Review<S>, outcome: Outcome<D>, now: number): readonly NewEvent[]
  /** What happens at the deadline if nobody has decided; by default the request goes on waiting. */
  atDeadline?(review: Review<S>): 'wait' | 'reject' | 'managers'
  /** Notifies the requester that the deadline has passed without an answer. */
  late(review: Review<S>, now: number): readonly NewEvent[]
}

/** Declares a kind of request. */
export function reviewKind<S, D>(declaration: ReviewKind<S, D>): ReviewKind<S, D> {
  return declaration
}

/** The kinds of requests: features contribute those that they declare. */
export const reviewKinds = extensionPoint<ReviewKind>('kinds of reviews')

/** Returns the kind of a stored request by its name. */
export type KindOf = (name: string) => ReviewKind

/** Returns the lookup of the kinds that the features contribute. */
export function kindsOf({ contributed }: Pick<Services, 'contributed'>): KindOf {
  return (name) => {
    const [kind, second] = contributed(reviewKinds).filter((one) => one.name === name)
    if (kind === undefined) throw new Error(`no feature declares the kind of review ${name}`)
    if (second !== undefined) throw new Error(`the kind of review ${name} is declared twice`)
    return kind
  }
}
