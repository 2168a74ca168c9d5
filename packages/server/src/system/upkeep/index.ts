// The upkeep of what is kept: every content is read again now and then.
export { damagedContents, type ScrubParts, scrub, scrubSome } from './scrub.ts'
