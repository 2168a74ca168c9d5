import { expect, test } from 'vitest'
import { beginsWith } from './type-ahead.ts'

const named = (fName: string, nameSort: string) => ({ fName, nameSort })

test('a name is found by its letters, its pinyin and its initials, from the start alone', () => {
  const contract = named('合同2026.docx', '|he2合|tong2同0042026.docx')
  for (const typed of ['合', '合同', 'h', 'ht', 'HT', 'he', 'hetong', 'ht20', 'hetong2026.d']) {
    expect(beginsWith(contract, typed), typed).toBe(true)
  }
  for (const typed of ['t', '同', 'hx', 'ht004', 'tong']) expect(beginsWith(contract, typed), typed).toBe(false)
})

test('the reading is that of the phrase, digits are as they are written, Latin is without case', () => {
  expect(beginsWith(named('重庆', '|chong2重|qing4庆'), 'cq')).toBe(true)
  expect(beginsWith(named('第10章', '|di4第00210|zhang1章'), 'd10z')).toBe(true)
  expect(beginsWith(named('README.md', 'readme.md'), 'read')).toBe(true)
  expect(beginsWith(named('女工', '|nü3女|gong1工'), 'ng')).toBe(true)
})
