import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACCEPTANCE_PAGE, acceptancePage, proofs, proofsIn, rowsCited } from './acceptance.ts'

const root = join(import.meta.dirname, '..')

test('docs/acceptance.md is what the tests say; npm run docs writes it', () => {
  expect(readFileSync(join(root, ACCEPTANCE_PAGE), 'utf8')).toBe(acceptancePage(root))
  expect(proofs(root).length).toBeGreaterThan(600)
})

test('every sentence stands above a test that cites its row', () => {
  expect(proofs(root).filter(({ row, title }) => !rowsCited(title).has(row))).toEqual([])
})

test('every sentence begins with a capital and ends with a full stop', () => {
  expect(proofs(root).filter(({ sentence }) => /^\p{Ll}/u.test(sentence) || !sentence.endsWith('.'))).toEqual([])
})

test('a sentence belongs to the next test alone', () => {
  const line = (row: string, text: string): string => `// [${row}] ${text}`
  const text = [
    line('R001', 'One thing works'),
    '// in two lines.',
    line('R002', 'Another works.'),
    "longTest.each(['a'])(",
    "  '[R001] [R002] both %s', () => {})",
    line('R003', 'Nobody proves this.'),
    "test('without a row', () => {})",
    "test('[R003] a later one', () => {})",
  ].join('\n')
  expect(proofsIn('a.test.ts', text)).toEqual([
    { row: 'R001', sentence: 'One thing works in two lines.', path: 'a.test.ts', title: '[R001] [R002] both %s' },
    { row: 'R002', sentence: 'Another works.', path: 'a.test.ts', title: '[R001] [R002] both %s' },
    { row: 'R003', sentence: 'Nobody proves this.', path: 'a.test.ts', title: '' },
  ])
})

test('a title cites single rows and ranges', () => {
  expect([...rowsCited('[R014]-[R016] and [R020]')]).toEqual(['R014', 'R015', 'R016', 'R020'])
})
