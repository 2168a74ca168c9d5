// Feature: periodic verification of all blobs.
import { feature } from '../../core/feature.ts'
import { damagedContents, scrub } from './scrub.ts'

const beginEveryMs = 1000

export const upkeep = feature({
  open: ({ db, blobs, now, log, scrubCycleMs }) => ({
    chores: [
      {
        name: 'reading contents again',
        everyMs: beginEveryMs,
        run: (signal) => scrub({ db, blobs, now, log, cycleMs: scrubCycleMs }, signal),
      },
    ],
    gauges: [
      {
        name: 'cloudoc_damaged_contents',
        help: 'Contents that were not as they had been stored when they were last read.',
        read: () => damagedContents(db),
      },
    ],
  }),
})
