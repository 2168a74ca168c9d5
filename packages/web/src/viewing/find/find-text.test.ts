import { expect, test } from 'vitest'
import { findAnyhow, placesIn } from './find-text.ts'

test('[R164] words are found in any case or as they are written, anywhere or as whole words, Chinese ones too', () => {
  const text = 'Pay, payment, PAY\n付款期限与收款人'
  expect(placesIn(text, 'pay', findAnyhow)).toEqual([0, 5, 14])
  expect(placesIn(text, 'Pay', { matchCase: true, whole: false })).toEqual([0])
  expect(placesIn(text, 'pay', { matchCase: false, whole: true })).toEqual([0, 14])
  expect(placesIn(text, '款', findAnyhow)).toHaveLength(2)
  expect(placesIn(text, '款', { matchCase: false, whole: true })).toEqual([])
  expect(placesIn(text, '付款', { matchCase: false, whole: true })).toEqual([18])
  expect(placesIn(text, '', findAnyhow)).toEqual([])
  expect(placesIn('aaaa', 'aa', findAnyhow)).toEqual([0, 2])
  expect(placesIn('aaaa', 'a', findAnyhow, 3)).toHaveLength(3)
})
