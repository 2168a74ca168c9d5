// Texts are shown before they are editable: the page first takes the lock and looks for a draft.
import type { Locator } from 'playwright-core'

/** The same text once it is editable. Input before that is lost, for users as for tests. */
export const writable = (words: Locator): Locator => words.and(words.page().locator('[contenteditable=true]'))
