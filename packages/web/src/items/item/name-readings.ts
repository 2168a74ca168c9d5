/**
 * The reading of a character in a name. For a Chinese character: its pinyin syllable and the first letter of the
 * syllable. Any other character stands for itself.
 */
export interface Reading {
  readonly full: string
  readonly initial: string
}

/**
 * Returns the readings of a name from the sort key that the server sends with each row, so that 重庆 is read as it is
 * sorted. A name with leading zeros has fewer readings than characters, because its sort key omits them.
 */
export function readingsOf(nameSort: string): Reading[] {
  const readings: Reading[] = []
  for (let at = 0; at < nameSort.length; ) {
    const syllable = /^\|([a-zü]+)\d?[^|]/u.exec(nameSort.slice(at, at + 12))
    const digits = /^\d{3}/.exec(nameSort.slice(at, at + 3))
    if (syllable !== null) {
      const [whole, full = ''] = syllable
      readings.push({ full, initial: full[0] ?? '' })
      at += whole.length
    } else if (digits !== null) {
      // In the sort key, digits follow their count, which is three digits wide.
      const number = nameSort.slice(at + 3, at + 3 + Number(digits[0]))
      for (const digit of number) readings.push({ full: digit, initial: digit })
      at += 3 + Number(digits[0])
    } else {
      const character = (nameSort[at] ?? '').toLowerCase()
      readings.push({ full: character, initial: character })
      at += 1
    }
  }
  return readings
}

const isDigit = (text: string | undefined): boolean => text !== undefined && /^\d$/.test(text)

/** Returns one reading per character of a name. Leading zeros, which the sort key omits, stand for themselves. */
export function characterReadings(name: string, nameSort: string): Reading[] {
  const said = readingsOf(nameSort)
  const readings: Reading[] = []
  for (const [part] of name.matchAll(/\d+|\D/g)) {
    const own: Reading[] = []
    for (let next = said[0]; own.length < part.length && next !== undefined; next = said[0]) {
      if (isDigit(part[0]) !== isDigit(next.full)) break
      own.push(next)
      said.shift()
    }
    const zeros = isDigit(part[0]) ? part.length - own.length : 0
    readings.push(...Array.from({ length: zeros }, () => ({ full: '0', initial: '0' })), ...own)
  }
  return [...readings, ...said]
}
