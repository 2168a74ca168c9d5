// The feature of fetched mails.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { recordFields } from '../../drive/tree/index.ts'
import { enqueueDue, fetchJob } from './fetch.ts'
import { mailHandlers, mailObjects } from './index.ts'
import { createLiveBoxes } from './live-boxes.ts'
import { mailsOfItems } from './mail-of-items.ts'
import { mailTables } from './tables.ts'

const dueEveryMs = 5000

export const mails = feature({
  wire: features.mails,
  tables: mailTables,
  open(services) {
    const live = createLiveBoxes(services)
    return {
      handlers: mailHandlers({ ...services, contents: createCheckedContents(services) }),
      objects: [mailObjects],
      contributions: [contribute(recordFields, mailsOfItems)],
      jobs: [fetchJob({ ...services, live })],
      chores: [
        {
          name: 'mailboxes that are due',
          everyMs: dueEveryMs,
          everywhere: true,
          run: async () => (await enqueueDue(services.db, services.now(), services.present())) > 0,
        },
        {
          name: 'mailboxes whose servers announce mail',
          everyMs: dueEveryMs,
          everywhere: true,
          run: (signal) => live.run(signal),
        },
      ],
    }
  },
})
