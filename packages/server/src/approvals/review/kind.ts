/*
 * How a feature declares what is asked for and who decides. A kind says of a request what it is about, who is asked, and
 * what an approval does; everything else (rounds, stand-ins, handing on, reminding, taking back, who may know) is the
 * engine's (`engine.ts`). To add one:
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
 * and in its handlers `launch(context, downloadRequest, { … })` and `decide(context, downloadRequest, …)`. Its calls are
 * gated by `reviewKind` of the contract; its counter is `waitingFor('download')`; its lists start from `listReviews`.
 */
import type { Account } from '../../core/actor.ts'
import type { WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import type { NewEvent } from '../../core/events.ts'
import type { Settings } from '../../core/settings.ts'
import type { StoredState, Why } from './tables.ts'

/** Somebody who is asked, and why they. */
export interface Asked {
  readonly accountId: number
  readonly why: Why
}

/** One round: those who are asked at once. */
export interface Round {
  readonly who: readonly Asked[]
  /** How many of them have to approve: one for any, all of them for all. One rejection rejects the request. */
  readonly needed: number
}

/** What is asked for, of whom reviewers are sought. */
export interface Ask<S> {
  readonly tx: Tx
  readonly now: number
  readonly subject: S
  readonly itemId: number | null
  readonly launcherId: number
}

/** A request as its kind meets it. */
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

/** How a request was decided. */
export interface Outcome<D> {
  readonly approved: boolean
  /** The name of who decided. */
  readonly by: string
  readonly comments: string
  /** Undefined where it was rejected. */
  readonly decision: D | undefined
}

/** A kind of request. */
export interface ReviewKind<S = unknown, D = unknown> {
  readonly name: string
  /** Who is asked, one round after the other. */
  rounds(ask: Ask<S>): Promise<readonly Round[]>
  /** Whether somebody else may decide too, to whom it is handed on or who is added; everybody unless said. */
  mayDecide?(tx: Tx, review: Review<S>, account: Account, now: number): Promise<boolean>
  /**
   * Does what was approved, in the transaction of the last approval; `by` is who answers for it, also where somebody stood
   * in. Answers what was given, and when that ends by itself.
   */
  approved(
    context: WriteContext,
    review: Review<S>,
    decision: D,
    by: Account,
  ): Promise<{ readonly decision: D; readonly endsAt: number | null }>
  rejected?(context: WriteContext, review: Review<S>): Promise<void>
  withdrawn?(context: WriteContext, review: Review<S>): Promise<void>
  /** Takes back what was given. */
  revoked(context: WriteContext, review: Review<S>, settings: Settings): Promise<void>
  /** Tells those whom it waits for; `isReminder` where it waits for them already. */
  asks(review: Review<S>, people: readonly number[], isReminder?: boolean): readonly NewEvent[]
  /** Tells who asked. */
  answers(review: Review<S>, outcome: Outcome<D>, now: number): readonly NewEvent[]
  /** Tells who asked that the time has come before which they hoped for an answer, and that there is none. */
  late(review: Review<S>, now: number): readonly NewEvent[]
}

const kinds = new Map<string, ReviewKind>()

/** Declares a kind of request. */
export function reviewKind<S, D>(declaration: ReviewKind<S, D>): ReviewKind<S, D> {
  if (kinds.has(declaration.name)) throw new Error(`the kind of review ${declaration.name} is declared twice`)
  kinds.set(declaration.name, declaration)
  return declaration
}

/** The kind of a request that is kept. */
export function kindNamed(name: string): ReviewKind {
  const kind = kinds.get(name)
  if (kind === undefined) throw new Error(`nobody declares the kind of review ${name}`)
  return kind
}
