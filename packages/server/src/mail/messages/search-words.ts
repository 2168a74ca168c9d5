/*
 * The words that a mail is found by. Each is stored with the owner's id, so that the index finds the mails of one person.
 * Chinese is indexed by two letters, other words whole and by their first letters. The index preselects, the text
 * decides.
 */
import { foldQuery, writtenWords } from '../../core/text-keys.ts'
import type { MailSummary } from './mime.ts'

const han = /\p{Script=Han}/u
const mostWords = 2000
const longestText = 20_000
const prefixLengths = [2, 3, 4, 5, 6] as const
const longestWord = 40

/** The columns of a mail's search, with one owner. */
export function searchColumns(accountId: number, mail: MailSummary): { words: string[]; searchText: string } {
  const people = [mail.from, ...mail.to, ...mail.cc].slice(0, 100)
  const all = [
    mail.subject,
    ...people.flatMap(({ name, address }) => [name, address]),
    ...mail.attachments.map(({ name }) => name),
    mail.text,
  ].join('\n')
  const searchText = foldQuery(all.slice(0, longestText))
  return { words: [...termsOf(searchText)].map((term) => `${accountId}:${term}`), searchText }
}

function termsOf(text: string): Set<string> {
  const terms = new Set<string>()
  for (const [part] of text.matchAll(/\p{Script=Han}+|[\p{L}\p{N}_]+/gu)) {
    if (terms.size > mostWords) break
    if (han.test(part)) {
      const letters = [...part]
      for (const [i, letter] of letters.entries()) {
        terms.add(letter)
        const next = letters[i + 1]
        if (next !== undefined) terms.add(letter + next)
      }
    } else {
      const word = part.slice(0, longestWord)
      terms.add(word)
      for (const length of prefixLengths) if (word.length > length) terms.add(word.slice(0, length))
    }
  }
  return terms
}

/** The words of a query: terms of the index, and the folded words that the text must contain. */
export function queryTerms(accountId: number, keyword: string): { terms: string[]; texts: string[] } {
  const texts = writtenWords(keyword)
  const terms = new Set<string>()
  for (const text of texts) {
    for (const [part] of text.matchAll(/\p{Script=Han}+|[\p{L}\p{N}_]+/gu)) {
      const letters = [...part]
      if (han.test(part)) {
        if (letters.length === 1) terms.add(part)
        for (let i = 0; i + 1 < letters.length; i++) terms.add(`${letters[i]}${letters[i + 1]}`)
      } else if (part.length > 1) terms.add(part.length <= 6 ? part : part.slice(0, 6))
    }
  }
  return { terms: [...terms].map((term) => `${accountId}:${term}`), texts }
}
