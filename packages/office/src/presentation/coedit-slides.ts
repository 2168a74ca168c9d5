/*
 * A presentation that several people edit at once: the words of its text frames by name. Each frame is a shared text of
 * its own, so what two people write into one frame is merged (docs/adr/0304).
 */
import { type Deck, openSlides } from './slides.ts'

/** The words of a frame, by its name. */
export type FrameWords = readonly [name: string, words: string]

const prefix = 'frame '
/** Longer names are no names of parts. */
const longestName = 300

/** The name of the shared text of a frame. */
export const frameKey = (name: string): string => `${prefix}${name}`

/** The name of the frame of a shared text; undefined if it is none. */
export function frameNameOf(key: string): string | undefined {
  if (!key.startsWith(prefix) || key.length > longestName) return undefined
  const name = key.slice(prefix.length)
  return /^[^#]+#(?:\d+|notes)$/.test(name) ? name : undefined
}

/** Reads the words of all frames; undefined for a presentation that cannot be written back. */
export function frameWords(file: Uint8Array): readonly FrameWords[] | undefined {
  const deck = openSlides(file)
  if (deck.isSigned || deck.isProtected) return undefined
  return deck.places.map(({ id, name }) => [name, deck.words(id)])
}

/** No character of XML 1.0. */
const unwritable = /[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** Opens a presentation with words in its frames. */
export function deckWithWords(file: Uint8Array, words: readonly FrameWords[]): Deck {
  const deck = openSlides(file)
  const byName = new Map(words)
  for (const { id, name } of deck.places) {
    const written = byName.get(name)
    if (written !== undefined) deck.takeIn(id, written.replace(unwritable, ''))
  }
  return deck
}

/** Writes words into the frames of a presentation. All else stays byte for byte as it is. */
export function withFrameWords(file: Uint8Array, words: readonly FrameWords[]): Uint8Array {
  return deckWithWords(file, words).bytes()
}
