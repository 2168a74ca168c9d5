/*
 * How names sort and how they are found: one function for every table that lists or searches names. A new version of it
 * needs a migration that recomputes the columns.
 *
 * sort   digits by value, then Latin letters without case, then Chinese by pinyin with the reading taken from the phrase
 *        (重庆 is chongqing), then everything else; compared as bytes (COLLATE "C").
 * text   the folded name, its full pinyin and its initials, one a line: a query of three letters or more is a part of it.
 * grams  every letter and every pair of neighbours in name and initials, and the first two letters of each syllable:
 *        what one and two letters find, which trigrams cannot.
 */
import { pinyin } from 'pinyin-pro'

/** The derived columns of a name. */
export interface TextKeys {
  readonly sort: string
  readonly text: string
  readonly grams: string[]
}

/** An index row must stay below a third of a page; what is cut off is told apart by id. */
const longestSortKey = 400

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu
const han = /\p{Script=Han}/u
const number = /^\d+$/

/** Keys of a name, folded as queries are. */
export function textKeys(name: string): TextKeys {
  const folded = foldQuery(name)
  const parts = folded.match(/\d+|\p{Script=Han}+|[^\d\p{Script=Han}]/gu) ?? []
  let sort = ''
  let full = ''
  let initials = ''
  const grams = new Set<string>()
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
        grams.add(first + second)
      }
    } else {
      sort += part
      full += part
      initials += part
    }
  }
  addGrams(grams, folded)
  addGrams(grams, initials)
  return {
    sort: sort.slice(0, longestSortKey),
    text: full === folded ? folded : `${folded}\n${full}\n${initials}`,
    grams: [...grams],
  }
}

function addGrams(grams: Set<string>, text: string): void {
  const characters = [...text]
  for (const [i, character] of characters.entries()) {
    grams.add(character)
    const next = characters[i + 1]
    if (next !== undefined) grams.add(character + next)
  }
}

/** What somebody looks for, folded as names are: without case, width, forms that look alike, and what nobody sees. */
export function foldQuery(query: string): string {
  return query.normalize('NFKC').replace(unseen, '').toLowerCase().normalize('NFKC').trim()
}

/**
 * The words of a query, each once. Chinese and Latin letters that stand together are looked for apart, so that 重庆ht
 * finds 重庆合同.
 */
export function searchWords(query: string): string[] {
  return [...new Set(foldQuery(query).split(/\s+|(?<=\p{Script=Han})(?=[a-z])|(?<=[a-z])(?=\p{Script=Han})/u))].filter(
    Boolean,
  )
}

/** `text` as a LIKE pattern that matches it literally anywhere. */
export function likeAnywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
