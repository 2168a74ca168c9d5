// The notification centre as a feature.
import { features } from '@cloudoc/contract'
import { feature } from '../feature.ts'
import { noticeHandlers, readAudience, removeExpiredNotices } from './index.ts'
import { noticeTables } from './tables.ts'

const tidyEveryMs = 10 * 60_000

export const notices = feature({
  wire: features.notices,
  tables: noticeTables,
  open: (services) => ({
    handlers: noticeHandlers(services),
    audiences: { 'notice.read': readAudience },
    chores: [
      {
        name: 'old notices',
        everyMs: tidyEveryMs,
        run: () => removeExpiredNotices(services.db, services.now()),
      },
    ],
  }),
})
