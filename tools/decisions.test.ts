// Everything that code and documents cite as a decision has an entry on docs/decisions.md.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/decisions.md'), 'utf8')
const skipped = new Set(['node_modules', 'dist'])

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesOf(path)
    return /\.(?:tsx?|mjs|css|md)$/.test(entry.name) ? [path] : []
  })
}

/** The text of a file with each paragraph of comments on one line, so that citations may cross lines. */
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll(/\n\s*(?:\/\/|\*)? ?/g, ' ')

const citing = ['packages', 'e2e', 'tools', 'scripts', 'docs'].flatMap(filesOf)
const texts = citing.filter((path) => !['tools/decisions.test.ts', 'docs/decisions.md'].includes(path)).map(textOf)
const cited = (pattern: RegExp): string[] =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)))].toSorted()

const entries = new Set([...page.matchAll(/^\| (X\d+) \|/gm)].map(([, name]) => name))
const headings = new Set([...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name))

test('every cited X number has an entry', () => {
  const numbers = cited(/\b(X\d{1,2})\b/g)
  expect(numbers.length).toBeGreaterThan(50)
  expect(numbers.filter((name) => !entries.has(name))).toEqual([])
})

test('every cited heading has a section', () => {
  const quoted = cited(/\bdecisions,? \(?"([^"]+)"/g)
  const listed = cited(/\bdecisions (E\d)\b/g)
  expect(quoted).toContain('Rights evaluation')
  expect([...quoted, ...listed].filter((name) => !headings.has(name))).toEqual([])
})

test('no citation leads to a document that is not in the repository', () => {
  expect(cited(/\b(admin\.md|X\d{1,2} of decisions|spec\/decisions)/g)).toEqual([])
})
