// Feature: the addresses of the server.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { addressHandlers } from './index.ts'

export const addresses = feature({
  wire: features.addresses,
  open: (services) => ({ handlers: addressHandlers(services) }),
})
