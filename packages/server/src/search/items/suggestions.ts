// “Did you mean”: terms that differ by a letter.
import { collect } from './collect-hits.ts'
import { mostHits, type Query } from './query.ts'
import { oneLetterOff, parseQuery, type Word } from './query-terms.ts'

const mostSuggestions = 2
const lookedAtForOne = 60

/**
 * The query with its longest term replaced by similar terms from text that the caller may read, most frequent first.
 */
export async function suggest(query: Query, keyword: string): Promise<{ keyword: string; total: number }[]> {
  const [longest] = query.typed.words.toSorted((a, b) => b.text.length - a.text.length)
  const near = longest && oneLetterOff(longest.text)
  if (longest === undefined || near === undefined) return []
  const times = new Map<string, number>()
  for (const half of near.halves) {
    const { hits } = await collect({ ...query, near: { pattern: near.pattern, half } }, lookedAtForOne)
    for (const { row, mayRead } of hits) {
      const said = new Set([...(row.said_name ?? []), ...(mayRead ? (row.said_text ?? []) : [])])
      for (const word of said) times.set(word, (times.get(word) ?? 0) + 1)
    }
  }
  const words = [...times]
    .filter(([word]) => word !== longest.text && /^[\p{L}\p{N}]+$/u.test(word))
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, mostSuggestions)
  const suggestions: { keyword: string; total: number }[] = []
  for (const [word] of words) {
    const typed = query.typed.words.map(({ text }) => (text === longest.text ? word : text)).join(' ')
    const { hits } = await collect({ ...query, typed: parseQuery(typed) }, mostHits)
    if (hits.length > 0) suggestions.push({ keyword: replaced(keyword, longest, word), total: hits.length })
  }
  return suggestions
}

/** The query with one term replaced, in the original spelling if possible. */
function replaced(keyword: string, { text, raw }: Word, word: string): string {
  const at = keyword.toLowerCase().indexOf(raw)
  if (at >= 0) return keyword.slice(0, at) + word + keyword.slice(at + raw.length)
  return keyword.includes(text) ? keyword.replace(text, word) : word
}
