/*
 * What rows of a list stand together under a head. A group is a run of rows in the list's order, so its key is made of
 * the key that the rows are ordered by; the server counts groups by the same rule in SQL.
 */

/** What stands before a Chinese name's pinyin in its sort key. */
const han = '|'

/**
 * The group of a name by its sort key: `0` for digits, a Latin letter, `|` with the first letter of the pinyin, and four
 * for signs, by where they sort. Groups sort as their names do.
 */
export function nameGroup(nameSort: string): string {
  const first = nameSort[0] ?? ''
  if (first < '0') return ' '
  if (first <= '9') return '0'
  if (first < 'a') return ':'
  if (first <= 'z') return first
  if (first < han) return '{'
  if (first > han) return '~'
  const second = nameSort[1] ?? ''
  return second >= 'a' && second <= 'z' ? han + second : `${han}~`
}

/** Where one size ends and the next begins, in bytes: empty, tiny, small, medium, large, huge. */
export const sizeBounds = [1, 16 * 1024, 1024 * 1024, 128 * 1024 * 1024, 1024 * 1024 * 1024] as const

/** The group of a number among rising bounds: how many of them it has reached. */
export function boundGroup(value: number, bounds: readonly number[]): string {
  return String(bounds.filter((bound) => value >= bound).length)
}
