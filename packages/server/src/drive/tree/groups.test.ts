// The groups of a folder: counted in SQL, they must match the runs of its listing by the rule that the client shares.
import type { ItemRecord } from '@cloudoc/contract'
import { boundGroup, nameGroup, sizeBounds } from '@cloudoc/domain'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person } from '../../../test/harness.ts'

const start = Date.UTC(2026, 10, 20)
const hour = 3_600_000
const timeBounds = [start + hour, start + 2 * hour, start + 2 * hour, start + 5 * hour]
const sorts = ['name', 'time', 'size', 'type'] as const

let anna: Person
let ben: Person
let folderId = 0

beforeAll(async () => {
  let clock = start
  const world = await openWorld({ now: () => clock, elected: false })
  anna = await world.person('anna')
  ben = await world.person('ben')
  folderId = (await anna.call('folderCreate', { parentId: anna.library, folderName: '混合' })).folderId
  const names = ['合同', '重庆', 'Budget', 'äther', '_draft', '(1)', '12月', '007', '㐀', '~', '{a}', 'zz', '张', '(2)']
  for (const [i, name] of names.entries()) {
    clock += hour / 2
    await anna.call('folderCreate', { parentId: folderId, folderName: `${name}夹` })
    const ext = ['pdf', 'docx', ''][i % 3]
    const text = 'x'.repeat(i % 2 === 0 ? 0 : i * 2000)
    const fileId = await anna.upload(folderId, ext === '' ? name : `${name}.${ext}`, text)
    if (i % 4 === 0) await anna.shares({ fileId }, [{ to: ben, rights: 1 }])
  }
  await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
})

const keyOf = (item: ItemRecord, sort: (typeof sorts)[number]): string =>
  ({
    name: nameGroup(item.nameSort),
    time: boundGroup(item.modifyTime, timeBounds),
    size: boundGroup(item.fileSize, sizeBounds),
    type: item.extName,
  })[sort]

test.each(sorts.flatMap((sort) => (['asc', 'desc'] as const).map((order) => [sort, order] as const)))(
  'by %s %s the groups are the runs of the listing, for who sees all of it and for who does not',
  async (sort, order) => {
    const bounds = sort === 'time' ? timeBounds : [...sizeBounds]
    for (const person of [anna, ben]) {
      const { list } = await person.call('getSubItemList3', { folderId, rows: 1000, sort, order })
      const runs: { fType: 1 | 2; key: string; count: number }[] = []
      for (const item of list) {
        const key = keyOf(item, sort)
        const last = runs.at(-1)
        if (last?.fType === item.fType && last.key === key) last.count += 1
        else runs.push({ fType: item.fType, key, count: 1 })
      }
      expect((await person.call('getSubItemGroups', { folderId, sort, order, bounds })).list).toEqual(runs)
      expect(runs.length).toBeGreaterThan(2)
      expect(new Set(runs.map(({ fType, key }) => `${fType} ${key}`)).size).toBe(runs.length)
    }
  },
)

test('who may not see a folder does not learn what is in it', async () => {
  const own = (await ben.call('folderCreate', { parentId: ben.library, folderName: '私' })).folderId
  const refusal = await anna.refusal('getSubItemGroups', { folderId: own, sort: 'type', order: 'asc', bounds: [0] })
  expect(refusal).toBe('notFound')
})
