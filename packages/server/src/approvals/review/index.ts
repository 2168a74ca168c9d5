// Reviews: what somebody asks for and others decide. A kind is declared by `reviewKind` (kind.ts says how).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { askAnother, remind, remindEveryMs, revoke, withdraw } from './engine.ts'
import { reviewObjects, wayOf } from './read.ts'

export { type Answer, askWhoIsLeft, decide, type Launch, launch, readReview, withdraw } from './engine.ts'
export { type Ask, type Asked, type Outcome, type Review, type ReviewKind, type Round, reviewKind } from './kind.ts'
export { type Listed, listReviews, waitingFor } from './read.ts'
export { ableOf, type ReviewerRule, reviewersBy } from './reviewers.ts'

/** The handlers of what all kinds of requests have in common. */
export function reviewHandlers({ settings, now: clock }: Pick<Services, 'settings' | 'now'>) {
  const objects = reviewObjects(clock)
  return implement(features.reviews.calls, {
    getReviewWay: (context, { reviewId }) =>
      wayOf(context.db, reviewId, context.object(objects, reviewId).facts, context.now),

    async handOnReview(context, { reviewId, ...to }) {
      await askAnother(context, settings, reviewId, 'handedOn', to)
      return {}
    },

    async addReviewer(context, { reviewId, ...to }) {
      await askAnother(context, settings, reviewId, 'added', to)
      return {}
    },

    async withdrawReview(context, { reviewId, comments }) {
      await withdraw(context, reviewId, comments)
      return {}
    },

    async remindReview(context, { reviewId }) {
      const { tx, now } = context
      const { rows } = await sql`
        select 1 from review where id = ${reviewId}
          and greatest(reminded_at, created_at) > ${now - remindEveryMs}`.execute(tx)
      if (rows.length > 0) return fail('duplicateOperation', 'at most every two hours')
      for (const event of await remind(tx, reviewId, now, actorOf(context).accountId)) context.event(event)
      return {}
    },

    async revokeReview(context, { reviewId, comments }) {
      await revoke(context, settings, reviewId, comments)
      return {}
    },

    async setReviewStandIn(context, { userId, from, until }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const begins = from ?? now
      if (userId === accountId) return fail('badRequest', 'userId')
      if (until !== undefined && until <= Math.max(begins, now)) return fail('badRequest', 'until')
      await tx.deleteFrom('review_stand_in').where('account_id', '=', accountId).execute()
      if (userId === 0) return {}
      const { rows } = await sql`select 1 from account where id = ${userId} and state = 'normal'`.execute(tx)
      if (rows.length === 0) return fail('notFound', 'userId')
      await tx
        .insertInto('review_stand_in')
        .values({ account_id: accountId, stand_in_id: userId, from_at: begins, until_at: until ?? null })
        .execute()
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
