// Feature: bundles of the exchange, for networks without a wire.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { bundleHandlers } from './index.ts'
import { endExpiredBundles } from './send.ts'
import { bundleTables } from './tables.ts'

const hourMs = 60 * 60_000

export const exchangeBundles = feature({
  wire: features.exchangeBundles,
  tables: bundleTables,
  checks: [
    {
      says: 'the bundles for a network are numbered without gaps',
      broken: sql`
        select 'network ' || n.code as what from exchange_network n
        where n.bundles <> (select count(*) from exchange_bundle b where b.network_code = n.code)`,
    },
  ],
  open: (services) => ({
    handlers: bundleHandlers(services, createCheckedContents(services)),
    chores: [
      {
        name: 'bundles that were not answered in time',
        everyMs: hourMs,
        run: () => endExpiredBundles(services.db, services.now()),
      },
    ],
  }),
})
