// The columns of names and accounts of people, departments and roles.
import { fail, itemName } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { likeAnywhere, shortWords, textKeys } from '../../core/text-keys.ts'
import { accountKey } from '../auth/index.ts'

/** The columns of a name of a person, department or role; the rule for item names holds here too. */
export function named(raw: string) {
  const checked = itemName(raw)
  if ('code' in checked) return fail(checked.code)
  const keys = textKeys(checked.key)
  return { name: checked.name, key: checked.key, sort: keys.sort, text: keys.text, grams: [...shortWords(keys.text)] }
}

/** The columns by which a person is named and found. */
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

/** Words up to this length are looked for among the words of a person or department. */
const longestGram = 2

/** Whether a word is of a row of people or departments, which goes by the name of `of`; by an index, however long it is. */
export const matchesWord = (of: 'a' | 'g', word: string): RawBuilder<boolean> =>
  [...word].length <= longestGram
    ? sql`${sql.ref(`${of}.search_grams`)} @> array[${word}]`
    : sql`${sql.ref(`${of}.search_text`)} like ${likeAnywhere(word)}`
