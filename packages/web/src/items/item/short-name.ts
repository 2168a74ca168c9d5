// Shortens a long name for a sentence or a button to its beginning and its end, as in a list.
import { isolated } from '../../core/i18n/isolate.ts'

const mostCharacters = 40
const endCharacters = 12

/** Returns the name for use within other text. Where it is shortened, put the full name into a `title`. */
export function nameInSentence(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= mostCharacters) return isolated(name)
  const head = characters
    .slice(0, mostCharacters - endCharacters - 1)
    .join('')
    .trimEnd()
  return isolated(`${head}…${characters.slice(-endCharacters).join('').trimStart()}`)
}
