// Links for people outside: what those do who make them, and those who come by them.
import { features } from '@cloudoc/contract'
import { implement } from '../../core/call/implement.ts'
import { type linkObjects, manageHandlers } from './manage.ts'
import { visitHandlers } from './visit.ts'

export { linkObjects } from './manage.ts'
export { hideEnded } from './state.ts'
export { visitors } from './visit.ts'

/** The handlers of links. */
export function linkHandlers(
  parts: Parameters<typeof manageHandlers>[0] & Parameters<typeof visitHandlers>[0],
  objects: ReturnType<typeof linkObjects>,
) {
  return implement(features.externalLinks.calls, { ...manageHandlers(parts, objects), ...visitHandlers(parts) })
}
