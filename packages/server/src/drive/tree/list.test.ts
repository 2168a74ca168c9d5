// Lists of a folder: order, pages, totals, and their cost.
import { gunzipSync } from 'node:zlib'
import type { calls, Input, ItemRecord } from '@cloudoc/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { explain, planNodes, recordStatements, rowsRead } from '../../../test/explain.ts'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { textKeys } from '../../core/text-keys.ts'
import { foldTallies } from './tallies.ts'

type Query = Partial<Input<(typeof calls)['getSubItemList3']>>
const sorts = ['name', 'time', 'size', 'type'] as const
const orders = ['asc', 'desc'] as const

let clock = Date.UTC(2026, 10, 20)
let world: World
let anna: Person
let ben: Person

beforeAll(async () => {
  world = await openWorld({ now: () => clock, elected: false })
  anna = await world.person('anna')
  ben = await world.person('ben')
})

async function folderOf(person: Person, name: string): Promise<number> {
  return (await person.call('folderCreate', { parentId: person.library, folderName: name })).folderId
}

/** Every row of a folder, page by page, each after the cursor of the page before. */
async function byPlace(person: Person, folderId: number, query: Query, rows: number): Promise<ItemRecord[]> {
  const all: ItemRecord[] = []
  for (let after: string | undefined; ; ) {
    const page = await person.call('getSubItemList3', {
      folderId,
      ...query,
      rows,
      ...(after === undefined ? {} : { after }),
    })
    all.push(...page.list)
    if (page.next === null) return all
    after = page.next
  }
}

/** Every row of a folder, page by page, by offset. */
async function byPosition(person: Person, folderId: number, query: Query, rows: number): Promise<ItemRecord[]> {
  const all: ItemRecord[] = []
  for (let from = 0; ; from += rows) {
    const page = await person.call('getSubItemList3', { folderId, ...query, rows, from })
    all.push(...page.list)
    if (page.list.length < rows) return all
  }
}

/** The documented order: folders first, then by the sort key, then by id. */
function inOrder(
  items: readonly ItemRecord[],
  sort: (typeof sorts)[number],
  order: (typeof orders)[number],
): ItemRecord[] {
  const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
  const by = {
    name: (a: ItemRecord, b: ItemRecord) => bytes(a.nameSort, b.nameSort),
    time: (a: ItemRecord, b: ItemRecord) => a.modifyTime - b.modifyTime,
    size: (a: ItemRecord, b: ItemRecord) => a.fileSize - b.fileSize,
    type: (a: ItemRecord, b: ItemRecord) => bytes(a.extName, b.extName) || bytes(a.nameSort, b.nameSort),
  }[sort]
  const sign = order === 'asc' ? 1 : -1
  return [...items].sort((a, b) => b.fType - a.fType || sign * (by(a, b) || a.fId - b.fId))
}

