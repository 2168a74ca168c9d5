/*
 * Sort and search keys of names: one function for every table that lists or searches names. A new version of it needs a
 * migration that recomputes the columns. Names and the queries for them are folded by `foldTyped` (core/folding.ts),
 * like contents: a name in traditional characters is found by simplified ones, and the other way round.
 *
 * - `sort`: digits by value, then Latin letters without case, then Chinese by pinyin with the reading taken from the phrase (重庆 is chongqing), then everything else. Compared as bytes (COLLATE "C").
 * - `text`: what queries match as a substring. The folded name and its initials, a line each; behind the first mark the first two letters of each syllable, behind the second the full pinyin. Where traditional characters read otherwise than the simplified ones (會計 and 会计, 乾隆 and 干隆), both readings are there. One letter is searched before the first mark, two before the second (otherwise `on` would find a name wherever a syllable ends so), three and more anywhere.
 */
import { pinyin } from 'pinyin-pro'
import { foldTyped } from './folding.ts'

/** The derived columns of a name. */
export interface TextKeys {
  readonly sort: string
  readonly text: string
}

/** An index row must stay below a third of a page. Names that are cut off are ordered by id. */
const longestSortKey = 400

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu
const han = /\p{Script=Han}/u
const number = /^\d+$/
/** The marks that end the parts of a text in which one letter, or two, are searched. No folded name contains them. */
const marks = ['\u0001', '\u0002'] as const

/** The pinyin of a text: what it is sorted by, and how it can be typed. */
interface Reading {
  readonly sort: string
  readonly full: string
  readonly initials: string
  readonly starts: readonly string[]
}

function readingOf(text: string): Reading {
  const parts = text.match(/\d+|\p{Script=Han}+|[^\d\p{Script=Han}]/gu) ?? []
  let sort = ''
  let full = ''
  let initials = ''
  const starts = new Set<string>()
  for (const part of parts) {
    if (number.test(part)) {
      const digits = part.replace(/^0+(?=\d)/, '')
      sort += `${String(Math.min(digits.length, 999)).padStart(3, '0')}${digits}`
      full += part
      initials += part
    } else if (han.test(part)) {
      const characters = [...part]
      const readings = pinyin(part, { toneType: 'num', type: 'array', v: true })
      for (const [i, character] of characters.entries()) {
        const reading = readings[i] ?? character
        const plain = reading.replace(/\d$/, '')
        sort += `|${reading}${character}`
        full += plain
        const [first = '', second = ''] = plain
        initials += first
        if (second !== '') starts.add(first + second)
      }
    } else {
      sort += part
      full += part
      initials += part
    }
  }
  return { sort, full, initials, starts: [...starts] }
}

/** Computes the keys of a name. It is folded in the same manner as queries. */
export function textKeys(name: string): TextKeys {
  const written = foldQuery(name)
  const folded = foldTyped(name)
  const reading = readingOf(written)
  const readings = folded === written ? [reading] : [readingOf(folded), reading]
  const initials = [...new Set(readings.map((one) => one.initials))].join('\n')
  const starts = [...new Set(readings.flatMap((one) => one.starts))].join(' ')
  const full = [...new Set(readings.map((one) => one.full))].join(marks[1])
  return {
    // The cut leaves no half of a surrogate pair, which no database stores.
    sort: reading.sort.slice(0, longestSortKey).replace(/[\uD800-\uDBFF]$/, ''),
    text: full === folded ? folded : `${folded}\n${initials}${marks[0]}${starts}${marks[1]}${full}`,
  }
}

/** The mark that ends the part of a text in which a term is searched. Undefined if it is searched anywhere. */
export function endOfPart(word: string): string | undefined {
  return marks[[...word].length - 1]
}

/** The terms of one and two letters by which a text is found. */
export function shortWords(text: string): Set<string> {
  const [names = '', rest = ''] = text.split(marks[0])
  const words = new Set(rest.split(marks[1])[0]?.split(' ').filter(Boolean))
  for (const line of names.split('\n')) {
    const characters = [...line]
    for (const [i, character] of characters.entries()) {
      words.add(character)
      const next = characters[i + 1]
      if (next !== undefined) words.add(character + next)
    }
  }
  return words
}

/** Removes case, width, compatibility variants, and invisible characters; traditional characters stay as they are. */
export function foldQuery(query: string): string {
  return query.normalize('NFKC').replace(unseen, '').toLowerCase().normalize('NFKC').trim()
}

const termsIn = (text: string): string[] => [
  ...new Set(text.split(/\s+|(?<=\p{Script=Han})(?=[a-z])|(?<=[a-z])(?=\p{Script=Han})/u).filter(Boolean)),
]

/**
 * The distinct terms of a query for names, folded like them. Adjacent Chinese and Latin letters are searched separately,
 * so that 重庆ht finds 重庆合同.
 */
export const searchWords = (query: string): string[] => termsIn(foldTyped(query))

/** The same for texts that are not stored simplified: comments, messages, mails, titles. */
export const writtenWords = (query: string): string[] => termsIn(foldQuery(query))

/** `text` as a LIKE pattern that matches it literally anywhere. */
export function likeAnywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
