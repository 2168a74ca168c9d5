// Rights as a feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { rightsChecks } from './checks.ts'
import { itemAudience, rightsHandlers } from './index.ts'
import { rightsTables } from './tables.ts'

export const rights = feature({
  wire: features.rights,
  tables: rightsTables,
  checks: rightsChecks,
  open: () => ({ handlers: rightsHandlers(), audiences: { item: itemAudience } }),
})
