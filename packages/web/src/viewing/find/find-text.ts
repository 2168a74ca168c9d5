// Search in a text: with or without case, anywhere or whole words.

export interface FindOptions {
  readonly matchCase: boolean
  readonly whole: boolean
}

export const defaultFindOptions: FindOptions = { matchCase: false, whole: false }

const words = new Intl.Segmenter(['zh', 'en'], { granularity: 'word' })

/** The word boundaries in a line. */
function edgesOf(line: string): Set<number> {
  const edges = new Set([line.length])
  for (const { index } of words.segment(line)) edges.add(index)
  return edges
}

/** The positions of all matches in a text, in order; at most `most`. */
export function matchesIn(
  text: string,
  wanted: string,
  { matchCase, whole }: FindOptions,
  most = Number.POSITIVE_INFINITY,
) {
  const [all, one] = matchCase ? [text, wanted] : [text.toLowerCase(), wanted.toLowerCase()]
  const places: number[] = []
  let line: { readonly from: number; readonly to: number; readonly edges: Set<number> } | undefined
  const isWhole = (from: number): boolean => {
    if (line === undefined || from >= line.to) {
      const start = text.lastIndexOf('\n', from) + 1
      const end = text.indexOf('\n', from)
      const to = end < 0 ? text.length : end
      line = { from: start, to, edges: edgesOf(text.slice(start, to)) }
    }
    return line.edges.has(from - line.from) && line.edges.has(from - line.from + wanted.length)
  }
  if (one === '') return places
  for (let at = all.indexOf(one); at >= 0 && places.length < most; ) {
    const taken = !whole || isWhole(at)
    if (taken) places.push(at)
    at = all.indexOf(one, at + (taken ? one.length : 1))
  }
  return places
}
