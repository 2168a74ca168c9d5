// The feature of legal holds.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { rollbackProtections } from '../rollback/index.ts'
import { holdHandlers, lockedInReturns } from './index.ts'
import { holdTables } from './tables.ts'

export const holds = feature({
  wire: features.holds,
  tables: holdTables,
  open: () => ({
    handlers: holdHandlers(),
    contributions: [contribute(rollbackProtections, lockedInReturns)],
  }),
})
