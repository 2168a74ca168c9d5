import { expect, test } from 'vitest'
import { markMatches } from './match.ts'

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

test('nothing is marked by its reading where name and readings differ in length', () => {
  expect(marked('第007章', 'di', '|di4第0017|zhang1章')).toBe('第007章')
})
