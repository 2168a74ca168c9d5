// The watermarks feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { watermarkHandlers } from './index.ts'
import { watermarkTables } from './tables.ts'
import { forgetTraces } from './trace.ts'

export const watermarks = feature({
  wire: features.watermarks,
  tables: watermarkTables,
  open: ({ db, now }) => ({
    handlers: watermarkHandlers(db),
    chores: [{ name: 'invisible marks of long ago', everyMs: 60 * 60_000, run: () => forgetTraces(db, now()) }],
  }),
})
