/*
 * What somebody typed, read as words: those in quotes stand together, those behind a minus must not be there, Chinese and
 * Latin letters that stand together are two words. Each is a pattern on folded texts and the signs of what holds it.
 */
import { likeAnywhere, searchWords } from '../../core/text-keys.ts'
import { foldTyped, grams } from './folding.ts'
import { wordSign } from './index-signs.ts'

/** So many words are looked for; further ones are left out. */
const mostWords = 12

export interface Word {
  /** Folded; what is marked. */
  readonly text: string
  /** The same as names have it that have no row yet: not simplified. */
  readonly raw: string
  readonly isQuoted: boolean
}

export interface QueryTerms {
  readonly words: readonly Word[]
  /** What must not be there. */
  readonly without: readonly Word[]
  /** All of it, folded; undefined where it is more than words. */
  readonly plain: string | undefined
}

const part = /(?<![^\s])(-?)"([^"]+)"|(\S+)/gu

export function parseQuery(keyword: string): QueryTerms {
  const typed = keyword.replace(/[“”„＂]/g, '"')
  const words = new Map<string, Word>()
  const without = new Map<string, Word>()
  let isPlain = true
  for (const [, minus = '', quoted, bare = ''] of typed.matchAll(part)) {
    const isWithout = minus !== '' || /^[-－][^-\s]/u.test(bare)
    const text = quoted ?? (isWithout ? bare.slice(1) : bare).replaceAll('"', '')
    if (isWithout || quoted !== undefined) isPlain = false
    const into = isWithout ? without : words
    for (const raw of quoted === undefined ? searchWords(text) : [text.normalize('NFKC').toLowerCase()]) {
      const word = { text: foldTyped(raw), raw, isQuoted: quoted !== undefined }
      if (word.text !== '' && into.size < mostWords) into.set(word.text, word)
    }
  }
  return {
    words: [...words.values()],
    without: [...without.values()],
    plain: isPlain ? foldTyped(typed) : undefined,
  }
}

/** The signs that whatever holds all the words has. Of single letters, names alone have signs. */
export function signsOfWords(words: readonly Pick<Word, 'text'>[]): number[] {
  const signs = new Set(words.flatMap(({ text }) => [...grams(text)]))
  if (signs.size === 0) for (const { text } of words) for (const letter of text) signs.add(wordSign(letter))
  return [...signs].slice(0, 60)
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** The words that longer ones are made of, where somebody typed several without a space; undefined where there are none. */
export function looserWords(typed: QueryTerms): QueryTerms | undefined {
  const words: Word[] = []
  for (const word of typed.words) {
    if (word.isQuoted) words.push(word)
    else for (const text of segmentsOf(word.text)) words.push({ text, raw: text, isQuoted: false })
  }
  const once = [...new Map(words.map((word) => [word.text, word])).values()].slice(0, mostWords)
  return once.length === 0 || once.length === typed.words.length
    ? undefined
    : { ...typed, words: once, plain: undefined }
}

/** Single letters that stand together are one word: the dictionary does not know every abbreviation. */
function segmentsOf(text: string): string[] {
  const segments: string[] = []
  let single = ''
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true && [...segment].length === 1 && /\p{Script=Han}/u.test(segment)) {
      single += segment
      continue
    }
    if ([...single].length > 1) segments.push(single)
    single = ''
    if (isWordLike === true) segments.push(segment)
  }
  if ([...single].length > 1) segments.push(single)
  return segments
}

/** A pattern that finds a word anywhere in a folded text. */
export const patternOf = ({ text }: Pick<Word, 'text'>): string => likeAnywhere(text)

/** The word as other texts may have it: with one letter more, less or another, as a regular expression. */
export function oneLetterOff(
  word: string,
): { readonly pattern: string; readonly halves: readonly string[] } | undefined {
  const letters = [...word]
  const isHan = /^\p{Script=Han}+$/u.test(word)
  if (letters.length < (isHan ? 3 : 4) || letters.length > 20 || !/^[\p{L}\p{N}]+$/u.test(word)) return undefined
  const variants = letters.flatMap((_, at) => {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')]
    const more = at === 0 ? [] : [`${before}.${letters.slice(at).join('')}`]
    const next = letters[at + 1]
    const swapped = next === undefined ? [] : [`${before}${next}${letters[at] ?? ''}${letters.slice(at + 2).join('')}`]
    // A letter less of a short word is a part of it, and found by itself.
    const less = letters.length > 4 && at > 0 && at < letters.length - 1 ? [before + after] : []
    return [`${before}.${after}`, ...more, ...less, ...swapped]
  })
  const middle = Math.floor(letters.length / 2)
  const halves = [letters.slice(0, letters.length - middle).join(''), letters.slice(middle).join('')]
  return { pattern: `(${variants.join('|')})`, halves }
}
