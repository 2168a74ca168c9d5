// The feature of mails that people write.
import { features } from '@cloudoc/contract'
import { createContentCheck } from '../../approvals/sensitive/index.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { accessSources } from '../../drive/rights/index.ts'
import { mailAccessRecords } from './access-records.ts'
import { deliverJob, enqueueSending, outgoingHandlers, outgoingObjects } from './index.ts'
import { outgoingTables } from './tables.ts'

const dueEveryMs = 1000

export const outgoingMails = feature({
  wire: features.outgoingMails,
  tables: outgoingTables,
  open(services) {
    const contents = createCheckedContents(services)
    const isSensitive = createContentCheck(services, contents)
    return {
      contributions: [contribute(accessSources, mailAccessRecords)],
      handlers: outgoingHandlers(services.blobs, isSensitive),
      objects: [outgoingObjects],
      jobs: [deliverJob({ ...services, contents, isSensitive })],
      chores: [
        {
          name: 'mails whose time has come',
          everyMs: dueEveryMs,
          run: () => enqueueSending(services.db, services.now()),
        },
      ],
    }
  },
})
