// A search in names and contents: the query and its hits.
import type { DocType } from '@cloudoc/domain'
import type { Candidate, Hit, SearchContext } from './hits.ts'
import type { QueryTerms } from './query-terms.ts'

/** Maximum number of hits that are sorted and counted. */
export const mostHits = 1000
export const dayMs = 24 * 60 * 60_000

export type Scope = 'all' | 'name' | 'content' | 'tag' | 'comment'
export type Sort = 'relevance' | 'time' | 'name' | 'size'

/** The filters of a search, as requested. */
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

/** A candidate, with the terms that its name and content contain. */
export type Found = Candidate & {
  readonly number: number
  readonly in_name: readonly boolean[]
  /** Per term: whether the name itself contains it, and not only one of its readings. */
  readonly in_line: readonly boolean[]
  readonly in_text: readonly boolean[]
  readonly not_name: boolean
  readonly not_text: boolean
  readonly times: readonly number[]
  readonly places: readonly number[]
  readonly blob_id: number | null
  /** Match quality of the name: exact, prefix or inside. */
  readonly rank: number
  readonly said_name: readonly string[] | null
  readonly said_text: readonly string[] | null
}

/** A hit, and whether the caller may read its content and comments. */
export type VisibleHit = Hit<Found> & { readonly mayRead: boolean; readonly mayReadComments: boolean }

/** Items found by tags or comments, by id, with a flag per term. */
export type AttachedMatches = ReadonlyMap<number, readonly boolean[]>

export interface Query extends SearchContext {
  readonly typed: QueryTerms
  readonly filters: Filters
  /** Items found by tag names and, if requested, by comments. */
  readonly tagged: AttachedMatches
  readonly commented: AttachedMatches
  /** The items with the selected tag. */
  readonly bearing: ReadonlySet<number> | undefined
  /** The index rows have the signs of sizes. */
  readonly isSized: boolean
  /** Matches terms that differ by a letter; `half` is an unchanged half of the term that they contain. */
  readonly near?: { readonly pattern: string; readonly half: string }
}

/** The time range of a search; undefined for an open end. */
export function timesOf(
  { days, timeFrom, timeTo }: Filters,
  now: number,
): { from: number | undefined; to: number | undefined } {
  const since = days === undefined ? undefined : now - days * dayMs
  const from = since === undefined ? timeFrom : Math.max(since, timeFrom ?? 0)
  return { from, to: timeTo }
}
