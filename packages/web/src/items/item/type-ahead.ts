// Type-ahead: matches typed letters with names that begin with them, by their letters, their pinyin or its initials.
import { readingsOf } from './name-readings.ts'

/** Returns the spellings of a name that can be typed: the name, its pinyin and the initials. */
function spellings(name: string, nameSort: string): string[] {
  const readings = readingsOf(nameSort)
  return [
    name.toLowerCase(),
    readings.map(({ full }) => full).join(''),
    readings.map(({ initial }) => initial).join(''),
  ]
}

/** Whether the name begins with the typed text. */
export function beginsWith(item: { readonly fName: string; readonly nameSort: string }, typed: string): boolean {
  const wanted = typed.toLowerCase()
  return spellings(item.fName, item.nameSort).some((spelling) => spelling.startsWith(wanted))
}
