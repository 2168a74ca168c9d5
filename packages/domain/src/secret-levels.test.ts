import { expect, test } from 'vitest'
import { secretLevelNow, secretUntil } from './secret-levels.ts'

const at = (text: string): number => Date.parse(`${text}Z`)

test.each([
  ['2026-11-20T10:00:00', 0, 0, null],
  ['2026-11-20T10:00:00', 5, 0, null],
  ['2026-11-20T10:00:00', 0, 2, null],
  ['2026-11-20T10:00:00', 10, 1, '2026-11-30T10:00:00'],
  ['2026-11-20T10:00:00', 3, 2, '2027-02-20T10:00:00'],
  ['2026-12-31T10:00:00', 2, 2, '2027-02-28T10:00:00'],
  ['2028-02-29T10:00:00', 1, 3, '2029-02-28T10:00:00'],
  ['2026-11-20T10:00:00', 20, 3, '2046-11-20T10:00:00'],
  ['2026-11-20T10:00:00', 36_500, 3, '+038526-11-20T10:00:00'],
])('a level set at %s for %i of unit %i ends at %s', (now, duration, unit, end) => {
  expect(secretUntil(at(now), duration, unit)).toBe(end === null ? null : at(end))
})

test('a level holds until its end, and not at it', () => {
  expect(secretLevelNow(3, null, 1e15)).toBe(3)
  expect(secretLevelNow(3, 1000, 999)).toBe(3)
  expect(secretLevelNow(3, 1000, 1000)).toBe(0)
})
