// Feature: requests for more downloads per day.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { reviewKinds, waitingFor } from '../review/index.ts'
import { downloadApprovalHandlers } from './index.ts'
import { moreDownloads, moreDownloadsName } from './kind.ts'

export const downloadApprovals = feature({
  wire: features.downloadApprovals,
  checks: [
    {
      says: 'what somebody may download beside their limit of a day was approved for that day',
      broken: sql`
        select 'account ' || d.account_id || ' on ' || d.day as what from download_day d
        where d.more <> coalesce((
          select sum((r.decision->>'count')::int) from review r
          where r.kind = ${sql.lit(moreDownloadsName)} and r.launcher_id = d.account_id and r.state = 'approved'
            and r.decision->>'day' = d.day), 0)`,
    },
  ],
  open: (services) => ({
    handlers: downloadApprovalHandlers(services),
    contributions: [contribute(reviewKinds, moreDownloads)],
    counters: { downloadReview: waitingFor(moreDownloadsName) },
  }),
})
