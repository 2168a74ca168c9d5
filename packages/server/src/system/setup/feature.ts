// Feature: the initial setup of an installation.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { setupHandlers } from './index.ts'

export const setup = feature({
  wire: features.setup,
  open: (services) => ({ handlers: setupHandlers(services) }),
})
