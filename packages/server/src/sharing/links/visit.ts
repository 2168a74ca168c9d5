/*
 * Visits by a link ([R228]). A visitor is an outsider (ADR 0074): the link's creator is responsible for them. Visitors
 * get the intersection of the creator's rights and the link's rights, on the items below the link's item. The state of
 * the link is read with each request (link-state.ts), so a visitor loses access as soon as the link ends.
 */

import type { Services } from '../../core/services.ts'
import type { Previews } from '../../viewing/preview/index.ts'
import { contributionHandlers } from './visit-contributions.ts'
import { type DownloadParts, downloadHandlers } from './visit-downloads.ts'
import { entryHandlers } from './visit-entry.ts'
import { readingHandlers } from './visit-reading.ts'

interface Parts extends Pick<Services, 'settings' | 'secrets' | 'blobs' | 'db'>, DownloadParts {
  readonly showing: Previews
}

/** The handlers of visitor calls. */
export function visitHandlers(parts: Parts) {
  return {
    ...entryHandlers(parts),
    ...readingHandlers(parts),
    ...downloadHandlers(parts),
    ...contributionHandlers(parts),
  }
}
