import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ADR_INDEX, adrFiles, adrIndex, adrOf } from './adr-index.ts'

const root = join(import.meta.dirname, '..')

test('every ADR has a title with its number and topic', () => {
  expect(adrFiles(root).filter((file) => adrOf(root, file) === undefined)).toEqual([])
})

test('no two ADRs have one number', () => {
  const numbers = adrFiles(root).map((file) => file.slice(0, 4))
  expect(numbers).toEqual([...new Set(numbers)])
})

test('docs/adr/README.md lists every ADR; npm run docs writes it', () => {
  expect(readFileSync(join(root, ADR_INDEX), 'utf8')).toBe(adrIndex(root))
})
