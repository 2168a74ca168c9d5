// The interface of a viewer that searches itself, because not all text is in the DOM: a workbook has more rows than are
// rendered.
import { createContext } from 'react'
import type { FindOptions } from './find-text.ts'

export interface FindSource {
  /** Returns the number of matches, without showing one. An empty text ends the search. */
  readonly find: (words: string, how: FindOptions) => Promise<number>
  /** Shows a match, counted from 0. */
  readonly show: (hit: number) => void
}

/** Registers the find source of the viewer; undefined if the page itself is searched. */
export const FindSourceContext = createContext<(source: FindSource | undefined) => void>(() => undefined)

/** A match on a page of a document. */
export interface PageHit {
  readonly page: number
  /** The match with some text before and after it. */
  readonly around: readonly [before: string, found: string, after: string]
}

export interface PageHits {
  readonly hits: readonly PageHit[]
  /** The index of the current match. */
  readonly at: number
  readonly go: (hit: number) => void
}

/** The matches on the pages of the document; undefined without a search. */
export const PageHitsContext = createContext<PageHits | undefined>(undefined)
