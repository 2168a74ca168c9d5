import type { ItemRecord } from '@cloudoc/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keyOf } from '../item/item.ts'
import { sampleItem } from '../item/sample-item.ts'
import { compareItems, FolderList, type Page, type PageAt, type Sorting } from './folder-list.ts'
import { afterEdit, nothingSelected, orderOf, selectedItems, selectSpan } from './selection.ts'

const byName: Sorting = { sort: 'name', order: 'asc' }
const name = (n: number): string => `n${String(n).padStart(6, '0')}.txt`
const file = (n: number, fields: Partial<ItemRecord> = {}): ItemRecord =>
  sampleItem({ fId: n, fName: name(n), ...fields })

/** A fake folder on a server. It answers pages by position and around an item, as the real server does. */
function folderOf(count: number, sorting: Sorting = byName) {
  let rows = Array.from({ length: count }, (_, n) => file(n * 10)).sort(compareItems(sorting))
  const calls = { pages: 0, items: 0 }
  return {
    calls,
    change(update: (rows: ItemRecord[]) => ItemRecord[]): void {
      rows = update(rows).sort(compareItems(sorting))
    },
    rows: () => rows,
    async page(at: PageAt, wanted: number): Promise<Page | undefined> {
      calls.pages++
      const around = 'around' in at ? rows.findIndex((row) => keyOf(row) === keyOf(at.around)) : undefined
      if (around === -1) return undefined
      const from = 'from' in at ? at.from : Math.max(0, (around ?? 0) - Math.floor(wanted / 2))
      return { from, list: rows.slice(from, from + wanted), total: rows.length }
    },
    search: async (part: string) => rows.filter((row) => row.fName.includes(part)),
    async item(ref: { fId: number; fType: 1 | 2 }) {
      calls.items++
      return rows.find((row) => row.fId === ref.fId && row.fType === ref.fType)
    },
  }
}

const loaded = (list: FolderList): ItemRecord[] => list.snapshot().items.filter((row) => row !== undefined)

