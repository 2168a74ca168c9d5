// Where a name matches what was typed, for marking it: by its characters, by its pinyin, or by the initials of that.
import { characterReadings, type Reading, readingsOf } from '../../items/item/name-readings.ts'

/** A name in pieces, those that match marked. */
export function markMatches(name: string, keyword: string, nameSort: string): { text: string; hit: boolean }[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  const lower = name.toLowerCase()
  // Lower case may be longer than what it was made of; then positions would not agree.
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

/** Marks the characters that spell a word from a first letter on. */
function markReading(hits: boolean[], word: string, readings: readonly Reading[]): void {
  // The name and its readings are not side by side.
  if (readings.length !== hits.length) return
  for (const kind of ['full', 'initial'] as const) {
    for (let from = 0; from < readings.length; from++) {
      hits.fill(true, from, endOf(word, readings, kind, from))
    }
  }
}

/** Where the characters end that spell the word, the last of them perhaps in part; where they begin if they do not. */
function endOf(word: string, readings: readonly Reading[], kind: keyof Reading, from: number): number {
  let spelling = ''
  for (let at = from; at < readings.length && word.startsWith(spelling); at++) {
    spelling += readings[at]?.[kind] ?? ''
    if (spelling.startsWith(word)) return at + 1
  }
  return from
}

/** How well a name fits what was typed, as the server ranks it: 0 it is it, 1 it begins with it, 2 it holds it. */
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
