// @vitest-environment happy-dom
// Items of two servers with equal numbers are different items: in lists, in the selection and in calls.
import { codes, OperateType } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, type Sent } from '../../../test/fake-api.ts'
import { api, mainServer } from '../../core/call/api.ts'
import { setServerAddress } from '../../core/call/other-servers.ts'
import { clip, useClipboard } from '../actions/clipboard.ts'
import { copy, create, remove, rename } from '../actions/operations.ts'
import { folderPath, keyOf, parentOf, readFilesAddress } from '../item/item.ts'
import { sampleItem } from '../item/sample-item.ts'
import { readTags } from '../labels/item-tags.ts'
import { forgetDrive, itemMade, listOf, onFileLock, onItemChange } from './lists.ts'
import { nothingSelected, selectedItems, toggleRow } from './selection.ts'

const own = sampleItem({ fId: 7, fName: '合同.docx', parentFolderId: 3 })
const other = sampleItem({ serverId: 2, fId: 7, fName: '报价.docx', parentFolderId: 3 })
const folder = { folderId: 3, sort: 'name', order: 'asc', keyword: '', foldersOnly: false } as const
const page = { from: 0, list: [own, other], total: 2, next: null }
const hosts = (sent: readonly Sent[], name: string): string[] =>
  sent.filter((one) => one.name === name).map(({ url }) => url.host)

let leave: (() => void) | undefined

beforeEach(() => setServerAddress(2, 'http://two.test'))
afterEach(() => {
  leave?.()
  leave = undefined
  vi.unstubAllGlobals()
  forgetDrive()
})

async function shown() {
  const list = listOf(folder)
  leave = list.subscribe(() => undefined)
  await list.refresh()
  return list
}

test('their keys differ, and the key of an item of the main server is as it was', () => {
  expect([keyOf(own), keyOf(other)]).toEqual(['f7', 's2f7'])
  expect([own.itemIdStr, other.itemIdStr, other.fid]).toEqual(['s0f7', 's2f7', '2-7'])
})

test('a folder of another server is listed there, and hears of its own items alone', async () => {
  const { sent } = fakeApi({
    getSubItemList3: { ...page, list: [sampleItem({ fId: 7, parentFolderId: 3 })], total: 1 },
    getFileInfo: sampleItem({ fId: 8, fName: '新.docx', parentFolderId: 3 }),
  })
  const lists = [listOf(folder), listOf({ ...folder, serverId: 2 })] as const
  const stops = lists.map((list) => list.subscribe(() => undefined))
  leave = () => {
    for (const stop of stops) stop()
  }
  for (const list of lists) await list.refresh()
  expect(hosts(sent, 'getSubItemList3')).toEqual(['cloudoc.test', 'two.test'])
  expect(lists.map((list) => list.snapshot().items.map((item) => item && keyOf(item)))).toEqual([['f7'], ['s2f7']])
  itemMade(sampleItem({ serverId: 2, fId: 8, fName: '新.docx', parentFolderId: 3 }))
  expect(lists.map((list) => list.indexOf('s2f8') >= 0)).toEqual([false, true])
  await lists[1].settled()
})

test('a new item is created on the server of its folder', async () => {
  const made = sampleItem({ fId: 9, fName: '新建文件夹', fType: 2, parentFolderId: 3 })
  const { sent } = fakeApi({ folderCreate: { ...made, folderId: 9, item: made }, getFolderInfo: made })
  const created = await create('folder', { serverId: 2, fId: 3 }, () => false)
  expect([hosts(sent, 'folderCreate'), keyOf(created)]).toEqual([['two.test'], 's2d9'])
})

test('the address of a folder says its server', () => {
  const parent = parentOf(other)
  const query = new URLSearchParams(folderPath(parent, other).split('?')[1])
  expect(readFilesAddress(query)).toEqual({
    folder: { serverId: 2, fId: 3 },
    items: [],
    comments: false,
    focus: 's2f7',
  })
})

test('one of them is selected without the other', async () => {
  fakeApi({ getSubItemList3: page })
  const list = await shown()
  const selection = toggleRow(nothingSelected, keyOf(other))
  expect(await selectedItems(selection, list)).toEqual([other])
})

test('a push of a rename renames the item of its server, which is fetched from there', async () => {
  // A server writes its own items with the number 0; the answer carries the number by which this page knows it.
  const renamed = sampleItem({ fId: 7, fName: '报价 2027.docx', parentFolderId: 3 })
  const { sent } = fakeApi({ getSubItemList3: page, getFileInfo: renamed })
  const list = await shown()
  const by = { operateType: OperateType.rename, operate: OperateType.rename, operateTime: 1, operatorId: 1 }
  const change = { ...by, operatorName: '林夏', fType: 1, fId: 7, fileId: 7, folderId: 3, parentFolderId: 3 } as const
  onItemChange({ ...change, serverId: 2, parentId: 3, fName: renamed.fName, version: 1, fileSize: 1000 })
  await list.settled()
  expect(hosts(sent, 'getFileInfo')).toEqual(['two.test'])
  expect(list.get('f7')?.fName).toBe('合同.docx')
  expect(list.get('s2f7')).toMatchObject({ fName: '报价 2027.docx', serverId: 2, itemIdStr: 's2f7', fid: '2-7' })
})

test('a push of an edit lock marks the item of its server', async () => {
  fakeApi({ getSubItemList3: page })
  const list = await shown()
  onFileLock({ serverId: 2, fileId: 7, userId: 8, userName: '陈晓', lockTime: 5 })
  expect([list.get('f7')?.editorName, list.get('s2f7')?.editorName]).toEqual(['', '陈晓'])
})

test('calls go to the server of their item, a batch to each server with its own items', async () => {
  const done = [{ id: 'f7', fType: 1 as const, name: '', result: codes.success.code, msg: '' }]
  const { sent } = fakeApi({
    renameFile: own,
    getFileInfo: own,
    fileOrFolderDelete: done,
    getItemTags: { list: [] },
  })
  await rename(other, '报价 2.docx')
  await rename(own, '合同 2.docx')
  expect(hosts(sent, 'renameFile')).toEqual(['two.test', 'cloudoc.test'])
  await remove([own, other])
  expect(hosts(sent, 'fileOrFolderDelete')).toEqual(['cloudoc.test', 'two.test'])
  await readTags([own, other])
  expect(hosts(sent, 'getItemTags')).toEqual(['cloudoc.test', 'two.test'])
})

test('a copy to another server is asked about first, and no call for one server gets its items', async () => {
  const { sent } = fakeApi({ getServerList: { list: [] } })
  void copy([other], { fId: 9, fName: '归档' })
  await vi.waitFor(() => expect(sent.map(({ name }) => name)).toEqual(['getServerList']))
})

test('the clipboard holds both', () => {
  clip('copy', [own, other])
  expect(useClipboard.getState().items.map(keyOf)).toEqual(['f7', 's2f7'])
})

test('a call that names items is not callable without a server', () => {
  // Does not compile if `api` itself offers the call.
  const isCallable: 'renameFile' extends keyof typeof api ? true : false = false
  expect(isCallable).toBe(false)
  expect(api.of(mainServer).renameFile).toBeTypeOf('function')
})
