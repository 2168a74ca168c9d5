/*
 * Parses a query into terms: quoted text is one term, a minus excludes a term, and adjacent Chinese and Latin letters
 * are separate terms. Each term has a pattern on folded text and the signs of what contains it.
 */

import { foldTyped } from '../../core/folding.ts'
import { likeAnywhere, writtenWords } from '../../core/text-keys.ts'
import { grams } from './folding.ts'
import { wordSign } from './index-signs.ts'

/** Maximum number of terms; further ones are ignored. */
const mostWords = 12

export interface Word {
  /** The folded term, which is highlighted. */
  readonly text: string
  /** The term as it was typed, not simplified: comments are searched by it. */
  readonly raw: string
  readonly isQuoted: boolean
}

export interface QueryTerms {
  readonly words: readonly Word[]
  /** Excluded terms. */
  readonly without: readonly Word[]
  /** The whole query, folded; undefined if it has quotes or a minus. */
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
    for (const raw of quoted === undefined ? writtenWords(text) : [text.normalize('NFKC').toLowerCase()]) {
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

/** The signs of everything that contains all the terms. Single letters have signs only in names. */
export function signsOfWords(words: readonly Pick<Word, 'text'>[]): number[] {
  const signs = new Set(words.flatMap(({ text }) => [...grams(text)]))
  if (signs.size === 0) for (const { text } of words) for (const letter of text) signs.add(wordSign(letter))
  return [...signs].slice(0, 60)
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Splits longer terms into words, if the user typed several without a space; undefined if that changes nothing. */
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

/** Adjacent single characters form one word, because the dictionary does not contain every abbreviation. */
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

/** A LIKE pattern that matches a term anywhere in a folded text. */
export const patternOf = ({ text }: Pick<Word, 'text'>): string => likeAnywhere(text)

/** A regular expression for terms with one letter added, removed or replaced, or two adjacent letters swapped. */
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
    // Removing a letter at the end of a term, or from a short one, gives a part of it, which is found anyway.
    const less = letters.length > 4 && at > 0 && at < letters.length - 1 ? [before + after] : []
    return [`${before}.${after}`, ...more, ...less, ...swapped]
  })
  const middle = Math.floor(letters.length / 2)
  const halves = [letters.slice(0, letters.length - middle).join(''), letters.slice(middle).join('')]
  return { pattern: `(${variants.join('|')})`, halves }
}
