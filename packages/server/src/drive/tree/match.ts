// Which items a query finds by name: the same in a folder's list and in search.
import { type RawBuilder, sql } from 'kysely'
import { endOfPart, likeAnywhere, searchWords } from '../../core/text-keys.ts'

/** The words of three letters and more that an index looks for each on its own; further ones only filter. */
const mostIndexed = 3

/**
 * Conditions on the search text of an item: one for each of the longest words, which an index of trigrams can look for,
 * and few for all others, so that the texts of statements stay bounded. None where nothing is asked for.
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
