// Watermarks as a feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { watermarkHandlers } from './index.ts'
import { watermarkTables } from './tables.ts'

export const watermarks = feature({
  wire: features.watermarks,
  tables: watermarkTables,
  open: () => ({ handlers: watermarkHandlers() }),
})
