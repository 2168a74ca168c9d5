// What the hot paths read, on two generated installations, one ten times as large as the other.
import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { generate } from '../bench/generate.ts'
import { hotPaths, pathsOfEach, type Reading, readingOf } from '../bench/plans.ts'
import { openWorld, password } from './harness.ts'

const items = inject('full') ? 1_000_000 : 30_000
const organisation = { people: 400, departments: 40, grants: 1200 }
/** Tables that grow with the stored items. */
const large = new Set(['item', 'search_item', 'search_document', 'content_text', 'version', 'blob'])
/** The cost of a hit: its row, and the rows of its folders that have not been read yet. */
const pagesOfHit = 40
/** How many candidates of a common word are examined in a content search. */
const candidates = 2000
/** The cost of searching several windows of numbers: the smaller installation has one, the larger one several. */
const pagesOfWindows = 200

let small: Map<string, Reading>
let big: Map<string, Reading>

async function readings(count: number): Promise<Map<string, Reading>> {
  const world = await openWorld({ elected: false })
  const made = await generate(world.database, { items: count, ...organisation }, () => {})
  const client = new pg.Client(world.database)
  await client.connect()
  const found = new Map<string, Reading>()
  for (const pathsOf of [hotPaths, pathsOfEach])
    for (const path of await pathsOf(world.app, made, password)) found.set(path.name, await readingOf(client, path))
  await client.end()
  return found
}

beforeAll(async () => {
  small = await readings(items / 10)
  big = await readings(items)
}, 600_000)

/** The readings of paths whose names begin with `start`. */
const about = (all: Map<string, Reading>, start: string): Reading[] =>
  [...all.values()].filter(({ name }) => name.startsWith(start))

test('no hot path reads a table of items, versions or contents from end to end', () => {
  for (const { name, nodes, outline } of big.values()) {
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? ''))
    expect(whole, `${name}: ${outline}`).toEqual([])
  }
  expect(big.size).toBeGreaterThan(40)
})

test('[R115] no page of a folder is sorted', () => {
  const pages = ['first page', 'the same page', 'last page', 'next page', 'folders in', 'item info'].flatMap((start) =>
    about(big, start),
  )
  expect(pages.length).toBeGreaterThan(12)
  for (const { name, outline } of pages) expect(outline, name).not.toContain('sorts')
})

test('[R115] a first page of the largest folder reads at most 1.5 times the pages of one of 100 files', () => {
  for (const sort of ['name', 'time', 'size', 'type']) {
    const pages = [...big.values()].filter(
      ({ name }) => name.startsWith('first page of') && name.endsWith(`by ${sort}`),
    )
    const [hundred, ...larger] = pages.map(({ buffers }) => buffers)
    expect(larger.length).toBeGreaterThan(0)
    for (const buffers of larger) expect(buffers / (hundred ?? 0), sort).toBeLessThanOrEqual(1.5)
  }
})

test('[R115] a page that was asked for before reads what has changed and nothing else, in a folder of any size', () => {
  const pages = about(big, 'the same page of')
  expect(pages.length).toBeGreaterThan(1)
  for (const { name, buffers, statements } of pages) {
    expect(statements, name).toBe(1)
    expect(buffers, name).toBeLessThan(20)
  }
})

test('[R115] a first page beside many children with grants reads at most 1.5 times the pages of a small one', () => {
  const few = big.get('first page of 100 by name') ?? expect.fail('no page')
  const many = big.get('first page of the library') ?? expect.fail('no page')
  expect(many.buffers / few.buffers, `${few.buffers}, ${many.buffers}`).toBeLessThanOrEqual(1.5)
})

// [R208] Evaluating a person's rights on an item, their reasons, and a page of items reads about as much among ten
// times the items.
test('[R208] what somebody may do with an item, and a page, read about as much among ten times the items: who sees all, a hundredth, nothing of others’', () => {
  for (const [start, most] of [
    ['one item, ', 1.5],
    ['why, ', 1.5],
    ['a page of a hundred, ', 2],
  ] as const) {
    const paths = about(big, start)
    expect(paths.length).toBe(3)
    for (const { name, buffers, rows = 60 } of paths) {
      const before = small.get(name) ?? expect.fail(name)
      expect(buffers, `${name}: ${before.buffers}, ${buffers}`).toBeLessThanOrEqual(most * before.buffers)
      expect(rows, name).toBe(60)
    }
  }
})

test('[R240] among ten times the names a search reads at most twice the pages, beside what further hits cost', () => {
  const searches = about(big, 'search, ')
  expect(searches.length).toBe(21)
  for (const { name, buffers, rows = 0 } of searches) {
    const before = small.get(name) ?? expect.fail(name)
    const further = Math.max(rows - (before.rows ?? 0), 0)
    expect(buffers, `${name}: ${before.buffers} for ${before.rows} hits, ${buffers} for ${rows}`).toBeLessThanOrEqual(
      2 * before.buffers + further * pagesOfHit,
    )
  }
})

test('[R241] among ten times the documents a search in names and contents reads at most twice the pages, beside what further hits cost, and for a common word those of 2,000 candidates', () => {
  const searches = about(big, 'found, ')
  expect(searches.length).toBe(15)
  for (const { name, buffers, rows = 0 } of searches) {
    const before = small.get(name) ?? expect.fail(name)
    const further = Math.max(rows - (before.rows ?? 0), 0)
    const most = /common|two characters/.test(name)
      ? candidates * pagesOfHit
      : 2 * before.buffers + further * pagesOfHit + pagesOfWindows
    expect(rows, name).toBeLessThanOrEqual(1000)
    expect(buffers, `${name}: ${before.buffers} for ${before.rows} hits, ${buffers} for ${rows}`).toBeLessThanOrEqual(
      most,
    )
  }
})
