// Feature: requests for rights.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { reviewKinds, waitingFor } from '../review/index.ts'
import { authorizationHandlers } from './index.ts'
import { authorizationName, authorizationRequest } from './kind.ts'

export const authorization = feature({
  wire: features.authorization,
  open: (services) => ({
    handlers: authorizationHandlers(services),
    contributions: [contribute(reviewKinds, authorizationRequest)],
    counters: { authorizationReview: waitingFor(authorizationName) },
  }),
})
