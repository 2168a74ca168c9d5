// The feature of mails that people write.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { deliverJob, enqueueSending, outgoingHandlers, outgoingObjects } from './index.ts'
import { outgoingTables } from './tables.ts'

const dueEveryMs = 1000

export const outgoingMails = feature({
  wire: features.outgoingMails,
  tables: outgoingTables,
  open: (services) => ({
    handlers: outgoingHandlers(services.blobs),
    objects: [outgoingObjects],
    jobs: [deliverJob({ ...services, contents: createCheckedContents(services) })],
    chores: [
      {
        name: 'mails whose time has come',
        everyMs: dueEveryMs,
        run: () => enqueueSending(services.db, services.now()),
      },
    ],
  }),
})
