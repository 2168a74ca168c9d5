import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The rows of docs/acceptance.md: `| R014 | what works | path › title |`. */
function rows(): { row: string; path: string; title: string }[] {
  return readFileSync(join(root, 'docs/acceptance.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| *R\d/.test(line))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      const [path = '', ...title] = (cells.at(-2) ?? '').replaceAll('`', '').split(' › ')
      return { row: cells[1] ?? '', path, title: title.join(' › ') }
    })
}

test('every row of docs/acceptance.md names a test that exists', () => {
  const missing = rows().filter(({ path, title }) => {
    const file = join(root, path)
    return title === '' || !existsSync(file) || !readFileSync(file, 'utf8').includes(title)
  })
  expect(missing).toEqual([])
  expect(rows().length).toBeGreaterThan(0)
})

/** The rows that a title cites, `[R014]` or `[R014]-[R016]`. */
function cited(title: string): Set<string> {
  const rowOf = (number: number): string => `R${String(number).padStart(3, '0')}`
  const found = [...title.matchAll(/\[R(\d{3})\](?:-\[R(\d{3})\])?/g)].flatMap(([, from = '', to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => rowOf(Number(from) + i)),
  )
  return new Set(found)
}

test('every test that a row of docs/acceptance.md names cites the row', () => {
  expect(rows().filter(({ row, title }) => !cited(title).has(row))).toEqual([])
})
