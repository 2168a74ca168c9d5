// Feature: the overview and the reports.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { backedUp, measureStorage, overviewHandlers } from './index.ts'

const measureEveryMs = 60 * 60_000

export const overview = feature({
  wire: features.overview,
  open: (services) => ({
    handlers: overviewHandlers(services),
    gauges: [
      {
        name: 'cloudoc_backup_age_seconds',
        help: 'Time since the last backup; +Inf where there is none.',
        read: async () => {
          const { at } = await backedUp.read(services.db)
          // NaN would be greater than no limit, so that nobody would be warned.
          return at === 0 ? Number.POSITIVE_INFINITY : (services.now() - at) / 1000
        },
      },
      {
        name: 'cloudoc_disk_free_bytes',
        help: 'Free room of the disk that the contents are on; NaN where they are on none.',
        read: async () => (await services.blobs.disk?.())?.free ?? Number.NaN,
      },
    ],
    chores: [
      {
        name: 'how much contents take',
        everyMs: measureEveryMs,
        run: () => measureStorage(services.db, services.now()),
      },
    ],
  }),
})
