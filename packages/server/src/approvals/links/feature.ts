// Feature: requests for links.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { waitingFor } from '../review/index.ts'
import { linkApprovalHandlers } from './index.ts'
import { linkName } from './kind.ts'

export const linkApprovals = feature({
  wire: features.linkApprovals,
  open: (services) => ({
    handlers: linkApprovalHandlers(services),
    counters: { linkReview: waitingFor(linkName) },
  }),
})
