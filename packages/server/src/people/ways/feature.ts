// Feature: further ways to sign in.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { waysHandlers } from './index.ts'

export const ways = feature({
  wire: features.ways,
  open: (services) => ({ handlers: waysHandlers(services) }),
})
