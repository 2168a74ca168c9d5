// Finds where terms occur in a document, with the surrounding text.
import type { SearchPassage } from '@cloudoc/contract'
import { folded } from '../../core/folding.ts'
import type { TextSection } from '../../documents/index.ts'

/** Number of characters shown before the first match, and in total. */
const before = 24
const longest = 110
/** Maximum number of matches checked in one document. */
const maxMatches = 2000

export interface Passages {
  readonly list: SearchPassage[]
  /** Total number of matches. */
  readonly total: number
}

/** The passages of a document, in order. `byLine`: the document has no pages, so line numbers are returned. */
export function passagesOf(
  sections: readonly TextSection[],
  words: readonly string[],
  { byLine, most }: { readonly byLine: boolean; readonly most: number },
): Passages {
  const list: SearchPassage[] = []
  let total = 0
  for (const section of sections) {
    const places = matchesIn(folded(section.text), words)
    total += places.length
    for (let at = 0; at < places.length && list.length < most; ) {
      const { passage, taken } = passageAt(section, places, at, byLine)
      list.push(passage)
      at += taken
    }
    if (total >= maxMatches) break
  }
  return { list, total }
}

type Place = readonly [from: number, to: number]

/** The matches of the terms, without overlaps. */
function matchesIn(text: string, words: readonly string[]): Place[] {
  const found: Place[] = []
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0 && found.length < maxMatches; at = text.indexOf(word, at + word.length))
      found.push([at, at + word.length])
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1])
  let end = 0
  return found.filter(([from, to]) => {
    if (from < end) return false
    end = to
    return true
  })
}

function passageAt(
  { kind, name, text }: TextSection,
  places: readonly Place[],
  at: number,
  byLine: boolean,
): { passage: SearchPassage; taken: number } {
  const [first, firstEnd] = places[at] ?? [0, 0]
  const lineFrom = text.lastIndexOf('\n', first) + 1
  const lineEnd = text.indexOf('\n', firstEnd)
  const lineTo = lineEnd < 0 ? text.length : lineEnd
  const from = lineTo - lineFrom <= longest ? lineFrom : Math.max(lineFrom, first - before)
  const to = Math.max(firstEnd, Math.min(lineTo, from + longest))
  const marks: { from: number; to: number }[] = []
  let taken = 0
  for (const [start, end] of places.slice(at)) {
    if (end > to) break
    taken += 1
    marks.push({ from: start - from, to: end - from })
  }
  const where = byLine && kind === 'whole'
  const line = where ? String((text.slice(0, first).match(/\n/g)?.length ?? 0) + 1) : name
  return {
    passage: {
      kind: where ? 'line' : kind,
      name: line,
      text: text.slice(from, to).replace(/\n/g, ' ').toWellFormed(),
      marks,
    },
    taken: Math.max(1, taken),
  }
}

/** The passage that contains the most different terms. */
export function bestPassage(list: readonly SearchPassage[]): SearchPassage | null {
  const kinds = ({ text, marks }: SearchPassage): number =>
    new Set(marks.map(({ from, to }) => folded(text.slice(from, to)))).size
  return list.reduce<SearchPassage | null>(
    (best, one) => (best === null || kinds(one) > kinds(best) ? one : best),
    null,
  )
}

/** Whether matches in this kind of document are located by line. */
export const isByLine = (kind: string): boolean => kind === 'text' || kind === 'table' || kind === 'markdown'
