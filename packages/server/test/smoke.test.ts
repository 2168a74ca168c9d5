import { isFrame } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { openWorld } from './harness.ts'

test('a person signs in, makes a folder, uploads, lists, downloads, renames, deletes and restores', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '合同' })
  const fileId = await anna.upload(folderId, '重庆采购合同.txt', '内容')
  expect(await anna.names(folderId)).toEqual(['重庆采购合同.txt'])
  const bytes = await anna.download(fileId)
  expect(bytes.body).toBe('内容')
  await anna.call('renameFile', { fileId, fileName: '重庆采购合同（修订）.txt' })
  const found = await anna.call('searchDoc', { keyword: 'cq' })
  expect(found.list.map((item) => item.fName)).toEqual(['重庆采购合同（修订）.txt'])
  expect(found.list[0]?.pathString).toBe('anna/合同')
  await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  expect(await anna.names(folderId)).toEqual([])
  expect((await anna.call('getRecycleList', {})).list.map((item) => item.fName)).toEqual(['重庆采购合同（修订）.txt'])
  await anna.call('recycleRestore', { fileIdArray: [fileId] })
  expect(await anna.names(folderId)).toEqual(['重庆采购合同（修订）.txt'])
})

test('a second person hears of a change without asking', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  const ben = await world.person('ben')
  const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '共享' })
  await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
  const live = await ben.listen()
  const fileId = await anna.upload(folderId, 'a.txt')
  const frame = await live.next((each) => isFrame(each, 'fileChange'))
  expect(frame.data).toMatchObject({ fId: fileId, fName: 'a.txt', parentFolderId: folderId, operateType: 2 })
})
