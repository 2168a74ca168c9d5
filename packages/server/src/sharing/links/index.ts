// External links: the calls of their creators and of their visitors.
import { features } from '@cloudoc/contract'
import { implement } from '../../core/call/implement.ts'
import { administrationHandlers } from './administer.ts'
import { type linkObjects, manageHandlers } from './manage.ts'
import { reportHandlers } from './reports.ts'
import { visitHandlers } from './visit.ts'

export { type AskedLink, askApproval, type LinkApprovers, linkApprovers, setApproval } from './approval.ts'
export { createLink, type NewLink } from './create.ts'
export { hideEnded, needsApproval, readLinks, resolveLinks, statusOf } from './link-state.ts'
export { managed } from './link-views.ts'
export { linkObjects } from './manage.ts'
export { policyOf, readPolicies } from './policy.ts'
export { visitors } from './visitor.ts'

/** The handlers of links. */
export function linkHandlers(
  parts: Parameters<typeof manageHandlers>[0] & Parameters<typeof visitHandlers>[0],
  objects: ReturnType<typeof linkObjects>,
) {
  return implement(features.externalLinks.calls, {
    ...manageHandlers(parts, objects),
    ...administrationHandlers(parts),
    ...reportHandlers(parts),
    ...visitHandlers(parts),
  })
}
