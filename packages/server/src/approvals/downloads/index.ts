// Requesting more downloads per day, and deciding on the requests ([R284]).
import { type DownloadApplication, features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { todayOf } from '../../drive/downloads/index.ts'
import { decide, type Listed, type ListQuery, launch, listReviews, readReview, reviewSummary } from '../review/index.ts'
import { type GrantedDownloads, moreDownloads, moreDownloadsName, type RequestedDownloads, roundsOf } from './kind.ts'

/** The handlers of requests for more downloads. */
export function downloadApprovalHandlers({ settings }: Pick<Services, 'settings'>) {
  const listOf = async (context: Context, query: Pick<ListQuery, 'side' | 'state' | 'from' | 'rows' | 'id'>) => {
    const { db, now } = context
    const { accountId } = actorOf(context)
    const { list, total } = await listReviews(db, { ...query, kind: moreDownloadsName, accountId, now })
    return { list: list.map(toApplication), total }
  }

  return implement(features.downloadApprovals.calls, {
    async getMoreDownloadsTerms(context) {
      const { db, now } = context
      const { accountId } = actorOf(context)
      // Only reads, so no transaction is needed.
      const [round] = await roundsOf({ tx: db as Tx, now, itemId: null, launcherId: accountId })
      const { rows: reviewers } = await sql<{ userId: number; accountName: string }>`
        select id as "userId", name as "accountName" from account
        where id = any(${(round?.who ?? []).map((one) => one.accountId)}) order by id`.execute(db)
      const pending = await sql<{ id: number }>`
        select id from review
        where kind = ${moreDownloadsName} and launcher_id = ${accountId} and state = 'pending'`.execute(db)
      return { reviewers, pendingId: pending.rows[0]?.id ?? null }
    },

    async moreDownloadsApply(context, { count, comments }) {
      const { tx, now } = context
      const today = await todayOf(tx, actorOf(context), now)
      if (today.limit === 0)
        return fail('duplicateOperation', { zh: '你的下载次数不受限制', en: 'the caller may download without a limit' })
      const reviewId = await launch(context, moreDownloads, {
        ...{ itemId: null, title: '', key: 'today', comments, handleBefore: null },
        subject: { count, taken: today.count, limit: today.limit },
      })
      context.audit({ reviewId, count })
      return { reviewId }
    },

    async moreDownloadsApprove(context, { reviewId, comments, count }) {
      const { kind, subject } = await readReview(context.tx, reviewId)
      if (kind !== moreDownloadsName) return fail('notFound')
      const given = count ?? (subject as RequestedDownloads).count
      await decide(context, settings, moreDownloads, reviewId, {
        ...{ approve: true, comments, decision: { count: given, day: '' } },
      })
      context.audit({ reviewId, count: given })
      return {}
    },

    async moreDownloadsReject(context, { reviewId, comments }) {
      await decide(context, settings, moreDownloads, reviewId, { approve: false, comments })
      context.audit({ reviewId })
      return {}
    },

    async getMoreDownloads(context, { reviewId }) {
      const { list } = await listOf(context, { side: 'asked', state: 'all', from: 0, rows: 1, id: reviewId })
      return list[0] ?? fail('notFound')
    },
    getMoreDownloadsList: (context, page) => listOf(context, { ...page, side: 'launched' }),
    getMoreDownloadsReviewList: (context, page) => listOf(context, { ...page, side: 'asked' }),
  })
}

function toApplication(one: Listed): DownloadApplication {
  const { count, taken, limit } = one.subject as RequestedDownloads
  const isGiven = one.state === 'approved' || one.state === 'over'
  const given = isGiven ? ((one.decision as GrantedDownloads | null)?.count ?? 0) : 0
  return { ...reviewSummary(one), count, taken, limit, given }
}
