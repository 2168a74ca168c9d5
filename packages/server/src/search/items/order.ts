// The sort order of hits.
import type { Sort, VisibleHit } from './query.ts'
import type { QueryTerms } from './query-terms.ts'

/** The relevance score of a hit. */
function scoreOf({ row, mayRead }: VisibleHit, { words }: QueryTerms): number {
  const length = Math.max(1, row.name.length)
  let score = row.rank === 0 ? 400 : row.rank === 1 ? 60 : 0
  for (const [n, { text }] of words.entries()) {
    if (row.in_line[n]) score += 40 + (40 * text.length) / length
    else if (row.in_name[n]) score += 25
    if (!mayRead || !row.in_text[n]) continue
    const [times = 0, place = 0] = [row.times[n], row.places[n]]
    score += 6 + 3 * Math.log2(1 + Math.min(times, 32)) + 6 / (1 + place / 400)
  }
  // Bonus if the name itself, and not only its readings, contains all terms.
  if (words.every((_, n) => row.in_line[n])) score += 60
  return score
}

/** The hits in the requested order. */
export function inOrder(
  hits: readonly VisibleHit[],
  typed: QueryTerms,
  { sort, order }: { sort: Sort; order: 'asc' | 'desc' },
): VisibleHit[] {
  const newest = (a: VisibleHit, b: VisibleHit): number => b.row.modified_at - a.row.modified_at || b.row.id - a.row.id
  const way = order === 'asc' ? 1 : -1
  if (sort === 'relevance') {
    const scores = new Map(hits.map((hit) => [hit, scoreOf(hit, typed)]))
    const score = (hit: VisibleHit): number => scores.get(hit) ?? 0
    return hits.toSorted((a, b) => score(b) - score(a) || newest(a, b))
  }
  const by = {
    time: (a: VisibleHit, b: VisibleHit) => a.row.modified_at - b.row.modified_at || a.row.id - b.row.id,
    size: (a: VisibleHit, b: VisibleHit) => a.row.size - b.row.size || newest(a, b),
    name: (a: VisibleHit, b: VisibleHit) =>
      a.row.name_sort < b.row.name_sort ? -1 : a.row.name_sort > b.row.name_sort ? 1 : newest(a, b),
  }[sort]
  return hits.toSorted((a, b) => way * by(a, b))
}
