// Matches items by name: the same rule for a folder's list and for search.
import { type RawBuilder, sql } from 'kysely'
import { endOfPart, likeAnywhere, searchWords } from '../../core/text-keys.ts'

/** Number of terms of three or more letters that use the index; further ones only filter. */
const mostIndexed = 3

/**
 * SQL conditions on the search text of an item: one for each of the longest terms, which a trigram index supports, and
 * a few for all others, so the length of statements is bounded. Empty for an empty query.
 */
export function nameMatches(query: string, text: RawBuilder<unknown> = sql`i.search_text`): RawBuilder<unknown>[] {
  const words = searchWords(query).sort((a, b) => b.length - a.length)
  const patterns = Map.groupBy(words, endOfPart)
  const long = (patterns.get(undefined) ?? []).map(likeAnywhere)
  const rest = long.slice(mostIndexed)
  patterns.delete(undefined)
  return [
    ...long.slice(0, mostIndexed).map((pattern) => sql`${text} like ${pattern}`),
    ...(rest.length > 0 ? [sql`${text} like all(${rest}::text[])`] : []),
    ...[...patterns].map(
      ([end, short]) => sql`split_part(${text}, ${end}, 1) like all(${short.map(likeAnywhere)}::text[])`,
    ),
  ]
}
