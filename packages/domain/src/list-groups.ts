/*
 * Groups of list rows under a heading. A group is a run of rows in list order, so its key derives from the sort key.
 * The server counts the groups by the same rule in SQL.
 */

/** Prefix of the pinyin in the sort key of a Chinese name. */
const han = '|'

/**
 * Returns the group of a name by its sort key: `0` for digits, a Latin letter, `|` with the first letter of the pinyin,
 * and four groups for other signs by their sort position. Groups sort like their names.
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

/** Boundaries between the size groups in bytes: empty, tiny, small, medium, large, huge. */
export const sizeBounds = [1, 16 * 1024, 1024 * 1024, 128 * 1024 * 1024, 1024 * 1024 * 1024] as const

/** Returns the group of a number: how many of the ascending bounds it reaches. */
export function boundGroup(value: number, bounds: readonly number[]): string {
  return String(bounds.filter((bound) => value >= bound).length)
}
