// Feature: presence.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createPresence, endDeadProcesses, presenceAudience, presenceHandlers } from './index.ts'
import { presenceTables } from './tables.ts'

const checkEveryMs = 3000
const tidyEveryMs = 30_000

export const presence = feature({
  wire: features.presence,
  tables: presenceTables,
  open: (services) => ({
    handlers: presenceHandlers(),
    audiences: { 'presence.changed': presenceAudience },
    chores: [
      { name: 'who is there', everyMs: checkEveryMs, everywhere: true, run: createPresence(services) },
      {
        name: 'who was held by the dead',
        everyMs: tidyEveryMs,
        run: () => endDeadProcesses(services.db, services.now()),
      },
    ],
  }),
})
