// A search in names and contents as it is asked for, and what is met of it.
import type { DocType } from '@cloudoc/domain'
import type { Candidate, Hit, SearchContext } from './hits.ts'
import type { QueryTerms } from './query-terms.ts'

/** So many hits are put in order and counted. */
export const mostHits = 1000
export const dayMs = 24 * 60 * 60_000

export type Scope = 'all' | 'name' | 'content' | 'tag' | 'comment'
export type Sort = 'relevance' | 'time' | 'name' | 'size'

/** What narrows a search, as it was asked for. */
export interface Filters {
  readonly folderId?: number | undefined
  readonly scope?: Scope | undefined
  readonly docType?: DocType | undefined
  readonly tagId?: number | undefined
  readonly days?: number | undefined
  readonly timeFrom?: number | undefined
  readonly timeTo?: number | undefined
  readonly sizeFrom?: number | undefined
  readonly sizeTo?: number | undefined
  readonly fType?: 1 | 2 | undefined
}

/** A candidate, with what of it holds which word. */
export type Found = Candidate & {
  readonly number: number
  readonly in_name: readonly boolean[]
  /** In the name as it is written, not only in how it is read. */
  readonly in_line: readonly boolean[]
  readonly in_text: readonly boolean[]
  readonly not_name: boolean
  readonly not_text: boolean
  readonly times: readonly number[]
  readonly places: readonly number[]
  readonly blob_id: number | null
  /** How well the name fits: it is what was typed, begins with it, or holds it. */
  readonly rank: number
  readonly said_name: readonly string[] | null
  readonly said_text: readonly string[] | null
}

/** A hit, and whether the caller may read its content. */
export type VisibleHit = Hit<Found> & { readonly mayRead: boolean; readonly mayReadComments: boolean }

/** Items by their ids, with which of the words what stands beside them has. */
export type AttachedMatches = ReadonlyMap<number, readonly boolean[]>

export interface Query extends SearchContext {
  readonly typed: QueryTerms
  readonly filters: Filters
  /** By the names of their tags, and, where those are asked for, by what was said of them. */
  readonly tagged: AttachedMatches
  readonly commented: AttachedMatches
  /** What bears the tag that is chosen. */
  readonly bearing: ReadonlySet<number> | undefined
  /** Rows of the index have signs of their sizes. */
  readonly isSized: boolean
  /** Words that differ by a letter, and a half of the word that they have. */
  readonly near?: { readonly pattern: string; readonly half: string }
}

/** The times of a search; undefined for ever. */
export function timesOf(
  { days, timeFrom, timeTo }: Filters,
  now: number,
): { from: number | undefined; to: number | undefined } {
  const since = days === undefined ? undefined : now - days * dayMs
  const from = since === undefined ? timeFrom : Math.max(since, timeFrom ?? 0)
  return { from, to: timeTo }
}