// [R115] Any folder is listed page by page in a stable, natural Chinese order.
describe('[R115] order and pages', () => {
  let folderId = 0
  const hidden = new Set<number>()

  beforeAll(async () => {
    folderId = await folderOf(anna, '混合')
    await anna.call('createFolderByPathList', { folderId, pathList: Array.from({ length: 23 }, (_, i) => `卷${i}`) })
    const exts = ['txt', 'pdf', 'docx', '']
    for (let i = 0; i < 60; i += 1) {
      clock += i % 3 === 0 ? 1000 : 0
      const ext = exts[i % exts.length] ?? ''
      const fileId = await anna.upload(
        folderId,
        `第${(i * 37) % 100}章${ext === '' ? '' : `.${ext}`}`,
        'x'.repeat(i % 7),
      )
      if (i % 4 === 0) hidden.add(fileId)
    }
    for (const item of (await anna.call('getSubItemList3', { folderId, rows: 30, foldersOnly: true })).list) {
      if (item.fId % 5 === 0) hidden.add(item.fId)
    }
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    for (const id of hidden) {
      const isFolder = (await anna.wire('getFolderInfo', { folderId: id })).code === 'success'
      await anna.shares(isFolder ? { folderId: id } : { fileId: id }, [{ to: ben, rights: 1 }])
    }
  })

  test.each(
    few(
      3,
      sorts.flatMap((sort) => orders.map((order) => [sort, order] as const)),
    ),
  )(
    'by %s %s every page by place and by position is the same full order, also where children are hidden',
    async (sort, order) => {
      const all = (await anna.call('getSubItemList3', { folderId, rows: 1000, sort, order })).list
      expect(all.length).toBe(83)
      const ids = (items: readonly ItemRecord[]): number[] => items.map((item) => item.fId)
      expect(ids(all)).toEqual(ids(inOrder(all, sort, order)))
      const shown = ids(all).filter((id) => !hidden.has(id))
      for (const rows of [1, 7, 20, 66]) {
        expect(ids(await byPlace(anna, folderId, { sort, order }, rows))).toEqual(ids(all))
        expect(ids(await byPosition(anna, folderId, { sort, order }, rows))).toEqual(ids(all))
        expect(ids(await byPlace(ben, folderId, { sort, order }, rows))).toEqual(shown)
        expect(ids(await byPosition(ben, folderId, { sort, order }, rows))).toEqual(shown)
      }
      expect((await anna.call('getSubItemList3', { folderId, rows: 1 })).total).toBe(all.length)
      expect((await ben.call('getSubItemList3', { folderId, rows: 1 })).total).toBe(shown.length)
    },
  )

  test.each(
    few(
      3,
      sorts.flatMap((sort) => orders.map((order) => [sort, order] as const)),
    ),
  )(
    '[R062] by %s %s the page around an item says where it begins and holds the item, also where children are hidden',
    async (sort, order) => {
      for (const person of [anna, ben]) {
        const all = (await person.call('getSubItemList3', { folderId, rows: 1000, sort, order })).list
        for (const item of all.filter((_, i) => i % 9 === 0)) {
          const page = await person.call('getSubItemList3', { folderId, rows: 8, sort, order, around: item.itemIdStr })
          expect(page.list).toContainEqual(item)
          expect(page.list).toEqual(all.slice(page.from ?? -1, (page.from ?? -1) + 8))
          expect(page.total).toBe(all.length)
        }
      }
      const [unseen = 0] = hidden
      const isFolder = (await anna.wire('getFolderInfo', { folderId: unseen })).code === 'success'
      const around = `s0${isFolder ? 'f-' : ''}${unseen}`
      expect(await ben.refusal('getSubItemList3', { folderId, around })).toBe('notFound')
      expect(await anna.refusal('getSubItemList3', { folderId, around: 'nothing' })).toBe('notFound')
    },
  )

  test('folders alone, and names by part, pinyin and initials, are listed and counted', async () => {
    const folders = await ben.call('getSubItemList3', { folderId, rows: 1000, foldersOnly: true })
    expect(folders.list.every((item) => item.fType === 2)).toBe(true)
    expect(folders.list.length).toBe(folders.total)
    expect(await byPlace(ben, folderId, { foldersOnly: true }, 7)).toEqual(folders.list)
    for (const keyword of ['juan', '卷', 'j']) {
      const page = await anna.call('getSubItemList3', { folderId, keyword, rows: 1000 })
      expect([page.total, page.list.length], keyword).toEqual([23, 23])
    }
    const some = await ben.call('getSubItemList3', { folderId, keyword: '.pdf', rows: 1000 })
    expect(some.list.every((item) => item.extName === 'pdf' && !hidden.has(item.fId))).toBe(true)
    expect(some.total).toBe(some.list.length)
    expect(await byPosition(ben, folderId, { keyword: '.pdf' }, 3)).toEqual(some.list)
    expect((await anna.call('getSubItemList3', { folderId, keyword: '%' })).total).toBe(0)
  })

  // [R086] In a long folder only files of the accepted types are loaded, page by page.
  test('[R086] of the files those of some kinds, and every folder, are listed, paged and counted, also where children are hidden', async () => {
    for (const person of [anna, ben]) {
      for (const [sort, keyword] of [...sorts.map((one) => [one, ''] as const), ['name', '章'] as const]) {
        const all = (await person.call('getSubItemList3', { folderId, rows: 1000, sort, keyword })).list
        const left = all.filter(({ fType, extName }) => fType === 2 || ['pdf', 'txt'].includes(extName))
        expect(left.length).toBeLessThan(all.length)
        const query = { sort, keyword, exts: 'pdf,txt' }
        expect(await byPlace(person, folderId, query, 7)).toEqual(left)
        expect(await byPosition(person, folderId, query, 5)).toEqual(left)
        const around = left.at(-1)?.itemIdStr ?? ''
        const page = await person.call('getSubItemList3', { folderId, rows: 4, ...query, around })
        expect([page.list.at(-1), page.total]).toEqual([left.at(-1), left.length])
      }
    }
    const none = await anna.call('getSubItemList3', { folderId, rows: 1000, exts: 'mp4' })
    expect(none.list.map(({ fType }) => fType)).toEqual(Array.from({ length: none.total }, () => 2))
    expect(await anna.refusal('getSubItemList3', { folderId, exts: 'pdf;drop' })).toBe('badRequest')
  })

  test('a page behind the last one is empty, and a place that nobody told is refused', async () => {
    const page = await anna.call('getSubItemList3', { folderId, from: 1_000_000 })
    expect(page).toMatchObject({ list: [], total: 83, next: null })
    const place = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const places = [
      '',
      'x',
      place(null),
      place({}),
      place([2]),
      place([2, 'a']),
      place([3, 'a', 1]),
      place([2, 1, 1]),
      place([2, 'a', 'b']),
      place([2, 'a', 1.5]),
      place([2, 'a', 1e300]),
      place([2, 'a\0', 1]),
      place([2, 'a', 1, 1]),
    ]
    for (const after of places) {
      expect(await anna.refusal('getSubItemList3', { folderId, after }), after).toBe('badRequest')
    }
    const { next } = await anna.call('getSubItemList3', { folderId, rows: 1, sort: 'time' })
    expect(await anna.refusal('getSubItemList3', { folderId, sort: 'name', after: next ?? '' })).toBe('badRequest')
  })
})

