// Feature: web push.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { enqueuePushes } from './due.ts'
import { webPushHandlers } from './index.ts'
import { pushJob } from './send.ts'
import { webPushTables } from './tables.ts'

const checkEveryMs = 2000

export const webPush = feature({
  wire: features.webPush,
  tables: webPushTables,
  open: (services) => ({
    handlers: webPushHandlers(services),
    jobs: [pushJob(services)],
    chores: [{ name: 'web push', everyMs: checkEveryMs, run: () => enqueuePushes(services, services.now()) }],
  }),
})
