// The conditions feature.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { conditionHandlers } from './index.ts'

export const conditions = feature({
  wire: features.conditions,
  open: (services) => ({ handlers: conditionHandlers(services) }),
})
