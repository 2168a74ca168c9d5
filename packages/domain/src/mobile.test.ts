import { expect, it } from 'vitest'
import { mobileOf } from './mobile.ts'

it.each([
  ['138 0000 0000', '13800000000'],
  ['+86 (138) 0000-0000', '+8613800000000'],
  ['', undefined],
  ['12345', undefined],
  ['1234567890123456', undefined],
  ['+86+138', undefined],
  ['1380000000x', undefined],
])('is read from what people write: %s', (written, number) => {
  expect(mobileOf(written)).toBe(number)
})
