// Feature: applications for downloads and links.
import { features } from '@cloudoc/contract'
import { ApplyState } from '@cloudoc/domain'
import { sql } from 'kysely'
import { writeEvents } from '../../core/events.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import type { Services } from '../../core/services.ts'
import { endExpiredGrants, grantApplications } from '../../drive/downloads/index.ts'
import { applicants } from '../../drive/watermarks/index.ts'
import { type Review, readReview, reviewKinds, reviewObjects, waitingFor } from '../review/index.ts'
import { applicantOf } from './applicant.ts'
import { applicationHandlers } from './index.ts'
import { downloadApplication, downloadApplyName, type RequestedDownload, toLauncher } from './kind.ts'
import { applicationTables } from './tables.ts'

const minuteMs = 60_000

export const applications = feature({
  wire: features.applications,
  tables: applicationTables,
  checks: [
    {
      says: 'an approved application has granted its downloads, and no other application has',
      broken: sql`
        select 'review ' || r.id as what from review r
        where r.kind = ${sql.lit(downloadApplyName)} and r.state = 'approved' and not exists (
          select 1 from download_grant g where g.review_id = r.id)
          and exists (select 1 from application_item a join item i on i.id = a.item_id
            where a.review_id = r.id and a.result = 'approved' and i.deleted_at is null and not i.purged)
        union all
        select 'grant ' || g.id from download_grant g join review r on r.id = g.review_id
        where g.ended_at is null and (r.state <> 'approved' or g.ends_at is distinct from r.ends_at)`,
    },
    {
      says: 'an item shows whether an application granted downloads of it',
      broken: sql`
        select 'item ' || i.id as what from item i
        where i.granted <> exists (select 1 from download_grant g where g.item_id = i.id and g.ended_at is null)`,
    },
    {
      says: 'the downloads by a grant are those that were delivered',
      broken: sql`
        select 'grant ' || g.id as what from download_grant g
        where g.used <> (select count(*) from download_delivery d where d.grant_id = g.id)`,
    },
  ],
  open: (services) => ({
    handlers: applicationHandlers(services),
    contributions: [
      contribute(reviewKinds, downloadApplication),
      contribute(applicants, applicantOf(services)),
      contribute(
        grantApplications,
        async (db, actor, ids) => new Set([...(await reviewObjects(services).load(db, actor, ids)).keys()].map(Number)),
      ),
    ],
    counters: { downloadApplyReview: waitingFor(downloadApplyName) },
    chores: [
      {
        name: 'downloads granted by applications that are over',
        everyMs: minuteMs,
        run: () => endExpired(services, services.now()),
      },
    ],
  }),
})

/** Ends grants whose time is over and notifies the applicants. Returns whether there may be more. */
export async function endExpired({ db }: Pick<Services, 'db'>, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { reviewIds, isMore } = await endExpiredGrants(tx, now)
    for (const id of reviewIds) {
      const review = (await readReview(tx, id)) as Review<RequestedDownload>
      if (review.state !== 'approved') continue
      await writeEvents(tx, [toLauncher(review, { nodeState: ApplyState.over, reason: 'expired' })], now)
    }
    return isMore
  })
}
