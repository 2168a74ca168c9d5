// Which items a query finds by name: the same in a folder's list and in search.
import { type RawBuilder, sql } from 'kysely'
import { likeAnywhere, searchWords } from '../../core/text-keys.ts'

/** The words of three letters and more that an index looks for each on its own; further ones only filter. */
const mostIndexed = 3

/**
 * Conditions on `i`, an item, one for each index: words of three letters and more run over trigrams, shorter ones over
 * one- and two-letter grams. Their number is bounded, so the texts of statements are. None where nothing is asked for.
 */
export function nameMatches(query: string): RawBuilder<unknown>[] {
  const words = searchWords(query).sort((a, b) => b.length - a.length)
  const long = words.filter((word) => [...word].length >= 3).map(likeAnywhere)
  const short = words.filter((word) => [...word].length < 3)
  const rest = long.slice(mostIndexed)
  return [
    ...long.slice(0, mostIndexed).map((pattern) => sql`i.search_text like ${pattern}`),
    ...(rest.length > 0 ? [sql`i.search_text like all(${rest}::text[])`] : []),
    ...(short.length > 0 ? [sql`i.search_grams @> ${short}::text[]`] : []),
  ]
}
