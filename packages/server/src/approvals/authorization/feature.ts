// Feature: requests for rights.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { waitingFor } from '../review/index.ts'
import { authorizationHandlers } from './index.ts'
import { authorizationName } from './kind.ts'

export const authorization = feature({
  wire: features.authorization,
  open: (services) => ({
    handlers: authorizationHandlers(services),
    counters: { authorizationReview: waitingFor(authorizationName) },
  }),
})
