// The feature of retention rules.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { retentionHandlers } from './index.ts'
import { runDueRule } from './run.ts'
import { retentionTables } from './tables.ts'

const runEveryMs = 60_000

export const retention = feature({
  wire: features.retention,
  tables: retentionTables,
  open: (services) => ({
    handlers: retentionHandlers(),
    chores: [{ name: 'retention rules', everyMs: runEveryMs, run: () => runDueRule(services) }],
  }),
})
