// The columns of names and accounts of people, departments and roles.
import { fail, itemName } from '@cloudoc/domain'
import { shortWords, textKeys } from '../../core/text-keys.ts'
import { accountKey } from '../auth/index.ts'

/** The columns of a name of a person, department or role; the rule for item names holds here too. */
export function named(raw: string) {
  const checked = itemName(raw)
  if ('code' in checked) return fail(checked.code)
  const keys = textKeys(checked.key)
  return { name: checked.name, key: checked.key, sort: keys.sort, text: keys.text }
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
