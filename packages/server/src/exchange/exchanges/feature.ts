// Feature: exchange of files across networks.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { reviewKinds, waitingFor } from '../../approvals/review/index.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { accessSources } from '../../drive/rights/index.ts'
import { exchangeAccessRecords } from './access-records.ts'
import { expireArrivals } from './arrivals.ts'
import { askStates, deliveryJobs } from './deliver.ts'
import { exchangeHandlers, receivedObjects } from './index.ts'
import { exchangeReview, exchangeReviewName } from './kind.ts'
import { receivedWaiting } from './read.ts'
import { exchangeTables } from './tables.ts'

const minuteMs = 60_000

export const exchange = feature({
  wire: features.exchange,
  tables: exchangeTables,
  checks: [
    {
      says: 'nothing leaves without an approval',
      broken: sql`
        select 'exchange ' || e.review_id as what from exchange e join review r on r.id = e.review_id
        where (e.delivery is not null and r.state <> 'approved')
          or (e.delivered_at is not null and r.state not in ('approved', 'revoked'))`,
    },
    {
      says: 'what was received and not picked up has all its contents',
      broken: sql`
        select 'received ' || r.id as what from exchange_received r join exchange_arrival a on a.id = r.arrival_id
        where r.state = 'waiting' and (select count(*) from exchange_arrival_content c where c.arrival_id = a.id) <> (
          select count(distinct f->>'sha256') from jsonb_array_elements(a.manifest->'files') f)`,
    },
  ],
  open(services) {
    const { db, now } = services
    const parts = { ...services, contents: createCheckedContents(services) }
    return {
      handlers: exchangeHandlers(services),
      objects: [receivedObjects(now)],
      contributions: [contribute(reviewKinds, exchangeReview), contribute(accessSources, exchangeAccessRecords)],
      counters: {
        exchangeReview: waitingFor(exchangeReviewName),
        exchangeReceive: (tx, actor, at) => receivedWaiting(tx, actor.accountId, at),
      },
      jobs: deliveryJobs(parts),
      chores: [
        {
          name: 'what was received and not picked up in time',
          everyMs: minuteMs,
          run: () => db.transaction().execute((tx) => expireArrivals(tx, now())),
        },
        {
          name: 'what was picked up on other servers',
          everyMs: minuteMs,
          run: (signal) => askStates(parts, signal),
        },
      ],
    }
  },
})
