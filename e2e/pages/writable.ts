// Texts are shown before they may be written in: the lock is taken, and a draft is looked for first.
import type { Locator } from 'playwright-core'

/** The same text once it may be written in; what is typed before that is lost, for a person as for a test. */
export const writable = (words: Locator): Locator => words.and(words.page().locator('[contenteditable=true]'))
