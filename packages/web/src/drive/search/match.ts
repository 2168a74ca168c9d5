// Where a name matches what was typed, for marking it. A hit by pinyin has no characters to mark.

/** A name in pieces, those that match marked. */
export function markMatches(name: string, keyword: string): { text: string; hit: boolean }[] {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  const lower = name.toLowerCase()
  // Lower case may be longer than what it was made of; then positions would not agree.
  if (words.length === 0 || lower.length !== name.length) return [{ text: name, hit: false }]
  const hits = Array.from({ length: name.length }, () => false)
  for (const word of words) {
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
