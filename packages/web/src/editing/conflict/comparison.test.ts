// Comparing two edits of one version as text lines, and finding their overlaps.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { openWorkbook } from '@cloudoc/office/workbook'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { expect, test } from 'vitest'
import { differences, linesOf } from './comparison.ts'

const base = ['甲', '乙', '丙', '丁']

// [R174] The question says how much each side changed and where both changed the same, and shows both side by side.
test.each([
  ['the same line', ['甲', '乙1', '丙', '丁'], ['甲', '乙2', '丙', '丁'], 1],
  ['lines side by side', ['甲', '乙1', '丙', '丁'], ['甲', '乙', '丙2', '丁'], 0],
  ['something new at one place', ['甲', '新', '乙', '丙', '丁'], ['甲', '别的', '乙', '丙', '丁'], 1],
  ['one takes out what the other changed', ['甲', '丁'], ['甲', '乙', '丙2', '丁'], 1],
  ['two places', ['甲1', '乙', '丙', '丁1'], ['甲2', '乙', '丙', '丁2'], 2],
  ['nothing', base, ['甲', '乙2'], 0],
])('[R174] where both have changed: %s', (_, mine, theirs, n) => {
  expect(differences({ base, mine, theirs }).atOnce).toBe(n)
})

test('[R174] how many lines are others', () => {
  expect(differences({ base, mine: ['甲', '乙1', '丙', '丁', '戊'], theirs: ['甲'] })).toMatchObject({
    mine: 2,
    theirs: 3,
  })
  expect(differences({ base, mine: base, theirs: base })).toEqual({ mine: 0, theirs: 0, atOnce: 0 })
})

test('[R174] texts, documents and workbooks are compared by their words', async () => {
  expect(await linesOf('a.md', new TextEncoder().encode('一\r\n二\n三'))).toEqual(['一', '二', '三'])
  const sample = join(dirname(createRequire(import.meta.url).resolve('mammoth/package.json')), 'test/test-data')
  const document = new Uint8Array(readFileSync(join(sample, 'footnotes.docx')))
  expect(await linesOf('a.docx', document)).toEqual([
    expect.stringMatching(/^Ouch/),
    expect.stringContaining('A tachyon walks into a bar.'),
    expect.stringContaining('Fin.'),
  ])
  const book = openWorkbook(new Uint8Array(emptyDocument('xlsx') ?? []))
  const [sheet] = book.sheets
  book.type(sheet?.part ?? '', [
    { row: 1, column: 0, text: '名称' },
    { row: 1, column: 2, text: '12.5' },
  ])
  expect(await linesOf('a.xlsx', book.bytes())).toEqual([sheet?.name, '名称 │  │ 12.5'])
  expect(await linesOf('a.pptx', new Uint8Array(emptyDocument('pptx') ?? []))).toEqual(expect.any(Array))
})
