import { expect, test } from 'vitest'
import { markMatches } from './match.ts'

const marked = (name: string, keyword: string): string =>
  markMatches(name, keyword)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('')

test.each([
  ['采购合同.docx', '合同', '采购[合同].docx'],
  ['Report-report.PDF', 'REPORT', '[Report]-[report].PDF'],
  ['年度 预算 2026.xlsx', '2026 预算', '年度 [预算] [2026].xlsx'],
  ['aaa', 'aa', '[aaa]'],
  ['合同.docx', 'ht', '合同.docx'],
  ['İstanbul.txt', 'stan', 'İstanbul.txt'],
])('in %s the words of "%s" are marked', (name, keyword, expected) => {
  expect(marked(name, keyword)).toBe(expected)
})
