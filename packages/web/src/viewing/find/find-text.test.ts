import { expect, test } from 'vitest'
import { defaultFindOptions, matchesIn } from './find-text.ts'

test('[R164] words are found in any case or as they are written, anywhere or as whole words, Chinese ones too', () => {
  const text = 'Pay, payment, PAY\n付款期限与收款人'
  expect(matchesIn(text, 'pay', defaultFindOptions)).toEqual([0, 5, 14])
  expect(matchesIn(text, 'Pay', { matchCase: true, whole: false })).toEqual([0])
  expect(matchesIn(text, 'pay', { matchCase: false, whole: true })).toEqual([0, 14])
  expect(matchesIn(text, '款', defaultFindOptions)).toHaveLength(2)
  expect(matchesIn(text, '款', { matchCase: false, whole: true })).toEqual([])
  expect(matchesIn(text, '付款', { matchCase: false, whole: true })).toEqual([18])
  expect(matchesIn(text, '', defaultFindOptions)).toEqual([])
  expect(matchesIn('aaaa', 'aa', defaultFindOptions)).toEqual([0, 2])
  expect(matchesIn('aaaa', 'a', defaultFindOptions, 3)).toHaveLength(3)
})
