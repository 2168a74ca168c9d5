// Finds the parts of a name that match the typed text, for highlighting: by characters, by pinyin, or by pinyin
// initials.
import { characterReadings, type Reading, readingsOf } from '../../items/item/name-readings.ts'

/** Returns a name in pieces, with the matching ones marked. */
export function markMatches(name: string, keyword: string, nameSort: string): { text: string; hit: boolean }[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  const lower = name.toLowerCase()
  // The lower case form may be longer than the original. Then positions do not correspond, and nothing is highlighted.
  if (words.length === 0 || lower.length !== name.length) return [{ text: name, hit: false }]
  const hits = Array.from({ length: name.length }, () => false)
  for (const word of words) {
    if (!lower.includes(word)) markReading(hits, word, characterReadings(name, nameSort))
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) hits.fill(true, at, at + word.length)
  }
  const pieces: { text: string; hit: boolean }[] = []
  for (let i = 0; i < name.length; i++) {
    const hit = hits[i] ?? false
    const last = pieces.at(-1)
    if (last?.hit === hit) last.text += name[i]
    else pieces.push({ text: name[i] ?? '', hit })
  }
  return pieces
}

/** Marks the characters whose readings spell a word, starting at a character. */
function markReading(hits: boolean[], word: string, readings: readonly Reading[]): void {
  // The readings do not correspond one to one to the characters.
  if (readings.length !== hits.length) return
  for (const kind of ['full', 'initial'] as const) {
    for (let from = 0; from < readings.length; from++) {
      hits.fill(true, from, endOf(word, readings, kind, from))
    }
  }
}

/**
 * Returns the end of the characters that spell the word; the last one may match in part. Returns the start if they do
 * not spell it.
 */
function endOf(word: string, readings: readonly Reading[], kind: keyof Reading, from: number): number {
  let spelling = ''
  for (let at = from; at < readings.length && word.startsWith(spelling); at++) {
    spelling += readings[at]?.[kind] ?? ''
    if (spelling.startsWith(word)) return at + 1
  }
  return from
}

/**
 * Returns how well a name matches the typed text, with the server's ranks: 0 equals it, 1 begins with it, 2 contains
 * it.
 */
export function matchRank(name: string, keyword: string, nameSort: string): 0 | 1 | 2 {
  const typed = keyword.trim().toLowerCase()
  const readings = readingsOf(nameSort)
  const spellings = [
    name.toLowerCase(),
    readings.map(({ initial }) => initial).join(''),
    readings.map(({ full }) => full).join(''),
  ]
  const isExact = (spelling: string): boolean =>
    spelling === typed || (spelling.startsWith(`${typed}.`) && !spelling.slice(typed.length + 1).includes('.'))
  if (spellings.some(isExact)) return 0
  return spellings.some((spelling) => spelling.startsWith(typed)) ? 1 : 2
}
