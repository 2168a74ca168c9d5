// The feature of the user's recent items.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { createMarks } from '../follow/index.ts'
import { recentHandlers } from './index.ts'
import { recentTables } from './tables.ts'

export const recent = feature({
  wire: features.recent,
  tables: recentTables,
  open: (services) => ({ handlers: recentHandlers(createMarks(services)) }),
})
