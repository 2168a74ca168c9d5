// Which names typed letters mean: those that begin with them, by their letters, their pinyin or its initials.
import { readingsOf } from './name-readings.ts'

/** A name as it can be typed: itself, its pinyin, its initials. */
function spellings(name: string, nameSort: string): string[] {
  const readings = readingsOf(nameSort)
  return [
    name.toLowerCase(),
    readings.map(({ full }) => full).join(''),
    readings.map(({ initial }) => initial).join(''),
  ]
}

/** Whether the name begins with what was typed. */
export function beginsWith(item: { readonly fName: string; readonly nameSort: string }, typed: string): boolean {
  const wanted = typed.toLowerCase()
  return spellings(item.fName, item.nameSort).some((spelling) => spelling.startsWith(wanted))
}
