import { expect, test } from 'vitest'
import { nameInText } from './item.ts'

test.each([
  ['合同.docx', '合同.docx'],
  [`${'长'.repeat(35)}.docx`, `${'长'.repeat(35)}.docx`],
  [`${'长'.repeat(200)} (2).docx`, `${'长'.repeat(26)}…${'长'.repeat(3)} (2).docx`],
  [`${'😀'.repeat(60)}.txt`, `${'😀'.repeat(26)}…${'😀'.repeat(8)}.txt`],
])('%s stands in a sentence with its beginning, its number and its extension', (name, shown) => {
  expect(nameInText(name)).toBe(shown)
})
