// The feature of download limits.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { downloadLimitHandlers, removeExpiredDownloads } from './index.ts'
import { downloadTables } from './tables.ts'

const forgetEveryMs = 60 * 60_000

export const downloadLimits = feature({
  wire: features.downloadLimits,
  tables: downloadTables,
  open: ({ db, now }) => ({
    handlers: downloadLimitHandlers(),
    chores: [
      { name: 'downloads begun long ago', everyMs: forgetEveryMs, run: () => removeExpiredDownloads(db, now()) },
    ],
  }),
})
