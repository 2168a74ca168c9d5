// The overview and the reports as a feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { measureStorage, overviewHandlers } from './index.ts'

const measureEveryMs = 60 * 60_000

export const overview = feature({
  wire: features.overview,
  open: (services) => ({
    handlers: overviewHandlers(services),
    chores: [
      {
        name: 'how much contents take',
        everyMs: measureEveryMs,
        run: () => measureStorage(services.db, services.now()),
      },
    ],
  }),
})
