// Feature: requests for links.
import { features } from '@cloudoc/contract'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { linkApprovers } from '../../sharing/links/index.ts'
import { reviewKinds, waitingFor } from '../review/index.ts'
import { linkApprovalHandlers } from './index.ts'
import { linkName, linkRequest, requestedApproval } from './kind.ts'

export const linkApprovals = feature({
  wire: features.linkApprovals,
  open: (services) => ({
    handlers: linkApprovalHandlers(services),
    contributions: [contribute(reviewKinds, linkRequest), contribute(linkApprovers, requestedApproval(services))],
    counters: { linkReview: waitingFor(linkName) },
  }),
})
