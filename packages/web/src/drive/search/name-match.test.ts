import { expect, test } from 'vitest'
import { markMatches } from './name-match.ts'

const marked = (name: string, keyword: string, nameSort = ''): string =>
  markMatches(name, keyword, nameSort)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('')

test.each([
  ['采购合同.docx', '合同', '采购[合同].docx'],
  ['Report-report.PDF', 'REPORT', '[Report]-[report].PDF'],
  ['年度 预算 2026.xlsx', '2026 预算', '年度 [预算] [2026].xlsx'],
  ['aaa', 'aa', '[aaa]'],
  ['İstanbul.txt', 'stan', 'İstanbul.txt'],
])('in %s the words of "%s" are marked', (name, keyword, expected) => {
  expect(marked(name, keyword)).toBe(expected)
})

const contract = ['采购合同2026.docx', '|cai3采|gou4购|he2合|tong2同0042026.docx'] as const
test.each([
  ['ht', '采购[合同]2026.docx'],
  ['caig', '[采购]合同2026.docx'],
  ['tong20', '采购合[同20]26.docx'],
  ['gh 20', '采[购合]同[20]26.docx'],
  ['ou', '采购合同2026.docx'],
])('"%s" marks the characters that it spells, by pinyin or initials', (keyword, expected) => {
  expect(marked(contract[0], keyword, contract[1])).toBe(expected)
})

test.each([
  ['dz', '第007章'],
  ['d0', '[第0]07章'],
  ['7z', '第00[7章]'],
  ['di', '[第]007章'],
])('"%s" marks where numbers have leading zeros, which the sort key leaves out', (keyword, expected) => {
  expect(marked('第007章', keyword, '|di4第0017|zhang1章')).toBe(expected)
})

test('a name of dates is marked by its initials', () => {
  expect(marked('办法（2025-03-05）.pdf', 'bf', '|ban4办|fa3法（0042025-0013-0015）.pdf')).toBe(
    '[办法]（2025-03-05）.pdf',
  )
})

test('nothing is marked by its reading where name and readings do not fit', () => {
  expect(marked('第七章', 'di', '|di4第|zhang1章')).toBe('第七章')
})
