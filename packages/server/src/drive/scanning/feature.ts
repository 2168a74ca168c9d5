// The scanning feature. Without a configured scanner nothing is scanned.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createCheckedContents } from '../content/index.ts'
import { scanExistingContents, scanJob, scanNewContents, scanningHandlers } from './index.ts'

/** Existing content is scanned in the background, after new content. */
const restEveryMs = 10_000
const retryMs = 24 * 60 * 60_000

export const scanning = feature({
  wire: features.scanning,
  open(services) {
    const { db, clamd, now } = services
    const handlers = scanningHandlers(clamd)
    if (clamd === undefined) return { handlers }
    let after: number | undefined = 0
    let endedAt = 0
    return {
      handlers,
      jobs: [scanJob({ db, contents: createCheckedContents(services), clamd })],
      readers: [{ name: 'scan', kinds: ['item'], read: (tx, events, at) => scanNewContents(tx, events, at) }],
      chores: [
        {
          name: 'contents that nobody has scanned',
          everyMs: restEveryMs,
          async run() {
            if (after === undefined && now() < endedAt + retryMs) return
            after = await scanExistingContents(db, after ?? 0, now())
            if (after === undefined) endedAt = now()
          },
        },
      ],
    }
  },
})
