// Feature: returning a library or folder to a moment.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { jobEndings } from '../../core/queue/endings.ts'
import { forgetHistory, returnEnding, returnJob, rollbackHandlers } from './index.ts'
import { rollbackTables } from './tables.ts'

const forgetEveryMs = 60_000

export const rollback = feature({
  wire: features.rollback,
  tables: rollbackTables,
  open: (services) => ({
    handlers: rollbackHandlers(services),
    jobs: [returnJob(services)],
    contributions: [contribute(jobEndings, returnEnding)],
    chores: [
      {
        name: 'earlier states of items',
        everyMs: forgetEveryMs,
        run: () => forgetHistory(services.db, services.now()),
      },
    ],
  }),
})
