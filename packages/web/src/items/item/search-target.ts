/** The terms to find in an opened file, and the index of the match to show, from 0. */
export interface SearchTarget {
  readonly words: string
  readonly hit: number
}
