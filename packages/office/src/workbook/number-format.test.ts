import { expect, test } from 'vitest'
import { cellContent, daysOfIso, storedText } from './cell-content.ts'
import { formatNumber } from './number-format.ts'

// [R163] Number formats of workbooks are shown as the Chinese Excel shows them: Chinese numerals, weekdays, morning and
// afternoon, eras, escaped characters, currencies and texts around numbers.
test.each([
  ['[DBNum2][$-804]General"元整"', 1234, '壹仟贰佰叁拾肆元整'],
  ['[DBNum2]General', 100_500_006, '壹亿零伍拾万零陆'],
  ['[DBNum2]General', 10.25, '壹拾.贰伍'],
  ['[DBNum1]General', -10_010, '-一万零一十'],
  ['[DBNum1][$-804]General', 105, '一百零五'],
  ['[DBNum1]General', 0, '零'],
  ['[DBNum1]0', 2024, '二〇二四'],
  ['[DBNum2]0', 0, '零'],
  ['[DBNum1][$-804]yyyy"年"m"月"d"日"', 45_356, '二〇二四年三月五日'],
  ['[DBNum1][$-804]m"月"d"日"', 45_615, '十一月十九日'],
  ['[DBNum2]yyyy"年"m"月"d"日"', 45_615, '贰零贰肆年壹拾壹月壹拾玖日'],
  ['[$-804]aaaa', 45_356, '星期二'],
  ['[$-804]AM/PMh"时"mm"分"', 45_356.5625, '下午1时30分'],
  ['上午/下午h"时"mm"分"ss"秒"', 45_356.0625, '上午1时30分00秒'],
  ['[h]:mm', 1.5, '36:00'],
  ['[>=10000]0.0,"万";0', 25_000, '2.5万'.replace('2.5', '25.0')],
  ['0!.0,"万"', 25_000, '2.5万'],
  ['@"先生"', 0, '0先生'],
  ['@', 12.5, '12.5'],
  ['[$-411]ggge"年"m"月"d"日"', 45_356, '令和6年3月5日'],
  ['[$-411]gge"年"', 43_000, '平29年'],
  ['[$-404]e"年"', 45_356, '113年'],
  ['[$€-407] #,##0.00', 9, '€ 9.00'],
  ['[$¥-804]#,##0.00', 9, '¥9.00'],
  ['mmmmm', 45_356, 'M'],
  ['d-mmm-yy', 45_356, '5-Mar-24'],
  ['[$-804]mmmm', 45_356, '三月'],
  ['[$-F800]dddd, mmmm dd, yyyy', 45_356, '2024年3月5日'],
  ['# ?/?', 2.5, '2 1/2'],
  ['0.00E+00', 12_345, '1.23E+04'],
  ['yyyy-mm-dd hh:mm:ss.000', 45_356.5, '2024-03-05 12:00:00.000'],
  ['[Red]-0.00;[Blue]0.00', 3, '-3.00'],
  [';;;', 7, ''],
  ['G/通用格式"元"', 7, '7元'],
])('[R163] the format %s shows %d as %s', (code, value, text) => {
  expect(formatNumber(code, value)).toBe(text)
})

// [R163] The value of a cell is what its XML says: truth in words, dates as in ISO 8601, escaped characters.
test('[R163] what the XML of a cell means', () => {
  const of = (type: string, value: string | undefined, since1904 = false) =>
    cellContent(type, value, () => '共享', since1904)
  expect(of('b', 'true')).toEqual({ kind: 'boolean', value: true })
  expect(of('b', '0')).toEqual({ kind: 'boolean', value: false })
  expect(of('d', '2024-03-05T12:00:00')).toEqual({ kind: 'number', value: 45_356.5 })
  expect(of('d', '2024-03-05', true)).toEqual({ kind: 'number', value: 45_356 - 1462 })
  expect(of('d', 'soon')).toEqual({ kind: 'text', value: 'soon' })
  expect(of('n', '')).toEqual({ kind: 'empty' })
  expect(of('n', '1e3')).toEqual({ kind: 'number', value: 1000 })
  expect(of('s', '4')).toEqual({ kind: 'text', value: '共享' })
  expect(of('str', '甲_x000D_乙')).toEqual({ kind: 'text', value: '甲\r乙' })
  expect(daysOfIso('1900-01-01', false)).toBe(1)
  expect(daysOfIso('1900-03-01', false)).toBe(61)
  expect(daysOfIso('18:00:00', false)).toBe(0.75)
  expect(storedText('_x005F_x000D_')).toBe('_x000D_')
})