describe('the rows of a folder', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('the list is as long as the folder at once, and a jump to the end is one page [R115]', async () => {
    const server = folderOf(100_000)
    const list = new FolderList(server, byName)
    await list.refresh()
    expect(list.snapshot()).toMatchObject({ status: 'ready', total: 100_000, complete: false })
    await list.ensure(99_960, 100_000)
    expect(list.keyAt(99_999)).toBe('f999990')
    expect(list.indexOf('f999990')).toBe(99_999)
    expect(server.calls.pages).toBe(2)
    expect(loaded(list).length).toBeLessThanOrEqual(400)
  })

  test.each(['removed here', 'changed elsewhere'])(
    'an item that was asked for before it was %s does not come back by a late answer',
    async (how) => {
      const server = folderOf(3)
      const answers: (() => void)[] = []
      const slow = {
        ...server,
        async item(ref: { fId: number; fType: 1 | 2 }) {
          const item = await server.item(ref)
          if (answers.length < 1) await new Promise<void>((done) => answers.push(done))
          return item
        },
      }
      const list = new FolderList(slow, byName)
      await list.refresh()
      list.touch(file(10))
      await vi.advanceTimersByTimeAsync(100)
      server.change((rows) => rows.filter(({ fId }) => fId !== 10))
      if (how === 'removed here') list.remove(file(10))
      else list.touch(file(10))
      await vi.advanceTimersByTimeAsync(100)
      answers[0]?.()
      await vi.advanceTimersByTimeAsync(100)
      expect(loaded(list).map(keyOf)).toEqual(['f0', 'f20'])
    },
  )

  test.each(['once', 'again meanwhile'])(
    'who waits for the changes waits for those that are being fetched: %s',
    async (how) => {
      const server = folderOf(3)
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      const slow: typeof server = {
        ...server,
        async item(ref) {
          await answered
          return server.item(ref)
        },
      }
      const list = new FolderList(slow, byName)
      await list.refresh()
      server.change((rows) => [...rows, file(15)])
      list.touch(file(15))
      await vi.advanceTimersByTimeAsync(100)
      const settled = list.settled().then(() => list.indexOf('f15'))
      if (how !== 'once') list.touch(file(15))
      await vi.advanceTimersByTimeAsync(10)
      answer()
      expect(await settled).toBe(2)
    },
  )

  test.each(['the first load', 'a later load'])(
    'an item that is deleted during %s does not come back with its answer',
    async (when) => {
      const server = folderOf(10)
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      let holds = when === 'the first load'
      const list = new FolderList(
        {
          ...server,
          async page(at, rows) {
            const page = await server.page(at, rows)
            if (holds) await answered
            return page
          },
        },
        byName,
      )
      const first = list.refresh()
      if (when !== 'the first load') {
        await first
        holds = true
      }
      const loading = when === 'the first load' ? first : list.refresh()
      await vi.advanceTimersByTimeAsync(1)
      server.change((rows) => rows.filter(({ fId }) => fId !== 30))
      list.touch(file(30))
      await vi.advanceTimersByTimeAsync(1000)
      answer()
      await loading
      await vi.advanceTimersByTimeAsync(1000)
      expect(loaded(list).map(({ fId }) => fId)).toEqual([0, 10, 20, 40, 50, 60, 70, 80, 90])
    },
  )

  test('an item that is named is found by one page around it, and one that is not there is not [R062]', async () => {
    const server = folderOf(100_000)
    const list = new FolderList(server, byName)
    expect(await list.locate({ serverId: 0, fId: 900_000, fType: 1 })).toBe(90_000)
    expect(list.keyAt(89_950)).toBe('f899500')
    expect(await list.locate({ serverId: 0, fId: 5, fType: 1 })).toBe(-1)
    expect(server.calls.pages).toBe(3)
  })

  test('what is looked at now is fetched before what was looked at on the way', async () => {
    const server = folderOf(100_000)
    const list = new FolderList(server, byName)
    await list.refresh()
    const passed = list.ensure(20_000, 20_100)
    void list.ensure(50_000, 50_100)
    await list.ensure(80_000, 80_100)
    await passed
    expect(list.keyAt(80_050)).toBe('f800500')
    expect(list.keyAt(50_050)).toBeUndefined()
  })

  test('every row of a large folder is loaded when all are asked for', async () => {
    const server = folderOf(10_000)
    const list = new FolderList(server, byName)
    expect(await list.loadAll()).toBe(true)
    expect(loaded(list).map(keyOf)).toEqual(server.rows().map(keyOf))
    expect(server.calls.pages).toBeLessThanOrEqual(12)
  })

  test('a new item takes its place by one small call, not by a new list', async () => {
    const server = folderOf(100)
    const list = new FolderList(server, byName)
    await list.refresh()
    server.change((rows) => [...rows, file(55)])
    list.touch({ serverId: 0, fId: 55, fType: 1 })
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
    list.touch({ serverId: 0, fId: 10, fType: 1 })
    list.touch({ serverId: 0, fId: 20, fType: 1 })
    await vi.runAllTimersAsync()
    expect(list.indexOf('f10')).toBe(98)
    expect(list.indexOf('f20')).toBe(-1)
    expect(list.snapshot().total).toBe(99)
    expect(list.get('f500')).toBe(untouched)
  })

  test('an item in a hole only counts until its page comes, and comes once', async () => {
    const server = folderOf(2_000)
    const list = new FolderList(server, byName)
    await list.refresh()
    server.change((rows) => [...rows, file(15_005)])
    list.touch({ serverId: 0, fId: 15_005, fType: 1 })
    await vi.runAllTimersAsync()
    expect(list.indexOf('f15005')).toBe(-1)
    expect(list.snapshot().total).toBe(2_001)
    await list.ensure(1_500)
    expect(list.indexOf('f15005')).toBe(1_501)
    expect(loaded(list).filter((row) => row.fId === 15_005)).toHaveLength(1)
  })

  test('a row that moves into a hole is one of it, and one that the server moved unseen is not shown twice', async () => {
    const server = folderOf(5_000)
    const list = new FolderList(server, byName)
    await list.refresh()
    const rename = (to: string): void =>
      server.change((rows) => rows.map((row) => (row.fId === 20 ? file(20, { nameSort: to }) : row)))
    rename(name(30_005))
    list.touch({ serverId: 0, fId: 20, fType: 1 })
    await vi.runAllTimersAsync()
    expect(list.indexOf('f20')).toBe(-1)
    expect(list.snapshot().total).toBe(5_000)
    rename(name(45_005))
    await list.ensure(4_400, 4_600)
    rename(name(7))
    await list.ensure(0, 100)
    await list.ensure(2_000, 2_100)
    await vi.runAllTimersAsync()
    expect(loaded(list).filter((row) => row.fId === 20).length).toBeLessThanOrEqual(1)
  })

  // A model test: after any operations in any order, the list shows what the server has at its positions, and the
  // selection contains only items that were selected.
  test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
    'state plus pushes equals a refetch, run %i',
    async (seed) => {
      let dice = seed * 7919
      const roll = (sides: number): number => {
        dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648
        return Math.floor((dice / 2_147_483_648) * sides)
      }
      const server = folderOf(3_000)
      const list = new FolderList(server, byName)
      await list.refresh()
      let selection = nothingSelected
      list.follow((edit) => {
        selection = afterEdit(selection, edit, list)
      })
      const chosen = new Set<string>()
      let fresh = 1
      for (let step = 0; step < 30; step++) {
        const act = roll(6)
        const rows = server.rows()
        if (act === 0) await list.ensure(roll(rows.length), roll(rows.length))
        else if (act === 1) {
          const [from, to] = [roll(rows.length), roll(rows.length)]
          const span =
            step % 3 === 0 ? { from: 0, to: rows.length } : { from: Math.min(from, to), to: Math.max(from, to) }
          selection = selectSpan(selection, orderOf(list), span, false)
          chosen.clear()
          for (const row of rows.slice(span.from, span.to)) chosen.add(keyOf(row))
        } else {
          const touched: number[] = []
          server.change((before) => {
            if (act === 2) {
              touched.push(roll(3_000) * 10 + fresh++)
              return [...before, file(touched[0] ?? 0)]
            }
            const row = before[roll(before.length)]
            touched.push(row?.fId ?? 0)
            if (act === 3) return before.filter((one) => one !== row)
            const nameSort = name(roll(30_000))
            return before.map((one) => (one === row ? { ...one, nameSort } : one))
          })
          for (const fId of touched) list.touch({ serverId: 0, fId, fType: 1 })
          await vi.runAllTimersAsync()
        }
        const now = server.rows()
        expect(list.length).toBe(now.length)
        const misplaced = list
          .snapshot()
          .items.filter((row, at) => row !== undefined && keyOf(row) !== keyOf(now[at] ?? row))
        expect(misplaced).toEqual([])
      }
      const alive = new Set(server.rows().map(keyOf))
      const items = (await selectedItems(selection, list)) ?? []
      const keys = items.map(keyOf).filter((key) => alive.has(key))
      expect(keys.filter((key) => !chosen.has(key))).toEqual([])
    },
  )

  test('a burst of changes is one refetch of what is loaded', async () => {
    const server = folderOf(100)
    const list = new FolderList(server, byName)
    await list.refresh()
    server.change((rows) => [...rows, ...Array.from({ length: 200 }, (_, n) => file(n * 10 + 1))])
    for (let n = 0; n < 200; n++) list.touch({ serverId: 0, fId: n * 10 + 1, fType: 1 })
    await vi.runAllTimersAsync()
    expect(server.calls).toEqual({ pages: 2, items: 0 })
    expect(list.snapshot().total).toBe(300)
  })

  test('when the server cannot be reached the old rows stay, with the error beside them', async () => {
    const server = folderOf(10)
    let reachable = true
    const list = new FolderList(
      { ...server, page: (at, rows) => (reachable ? server.page(at, rows) : Promise.reject(new Error('down'))) },
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
