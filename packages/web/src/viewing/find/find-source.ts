// What finds words where not all of them stand on the page: a workbook has more rows than are drawn.
import { createContext } from 'react'
import type { FindOptions } from './find-text.ts'

export interface FindSource {
  /** How often words stand in it; shows nothing yet. Empty words end what is shown. */
  readonly find: (words: string, how: FindOptions) => Promise<number>
  /** Shows one of those that were found, from 0. */
  readonly show: (hit: number) => void
}

/** Says what finds words in what is shown; undefined where the page itself does. */
export const FindSourceContext = createContext<(source: FindSource | undefined) => void>(() => undefined)

/** One place where words were found on a page of a document. */
export interface PageHit {
  readonly page: number
  /** A few words before it, itself, and a few behind it. */
  readonly around: readonly [before: string, found: string, after: string]
}

export interface PageHits {
  readonly hits: readonly PageHit[]
  /** The one that is shown. */
  readonly at: number
  readonly go: (hit: number) => void
}

/** What was found on the pages of what is shown; undefined while nothing is looked for. */
export const PageHitsContext = createContext<PageHits | undefined>(undefined)
