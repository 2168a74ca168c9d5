// The name columns of people, departments and roles.
import { fail, itemName } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { likeAnywhere, shortWords, textKeys } from '../../core/text-keys.ts'
import { accountKey } from '../auth/index.ts'

/** The columns of a name of a person, department or role. The rule for item names applies. */
export function named(raw: string) {
  const checked = itemName(raw)
  if ('code' in checked) return fail(checked.code)
  const keys = textKeys(checked.key)
  return { name: checked.name, key: checked.key, sort: keys.sort, text: keys.text, grams: [...shortWords(keys.text)] }
}

/** The name and search columns of a person. */
export function personColumns(person: { readonly account: string; readonly accountName: string }) {
  const { name, sort } = named(person.accountName)
  const key = accountKey(person.account)
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(key)) return fail('illegalName', 'account')
  const searched = `${key}\n${textKeys(name.toLowerCase()).text}`
  return {
    account: person.account.trim(),
    account_key: key,
    name,
    name_sort: sort,
    search_text: searched,
    search_grams: [...shortWords(searched)],
  }
}

/** Words up to this length are searched in the word index of a person or department. */
const longestGram = 2

/**
 * Condition that a word matches a row of accounts or departments with the alias `of`. It uses an index for any length
 * of word.
 */
export const matchesWord = (of: 'a' | 'g', word: string): RawBuilder<boolean> =>
  [...word].length <= longestGram
    ? sql`${sql.ref(`${of}.search_grams`)} @> array[${word}]`
    : sql`${sql.ref(`${of}.search_text`)} like ${likeAnywhere(word)}`
