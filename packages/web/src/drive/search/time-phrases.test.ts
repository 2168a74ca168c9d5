import { expect, test } from 'vitest'
import { parseTimePhrase } from './time-phrases.ts'

/** A Tuesday. */
const now = new Date(2026, 10, 24, 22, 30)
const day = (month: number, date: number, year = 2026): number => new Date(year, month - 1, date).getTime()

test.each([
  ['ysgd, last week', 'ysgd', day(11, 16), day(11, 23), false],
  ['ysgd上周', 'ysgd', day(11, 16), day(11, 23), false],
  ['预算 上上周', '预算', day(11, 9), day(11, 16), false],
  ['预算 本周', '预算', day(11, 23), day(11, 30), false],
  ['预算，本月', '预算', day(11, 1), day(12, 1), false],
  ['budget Yesterday', 'budget', day(11, 23), day(11, 24), false],
  ['预算 去年', '预算', day(1, 1, 2025), day(1, 1, 2026), false],
  ['ysgd sz', 'ysgd', day(11, 16), day(11, 23), true],
])('[R241] %s', (typed, keyword, timeFrom, timeTo, isShort) => {
  expect(parseTimePhrase(typed, now)).toMatchObject({ keyword, isShort, time: { timeFrom, timeTo } })
})

test.each(['上周', 'last week', 'blast week', 'htsz', 'ysgd'])('%s says no time behind words', (typed) => {
  expect(parseTimePhrase(typed, now)).toBeUndefined()
})
