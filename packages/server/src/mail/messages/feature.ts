// The feature of fetched mails.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { enqueueDue, fetchJob } from './fetch.ts'
import { mailHandlers, mailObjects } from './index.ts'
import { mailTables } from './tables.ts'

const dueEveryMs = 5000

export const mails = feature({
  wire: features.mails,
  tables: mailTables,
  open: (services) => ({
    handlers: mailHandlers({ ...services, contents: createCheckedContents(services) }),
    objects: [mailObjects],
    jobs: [fetchJob(services)],
    chores: [
      {
        name: 'mailboxes that are due',
        everyMs: dueEveryMs,
        everywhere: true,
        run: async () => (await enqueueDue(services.db, services.now(), services.present())) > 0,
      },
    ],
  }),
})