test('[R115] what stays is told once, whatever others add, rename, move and delete between two pages', async () => {
  const folderId = await folderOf(anna, '翻页')
  const pathList = Array.from({ length: 90 }, (_, i) => `条目 ${i * 10}`)
  const made = await anna.call('createFolderByPathList', { folderId, pathList })
  const staying = made.filter((_, i) => i % 3 !== 0)
  const going = made.filter((_, i) => i % 3 === 0)
  for (const sort of sorts) {
    const seen: number[] = []
    let after: string | undefined
    for (let round = 0; ; round += 1) {
      const page = await anna.call('getSubItemList3', {
        folderId,
        rows: 7,
        sort,
        ...(after === undefined ? {} : { after }),
      })
      seen.push(...page.list.map((item) => item.fId))
      if (page.next === null) break
      after = page.next
      await anna.call('folderCreate', { parentId: folderId, folderName: `条目 ${sort} ${round * 37}` })
      const leaving = going.pop()
      if (leaving !== undefined) await anna.call('fileOrFolderDelete', { folderIdArray: [leaving.folderId] })
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(staying.filter((item) => !seen.includes(item.folderId))).toEqual([])
  }
})

test('[R115] names sort as people read them', async () => {
  const folderId = await folderOf(anna, '自然')
  const names = [
    '第2章',
    '第10章',
    '第10章 附录',
    '1',
    '2',
    '10',
    '02 二',
    'Apple',
    'banana',
    'Banana2',
    'banana10',
    'zebra',
    '阿里',
    '北京',
    '长城',
    '重庆',
    '重要',
    'Ａpple2',
    'éclair',
    '女',
    '律',
  ]
  await anna.call('createFolderByPathList', { folderId, pathList: names })
  expect(await anna.names(folderId)).toEqual([
    '1',
    '2',
    '02 二',
    '10',
    'Apple',
    'Ａpple2',
    'banana',
    'Banana2',
    'banana10',
    'zebra',
    '阿里',
    '北京',
    '长城',
    '重庆',
    '第2章',
    '第10章',
    '第10章 附录',
    '律',
    '女',
    '重要',
    'éclair',
  ])
  expect(await anna.names(folderId, { order: 'desc' })).toEqual((await anna.names(folderId)).reverse())
})

test('the key of the longest name fits an index and ends at a whole character', () => {
  const { sort, text } = textKeys('𠮷'.repeat(127))
  expect(sort.isWellFormed()).toBe(true)
  expect(text.isWellFormed()).toBe(true)
  expect(Buffer.byteLength(textKeys('中'.repeat(255)).sort)).toBeLessThan(2000)
})

test('[R115] the total is exact at every moment: before sums are folded, while they are, and after', async () => {
  const folderId = await folderOf(anna, '总数')
  const { db } = world.app
  let children = 0
  for (let round = 0; round < 5; round += 1) {
    await anna.call('createFolderByPathList', {
      folderId,
      pathList: Array.from({ length: 40 }, (_, i) => `${round} ${i}`),
    })
    children += 40
    const [totals] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => anna.call('getSubItemList3', { folderId, rows: 1 }))),
      foldTallies(db),
    ])
    expect(totals.map((page) => page.total)).toEqual(Array(5).fill(children))
    const [item] = (await anna.call('getSubItemList3', { folderId, rows: 1 })).list
    if (item !== undefined) await anna.call('fileOrFolderDelete', { folderIdArray: [item.fId] })
    children -= 1
    expect((await anna.call('getSubItemList3', { folderId, rows: 1 })).total).toBe(children)
  }
})

