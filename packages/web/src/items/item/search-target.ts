/** Words to look for in a file that is opened, and which of the places where they stand is meant, from 0. */
export interface SearchTarget {
  readonly words: string
  readonly hit: number
}
