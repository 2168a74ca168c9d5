// Feature: handover of leavers.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { leaverHandlers } from './index.ts'

export const leavers = feature({
  wire: features.leavers,
  open: (services) => ({ handlers: leaverHandlers(services) }),
})
