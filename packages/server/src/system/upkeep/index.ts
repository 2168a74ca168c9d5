// Maintenance of the store: every blob is read again periodically.
export { damagedContents, type ScrubParts, scrub, scrubSome } from './scrub.ts'
