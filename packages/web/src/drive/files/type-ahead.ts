// What typing letters in a list means: names that begin with them, by their letters, their pinyin or its initials. The
// readings are those of the sort key that the server sends with each row, so that what sorts as 重庆 is found as cq.

/** Milliseconds after which the next letter begins a new word. */
export const typeAheadMs = 700

/** A name as it can be typed: itself, its pinyin, its initials. */
function spellings(name: string, nameSort: string): string[] {
  let full = ''
  let initials = ''
  for (let at = 0; at < nameSort.length; ) {
    const syllable = /^\|([a-zü]+)\d?[^|]/u.exec(nameSort.slice(at, at + 12))
    const digits = /^\d{3}/.exec(nameSort.slice(at, at + 3))
    if (syllable !== null) {
      full += syllable[1]
      initials += syllable[1]?.[0]
      at += syllable[0].length
    } else if (digits !== null) {
      // Digits stand behind their number, three digits wide.
      const number = nameSort.slice(at + 3, at + 3 + Number(digits[0]))
      full += number
      initials += number
      at += 3 + Number(digits[0])
    } else {
      full += nameSort[at]
      initials += nameSort[at]
      at += 1
    }
  }
  return [name.toLowerCase(), full.toLowerCase(), initials.toLowerCase()]
}

/** Whether the name begins with what was typed. */
export function beginsWith(item: { readonly fName: string; readonly nameSort: string }, typed: string): boolean {
  const wanted = typed.toLowerCase()
  return spellings(item.fName, item.nameSort).some((spelling) => spelling.startsWith(wanted))
}