describe('a folder with 10,000 items', () => {
  let folderId = 0
  const most = 10_000

  beforeAll(async () => {
    folderId = await folderOf(anna, '一万')
    const { db } = world.app
    const rows = Array.from({ length: most }, (_, i) => {
      const name = `文件 ${i}.${i % 1000 === 7 ? 'mp4' : ['txt', 'pdf', 'docx'][i % 3]}`
      const keys = textKeys(name)
      return { ...keys, name, ext: name.slice(-3), f_type: i % 10 === 0 ? 2 : 1, size: i % 1000, at: clock + (i % 500) }
    })
    await sql`insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext,
        created_by, created_at, modified_by, modified_at, size)
      select ${anna.library}, ${folderId}, f_type, name, name, sort, text, ext, ${anna.userId}, at, ${anna.userId}, at, size
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (f_type int, name text, sort text, text text, ext text, at bigint, size bigint)`.execute(db)
    await sql`insert into tally (library_id, account_id, folder_id, bytes, children)
      values (${anna.library}, ${anna.userId}, ${folderId}, 0, ${most})`.execute(db)
    await foldTallies(db)
    await sql`vacuum analyze`.execute(db)
  })

  test.each(
    few(
      3,
      sorts.flatMap((sort) => orders.map((order) => [sort, order] as const)),
    ),
  )(
    '[R115] a page by %s %s reads at most twice the rows it shows, without a sort and without reading the table',
    async (sort, order) => {
      const rows = 60
      const { next } = await anna.call('getSubItemList3', { folderId, sort, order, rows: 500 })
      for (const query of [{}, { after: next ?? '' }]) {
        const { value, plans } = await explain(world, () =>
          anna.call('getSubItemList3', { folderId, rows, sort, order, ...query }),
        )
        expect(value.list.length).toBe(rows)
        expect(value.total).toBe(most)
        const read = { custom: 0, generic: 0 }
        for (const { root, mode, text } of plans) {
          const nodes = planNodes(root)
          const about = `${mode} ${text} ${JSON.stringify(nodes.map((node) => [node['Node Type'], node['Index Name']]))}`
          expect(
            nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'item'),
            about,
          ).toBe(false)
          if (text.includes('limit')) {
            expect(
              nodes.some((node) => node['Node Type'].includes('Sort')),
              about,
            ).toBe(false)
            read[mode] += rowsRead(root, 'item')
          }
        }
        expect(read.custom).toBeGreaterThanOrEqual(rows)
        expect(Math.max(read.custom, read.generic)).toBeLessThanOrEqual(2 * rows)
      }
    },
  )

  test('[R086] files of a rare kind are found without looking at the others', async () => {
    const { value, plans } = await explain(world, () =>
      anna.call('getSubItemList3', { folderId, rows: 60, sort: 'name', order: 'asc', exts: 'mp4,mov', from: 1000 }),
    )
    expect(value.list.map(({ extName }) => extName)).toEqual(Array.from({ length: 10 }, () => 'mp4'))
    expect(value.total).toBe(1010)
    // PostgreSQL uses a plan for the requested types; a plan for any type would cost more.
    const pages = plans.filter(({ mode, text }) => mode === 'custom' && text.includes('limit'))
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.reduce((sum, { root }) => sum + rowsRead(root, 'item'), 0)).toBeLessThan(60)
  })

  test('a full listing costs at most 220 bytes an item for whoever takes it compressed, and says the same to all', async () => {
    const send = (after: string | undefined, encoding: string) =>
      world.app.http.inject({
        method: 'GET',
        url: `/services2/file/query/getSubItemList3/${folderId}?rows=1000${after === undefined ? '' : `&after=${after}`}`,
        headers: { authorization: `Bearer ${anna.token}`, 'accept-encoding': encoding },
      })
    let bytes = 0
    let items = 0
    for (let after: string | undefined; ; ) {
      const response = await send(after, 'br;q=1.0, gzip;q=0.8')
      expect([response.headers['content-encoding'], response.headers.vary]).toEqual(['gzip', 'accept-encoding'])
      bytes += response.rawPayload.length
      const text = gunzipSync(response.rawPayload).toString()
      const plain = await send(after, 'gzip;q=0')
      expect([plain.headers['content-encoding'], plain.body === text]).toEqual([undefined, true])
      const { data } = JSON.parse(text) as { data: { list: unknown[]; next: string | null } }
      items += data.list.length
      if (data.next === null) break
      after = data.next
    }
    expect(items).toBe(most)
    expect(bytes / items).toBeLessThanOrEqual(220)
  })

  test('[R115] a page costs the same number of statements as one of an empty folder, and every item is reached', async () => {
    const empty = await folderOf(anna, '空的')
    const statements = async (id: number): Promise<number> =>
      (await recordStatements(() => anna.call('getSubItemList3', { folderId: id, rows: 60 }))).statements.length
    expect(await statements(folderId)).toBeLessThanOrEqual(await statements(empty))
    const all = await byPlace(anna, folderId, { sort: 'name' }, 1000)
    expect(new Set(all.map((item) => item.fId)).size).toBe(most)
  })
})
