// A page updated with changes equals, byte for byte, the page built from scratch, and rewrites no more of it than
// necessary.
import type { ItemRecord } from '@cloudoc/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Order, PageBytes } from './page-bytes.ts'

/** The sort keys of a page, and a further field. */
type Item = Pick<ItemRecord, 'fId' | 'fType' | 'nameSort' | 'modifyTime' | 'fileSize' | 'extName' | 'fName'>

const texts = fc.constantFrom(
  '',
  'a',
  'b',
  'b1',
  'ba',
  '|jia3甲',
  '|yi3乙',
  '\u{E000}',
  '\u{FFFD}',
  '\u{1F600}',
  '\u{20000}',
)
const item = (fId: number): fc.Arbitrary<Item> =>
  fc.record({
    fId: fc.constant(fId),
    fType: fc.constantFrom(1 as const, 2 as const),
    nameSort: texts,
    modifyTime: fc.nat(5),
    fileSize: fc.nat(3),
    extName: texts,
    fName: fc.string({ maxLength: 300 }),
  })
const orders = fc.record({
  sort: fc.constantFrom('name' as const, 'time' as const, 'size' as const, 'type' as const),
  order: fc.constantFrom('asc' as const, 'desc' as const),
})
const columns = {
  name: ['nameSort'],
  time: ['modifyTime'],
  size: ['fileSize'],
  type: ['extName', 'nameSort'],
} as const

/** In page order: folders first, texts by their bytes. */
function sorted(items: Iterable<Item>, { sort, order }: Order): ItemRecord[] {
  const sign = order === 'desc' ? -1 : 1
  return [...items].sort((one, other) => {
    if (one.fType !== other.fType) return other.fType - one.fType
    for (const column of columns[sort]) {
      const [a, b] = [one[column], other[column]]
      const by = typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
      if (by !== 0) return sign * by
    }
    return sign * (one.fId - other.fId)
  }) as ItemRecord[]
}

const textOf = (page: PageBytes): string => Buffer.concat(page.parts.map(({ bytes }) => bytes)).toString()

test('[R115] a page after some changes is the one that is made of what is there then', () => {
  let taken = 0
  fc.assert(
    fc.property(
      orders,
      fc.integer({ min: 1, max: 130 }),
      fc
        .integer({ min: 0, max: 130 })
        .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => item(n + 1)))),
      fc
        .array(fc.tuple(fc.nat(140), fc.boolean()), { minLength: 1, maxLength: 12 })
        .chain((changes) => fc.tuple(...changes.map(([at, stays]) => (stays ? item(at + 1) : fc.constant(at + 1))))),
      (order, most, before, changes) => {
        const items = new Map(before.map((one) => [one.fId, one]))
        const page = PageBytes.of(sorted(items.values(), order).slice(0, most), items.size, order)
        const changed = new Map<number, Item | undefined>()
        for (const change of changes) {
          if (typeof change === 'number') changed.set(change, undefined)
          else changed.set(change.fId, change)
        }
        for (const [id, one] of changed) {
          if (one === undefined) items.delete(id)
          else items.set(id, one)
        }
        const shown = [...changed.values()].filter((one) => one !== undefined) as ItemRecord[]
        const after = page.after(changed, shown, items.size, most)
        const made = PageBytes.of(sorted(items.values(), order).slice(0, most), items.size, order)
        if (after === undefined) return
        taken += 1
        expect(textOf(after)).toBe(textOf(made))
        expect(JSON.parse(textOf(after))).toMatchObject({ data: { total: items.size } })
      },
    ),
    { numRuns: 400 },
  )
  expect(taken).toBeGreaterThan(150)
})

/** Two hundred files of a page that is followed by others. */
const order: Order = { sort: 'name', order: 'asc' }
const named = (n: number, more: Partial<Item> = {}) =>
  ({ fId: n, fType: 1, nameSort: `n${String(n).padStart(5, '0')}`, fName: 'x'.repeat(600), ...more }) as ItemRecord
const longPage = (): PageBytes =>
  PageBytes.of(
    Array.from({ length: 200 }, (_, n) => named(2 * n)),
    1000,
    order,
  )

test('one that arrives, one that goes and one that changes make no more of a page anew than a third', () => {
  const lengthOf = (parts: PageBytes['parts']): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  let page = longPage()
  for (const [what, change, shown, total] of [
    ['arrives', 101, [named(101)], 1001],
    ['changes', 202, [named(202, { fName: 'y' })], 1001],
    ['moves', 102, [named(102, { nameSort: 'n00301x' })], 1001],
  ] as const) {
    const after = page.after(new Set([change]), shown, total, 200)
    if (after === undefined) throw new Error(`${what}: made anew`)
    const before = new Set(page.parts)
    const fresh = after.parts.filter((part) => !before.has(part))
    expect(lengthOf(fresh), what).toBeLessThan(lengthOf(after.parts) / 3)
    page = after
  }
})

test('a page takes in all that arrives before its end, and lets go of what it has no room for', () => {
  let page: PageBytes | undefined = longPage()
  for (let n = 0; n < 150; n += 1) page = page?.after(new Set([2 * n + 1]), [named(2 * n + 1)], 1001 + n, 200)
  const { data } = JSON.parse(textOf(page ?? PageBytes.of([], 0, order))) as { data: { list: { fId: number }[] } }
  expect(data.list.map(({ fId }) => fId)).toEqual(Array.from({ length: 200 }, (_, n) => n))
})

test('an empty folder takes in its first file', () => {
  const page = PageBytes.of([], 0, order).after(new Set([1]), [named(1)], 1, 60)
  expect(JSON.parse(page === undefined ? '{}' : textOf(page))).toMatchObject({ data: { list: [{ fId: 1 }], total: 1 } })
})

test('rows that have to come in from behind a page are not made up', () => {
  expect(longPage().after(new Set([6]), [], 999, 200)).toBeUndefined()
  expect(longPage().after(new Set([6]), [named(6, { nameSort: 'z' })], 1000, 200)).toBeUndefined()
})
