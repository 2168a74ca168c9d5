// A long name where it stands in a sentence or on a button: its beginning and its end, as a list shows it.
import { isolated } from '../../core/i18n/isolate.ts'

const mostCharacters = 40
const endCharacters = 12

/** The name for a place among other words; where it is cut, the whole of it belongs in a `title`. */
export function nameInSentence(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= mostCharacters) return isolated(name)
  const head = characters
    .slice(0, mostCharacters - endCharacters - 1)
    .join('')
    .trimEnd()
  return isolated(`${head}…${characters.slice(-endCharacters).join('').trimStart()}`)
}
