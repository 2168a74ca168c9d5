import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { forgetVisitedFolders, forgetVisitedFoldersOfOthers, recordAnswer, visitedFolders } from './visited-folders.ts'

const item = (fId: number, fType: number, fName: string) => ({
  fId,
  fType,
  fName,
  fileSize: 3,
  modifyTime: 5,
  rights: 6,
})
const page = (folderId: number, from: number, list: unknown[], total = list.length): Promise<void> =>
  recordAnswer(7, 'getSubItemList3', { folderId }, { list, total, from })

it('[R067] folders are known by what was seen of them, with the names above them', async () => {
  await recordAnswer(7, 'getFolderInfo2', { folderId: 1 }, { folder: { fName: '法务部' }, ancestors: [] })
  await page(1, 0, [item(2, 2, '合同')])
  await page(2, 0, [item(3, 2, '2026年')])
  await page(3, 0, [item(4, 1, '采购.docx')])
  await page(99, 0, [item(5, 1, '不知道在哪里.txt')])
  const seen = await visitedFolders(7)
  expect(seen.map(({ name, above }) => [...above, name].join('/'))).toEqual([
    '法务部/合同/2026年',
    '法务部/合同',
    '法务部',
  ])
  expect(seen[0]?.items).toEqual([{ fId: 4, fType: 1, fName: '采购.docx', fileSize: 3, modifyTime: 5 }])
  expect(await visitedFolders(8), 'of another account').toEqual([])
})

it('pages that follow each other are kept together, one that lies apart is not', async () => {
  await page(1, 0, [item(10, 1, 'a'), item(11, 1, 'b')], 1000)
  await page(1, 2, [item(12, 1, 'c')], 1000)
  await page(1, 900, [item(13, 1, 'z')], 1000)
  const [folder] = await visitedFolders(7)
  expect(folder?.items.map(({ fName }) => fName)).toEqual(['a', 'b', 'c'])
  expect(folder?.total).toBe(1000)
})

it('folders that were moved into each other between two looks end nothing', async () => {
  await page(50, 0, [item(51, 2, 'b')])
  await page(51, 0, [item(50, 2, 'a')])
  expect((await visitedFolders(7)).map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'b']))
})

it('what was searched or shown in the tree is no look into a folder', async () => {
  await recordAnswer(9, 'getSubItemList3', { folderId: 1, keyword: 'a' }, { list: [], total: 0 })
  await recordAnswer(9, 'getSubItemList3', { folderId: 1, foldersOnly: true }, { list: [], total: 0 })
  expect(await visitedFolders(9)).toEqual([])
})

it('[R393] what another account saw is gone once somebody signs in after it, with its database', async () => {
  await recordAnswer(8, 'getFolderInfo2', { folderId: 1 }, { folder: { fName: '财务部' }, ancestors: [] })
  await recordAnswer(8, 'getSubItemList3', { folderId: 1 }, { list: [], total: 0 })
  expect(await visitedFolders(8)).not.toEqual([])
  await forgetVisitedFoldersOfOthers(7)
  const names = (await indexedDB.databases()).map(({ name }) => name)
  expect([names.includes('clouddoc-seen-7'), names.includes('clouddoc-seen-8')]).toEqual([true, false])
  expect(await visitedFolders(7)).not.toEqual([])
})

it('[R393] is gone when the account signs out', async () => {
  expect(await visitedFolders(7)).not.toEqual([])
  await forgetVisitedFolders(7)
  expect(await visitedFolders(7)).toEqual([])
})
