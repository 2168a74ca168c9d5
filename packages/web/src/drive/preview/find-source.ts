// What finds words where not all of them stand on the page: a workbook has more rows than are drawn.
import { createContext } from 'react'

export interface FindSource {
  /** How often words stand in it; shows nothing yet. Empty words end what is shown. */
  readonly find: (words: string) => Promise<number>
  /** Shows one of those that were found, from 0. */
  readonly show: (hit: number) => void
}

/** Says what finds words in what is shown; undefined where the page itself does. */
export const FindSources = createContext<(source: FindSource | undefined) => void>(() => undefined)
