import { expect, it } from 'vitest'
import { maskedMobile, mobileOf } from './mobile.ts'

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

it.each([
  ['13800000021', '138****0021'],
  ['+8613800000021', '+86138****0021'],
  ['123456', '****56'],
])('is shown without its middle: %s', (number, shown) => {
  expect(maskedMobile(number)).toBe(shown)
})
