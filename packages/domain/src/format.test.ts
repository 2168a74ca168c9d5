import { describe, expect, test } from 'vitest'
import { formatSize, fullTime, shortName, shortTime } from './format.ts'

// [R006] Sizes in base 1024, two decimals or one.
describe('[R006] sizes', () => {
  test.each([
    [0, '0 B'],
    [512.7, '512 B'],
    [1023, '1023 B'],
    [1024, '1.00 KB'],
    [1536, '1.50 KB'],
    [1_048_575, '1.00 MB'],
    [524_288_000, '500.00 MB'],
    [1024 ** 3, '1.00 GB'],
    [1024 ** 4 * 2.5, '2.50 TB'],
    [1024 ** 5, '1.00 PB'],
    [1024 ** 6, '1024.00 PB'],
    [-1, ''],
    [Number.NaN, ''],
  ])('%i bytes are %j', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })

  test('one decimal is for the other view', () => {
    expect(formatSize(1536, 1)).toBe('1.5 KB')
    expect(formatSize(1_048_000, 1)).toBe('1023.4 KB')
    expect(formatSize(1_048_560, 1)).toBe('1.0 MB')
  })
})

test('a full time is written to the second, the year first, and is empty for 1970', () => {
  expect(fullTime(new Date(2026, 10, 5, 9, 4, 33).getTime())).toBe('2026-11-05 09:04:33')
  expect(fullTime(0)).toBe('')
})

// [R007] Short times: clock, yesterday, weekday, date; 1970 is empty.
describe('[R007] short times', () => {
  const at = (text: string) => new Date(text).getTime()
  const now = at('2026-03-11T15:30:00') // a Wednesday

  test.each([
    ['2026-03-11T09:05:00', '09:05', '09:05'],
    ['2026-03-11T00:00:00', '00:00', '00:00'],
    ['2026-03-11T23:59:00', '23:59', '23:59'],
    ['2026-03-10T23:59:59', '昨天', 'Yesterday'],
    ['2026-03-10T00:00:00', '昨天', 'Yesterday'],
    ['2026-03-09T12:00:00', '星期一', 'Monday'],
    ['2026-03-08T12:00:00', '星期日', 'Sunday'],
    ['2026-03-05T00:00:00', '星期四', 'Thursday'],
    ['2026-03-04T23:59:00', '26/3/04', '26/3/04'],
    ['2005-12-31T10:00:00', '05/12/31', '05/12/31'],
    ['2026-03-12T08:00:00', '26/3/12', '26/3/12'],
    ['1971-06-01T00:00:00', '71/6/01', '71/6/01'],
  ])('%s shows as %s and %s', (time, zh, en) => {
    expect(shortTime(at(time), now, 'zh')).toBe(zh)
    expect(shortTime(at(time), now, 'en')).toBe(en)
  })

  test('a time of 1970 shows empty', () => {
    for (const ms of [0, 1, Date.UTC(1970, 11, 31), Number.NaN]) expect(shortTime(ms, now, 'zh')).toBe('')
  })
})

// [R130] Long names are shortened to the first 8 and last 6 characters: in the notices of downloads and on the cards of
// chat.
describe('[R130] long names', () => {
  test.each([
    ['123456789', '123456789'],
    ['1234567890', '12345678…567890'],
    ['2026年度财务预算报告终稿.docx', '2026年度财务…稿.docx'],
    ['😀😀😀😀😀😀😀😀😀', '😀😀😀😀😀😀😀😀😀'],
    ['😀234567890', '😀2345678…567890'],
  ])('%s is shown as %s', (name, short) => {
    expect(shortName(name)).toBe(short)
  })
})
