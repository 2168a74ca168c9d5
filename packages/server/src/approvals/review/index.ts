// Reviews: requests on which other users decide. A kind is declared by `reviewKind` and contributed by its feature
// (see kind.ts).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { approverHandlers, setStandIn } from './approvers.ts'
import { askAnother, remind, remindEveryMs, revoke, withdraw } from './engine.ts'
import { kindsOf } from './kind.ts'
import { reviewObjects, reviewProgress } from './read.ts'

export { type ApproverRule, approverSources } from './approvers.ts'
export {
  type Answer,
  closeReview,
  decide,
  type Launch,
  launch,
  launchApproved,
  launchFor,
  readReview,
  reassignReviews,
  revoke,
  withdraw,
} from './engine.ts'
export {
  type Ask,
  type Asked,
  kindsOf,
  type Outcome,
  type Review,
  type ReviewKind,
  type Round,
  reviewKind,
  reviewKinds,
} from './kind.ts'
export {
  countReviews,
  currentStandIns,
  hideReview,
  type Listed,
  type ListQuery,
  listReviews,
  mayAnswerFor,
  representedAccounts,
  reviewObjects,
  reviewProgress,
  reviewSummary,
  standInsOf,
  waitingFor,
} from './read.ts'
export { requestItem } from './request-item.ts'
export { ableOf, type ReviewerRule, reviewersBy } from './reviewers.ts'

/** The handlers common to all kinds of requests. */
export function reviewHandlers(services: Pick<Services, 'settings' | 'now' | 'contributed'>) {
  const { settings } = services
  const kindOf = kindsOf(services)
  const reviewing = { settings, kindOf }
  const objects = reviewObjects(services)
  return implement(features.reviews.calls, {
    ...approverHandlers(services.contributed),

    getReviewWay: (context, { reviewId }) =>
      reviewProgress(context.db, reviewId, context.object(objects, reviewId).facts, context.now),

    async handOnReview(context, { reviewId, ...to }) {
      await askAnother(context, reviewing, reviewId, 'handedOn', to)
      return {}
    },

    async addReviewer(context, { reviewId, ...to }) {
      await askAnother(context, reviewing, reviewId, 'added', to)
      return {}
    },

    async withdrawReview(context, { reviewId, comments }) {
      await withdraw(context, kindOf, reviewId, comments)
      return {}
    },

    async remindReview(context, { reviewId }) {
      const { tx, now } = context
      const { rows } = await sql`
        select 1 from review where id = ${reviewId}
          and greatest(reminded_at, created_at) > ${now - remindEveryMs}`.execute(tx)
      if (rows.length > 0) return fail('duplicateOperation', 'at most every two hours')
      for (const event of await remind(tx, kindOf, reviewId, now, actorOf(context).accountId)) context.event(event)
      return {}
    },

    async revokeReview(context, { reviewId, comments }) {
      await revoke(context, reviewing, reviewId, comments)
      return {}
    },

    async setReviewStandIn(context, { userId, from, until }) {
      await setStandIn(context, actorOf(context).accountId, { standInId: userId, from, until })
      return {}
    },

    async getReviewStandIn(context) {
      const { rows } = await sql<{ userId: number; accountName: string; from: number; until: number | null }>`
        select a.id as "userId", a.name as "accountName", s.from_at as "from", s.until_at as "until"
        from review_stand_in s join account a on a.id = s.stand_in_id
        where s.account_id = ${actorOf(context).accountId} and (s.until_at is null or s.until_at > ${context.now})`.execute(
        context.db,
      )
      return { standIn: rows[0] ?? null }
    },
  })
}
