// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { numberInRoom } from './narrow-number.ts'

// [R163] A number or date that does not fit its column is shown as number signs, never with digits cut off.
test('[R163] a number that does not fit is no shorter number; only decimals of the general format are left out', () => {
  expect(numberInRoom('1234567890', 200, {})).toBe('1234567890')
  expect(numberInRoom('1234567890', 30, {})).toMatch(/^#+$/)
  expect(numberInRoom('2024-03-05', 30, {})).toMatch(/^#+$/)
  expect(numberInRoom('1234567890', 0, {})).toBe('#')
  // A larger font needs more room.
  expect(numberInRoom('12345', 40, { size: 13 })).toBe('12345')
  expect(numberInRoom('12345', 40, { size: 26 })).toMatch(/^#+$/)
  expect(numberInRoom('0.3333333333', 36, {}, true)).toMatch(/^0\.3+$/)
  expect(numberInRoom('-2.6666666', 20, {}, true)).toBe('-3')
  expect(numberInRoom('0.3333333333', 36, {}, false)).toMatch(/^#+$/)
  expect(numberInRoom('123456.5', 30, {}, true)).toMatch(/^#+$/)
})
