import type { ItemRecord } from '@cloudoc/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keyOf } from '../item.ts'
import { sampleItem } from '../sample-item.ts'
import { compareItems, FolderList, type Sorting } from './folder-list.ts'

const byName: Sorting = { sort: 'name', order: 'asc' }
const name = (n: number): string => `n${String(n).padStart(6, '0')}.txt`
const file = (n: number, fields: Partial<ItemRecord> = {}): ItemRecord =>
  sampleItem({ fId: n, fName: name(n), ...fields })

/** A folder on a server: pages by keyset, as the real one answers. */
function folderOf(count: number, sorting: Sorting = byName) {
  let rows = Array.from({ length: count }, (_, n) => file(n * 10)).sort(compareItems(sorting))
  const calls = { pages: 0, items: 0 }
  return {
    calls,
    change(update: (rows: ItemRecord[]) => ItemRecord[]): void {
      rows = update(rows).sort(compareItems(sorting))
    },
    async page(after: string | undefined, wanted: number) {
      calls.pages++
      const start = after === undefined ? 0 : rows.findIndex((row) => keyOf(row) === after) + 1
      const list = rows.slice(start, start + wanted)
      const last = list.at(-1)
      const next = start + wanted < rows.length && last !== undefined ? keyOf(last) : null
      return { list, total: rows.length, next }
    },
    async item(ref: { fId: number; fType: 1 | 2 }) {
      calls.items++
      return rows.find((row) => row.fId === ref.fId && row.fType === ref.fType)
    },
  }
}

describe('the rows of a folder', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('the first page shows the total, and a jump to the end loads what lies between, each row once [R115]', async () => {
    const server = folderOf(10_000)
    const list = new FolderList(server, byName)
    await list.refresh()
    expect(list.snapshot()).toMatchObject({ status: 'ready', total: 10_000, complete: false })
    await list.ensure(9_999)
    expect(list.length).toBe(10_000)
    expect(new Set(list.snapshot().items.map(keyOf)).size).toBe(10_000)
    expect(server.calls.pages).toBeLessThanOrEqual(11)
  })

  test('two jumps at once share the pages they both need', async () => {
    const server = folderOf(3_000)
    const list = new FolderList(server, byName)
    await list.refresh()
    await Promise.all([list.ensure(900), list.ensure(2_900)])
    expect(server.calls.pages).toBe(4)
  })

  test('a new item takes its place by one small call, not by a new list', async () => {
    const server = folderOf(100)
    const list = new FolderList(server, byName)
    await list.refresh()
    server.change((rows) => [...rows, file(55)])
    list.touch({ fId: 55, fType: 1 })
    await vi.runAllTimersAsync()
    expect(list.indexOf('f55')).toBe(6)
    expect(list.snapshot().total).toBe(101)
    expect(server.calls).toEqual({ pages: 1, items: 1 })
  })

  test('a renamed item moves, one that is gone leaves, and rows beside them stay the same objects', async () => {
    const server = folderOf(100)
    const list = new FolderList(server, byName)
    await list.refresh()
    const untouched = list.get('f500')
    server.change((rows) =>
      rows.filter((row) => row.fId !== 20).map((row) => (row.fId === 10 ? file(10, { nameSort: 'z' }) : row)),
    )
    list.touch({ fId: 10, fType: 1 })
    list.touch({ fId: 20, fType: 1 })
    await vi.runAllTimersAsync()
    expect(list.indexOf('f10')).toBe(98)
    expect(list.indexOf('f20')).toBe(-1)
    expect(list.snapshot().total).toBe(99)
    expect(list.get('f500')).toBe(untouched)
  })

  test('an item past the loaded end only counts until its page comes, and comes once', async () => {
    const server = folderOf(2_000)
    const list = new FolderList(server, byName)
    await list.refresh()
    server.change((rows) => [...rows, file(19_995)])
    list.touch({ fId: 19_995, fType: 1 })
    await vi.runAllTimersAsync()
    expect(list.indexOf('f19995')).toBe(-1)
    expect(list.snapshot().total).toBe(2_001)
    await list.ensure(2_000)
    expect(list.length).toBe(2_001)
    expect(list.snapshot().items.filter((row) => row.fId === 19_995)).toHaveLength(1)
  })

  test('a burst of changes is one refetch of what is loaded', async () => {
    const server = folderOf(100)
    const list = new FolderList(server, byName)
    await list.refresh()
    server.change((rows) => [...rows, ...Array.from({ length: 200 }, (_, n) => file(n * 10 + 1))])
    for (let n = 0; n < 200; n++) list.touch({ fId: n * 10 + 1, fType: 1 })
    await vi.runAllTimersAsync()
    expect(server.calls).toEqual({ pages: 2, items: 0 })
    expect(list.snapshot().total).toBe(300)
  })

  test('when the server cannot be reached the old rows stay, with the error beside them', async () => {
    const server = folderOf(10)
    let reachable = true
    const list = new FolderList(
      { ...server, page: (after, rows) => (reachable ? server.page(after, rows) : Promise.reject(new Error('down'))) },
      byName,
    )
    await list.refresh()
    reachable = false
    await list.refresh()
    expect(list.snapshot()).toMatchObject({ status: 'ready', total: 10, fetching: false })
    expect(list.snapshot().error).toBeInstanceOf(Error)
    reachable = true
    await list.refresh()
    expect(list.snapshot().error).toBeUndefined()
  })

  test('folders stand before files in every order', () => {
    const rows = [file(1, { modifyTime: 9 }), sampleItem({ fId: 2, fType: 2, fName: 'z', modifyTime: 1 })]
    for (const order of ['asc', 'desc'] as const) {
      for (const sort of ['name', 'time', 'size', 'type'] as const) {
        expect([...rows].sort(compareItems({ sort, order }))[0]?.fType).toBe(2)
      }
    }
  })
})
