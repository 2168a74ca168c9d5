// The virtual folders as folders: pages, sort orders and filters of the libraries they list ([R110], [R115]).
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'

test('[R110] [R115] a virtual folder is listed page by page, in both directions, and by name like any other', async () => {
  const world = await openWorld()
  const admin = await world.admin()
  for (const name of ['财务部', '法务部', '市场部', '人事部']) await world.group(name)
  const page = async (more: object) => admin.call('getSubItemList3', { folderId: -1, ...more })
  const names = async (more: object = {}) => (await page(more)).list.map((item) => item.fName)
  const all = await names()
  expect(all).toEqual(['公司文档', '财务部', '法务部', '人事部', '市场部'])
  expect(await names({ from: 3, rows: 1 })).toEqual([all[3]])
  expect(await page({ from: 9 })).toMatchObject({ list: [], total: 5, next: null })
  expect(await names({ order: 'desc' })).toEqual([...all].reverse())
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const { list, next, total } = await page({ rows: 2, ...(after === '' ? {} : { after }) })
    expect(total).toBe(5)
    seen.push(...list.map((item) => item.fName))
    after = next
  }
  expect(seen).toEqual(all)
  expect(await names({ keyword: 'swb' })).toEqual([])
  expect(await names({ keyword: 'fwb' })).toEqual(['法务部'])
  expect(await page({ keyword: '部', rows: 3 })).toMatchObject({ total: 4 })
  const [first] = (await page({ from: 4 })).list
  expect(await names({ around: first?.itemIdStr, rows: 2 })).toEqual(all.slice(3))
  expect(await admin.refusal('getSubItemList3', { folderId: -1, around: 's0f-99' })).toBe('notFound')
  expect(await admin.refusal('getSubItemList3', { folderId: -1, after: 'x' })).toBe('badRequest')
})

test('[R117] who asks for an associated folder gets none while GL is off, and no plain one for it', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  const wanted = { parentId: anna.library, folderName: 'x' }
  expect(await anna.refusal('folderCreate', { ...wanted, isAssociateFolder: true })).toBe('noPermission')
  expect(await anna.names(anna.library)).toEqual([])
  await anna.call('folderCreate', { ...wanted, isAssociateFolder: false, isPushNotify: true })
})
