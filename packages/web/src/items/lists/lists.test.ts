// @vitest-environment happy-dom
import { hasStatus, ItemStatusBit, itemStatus, OperateType } from '@cloudoc/domain'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { refreshLater } from '../../editing/opening/editable.ts'
import { editorNames } from '../item/editors.ts'
import { sampleItem } from '../item/sample-item.ts'
import { binOf, favoritesOf, forgetDrive, itemMade, listOf, onFileLock, onItemChange, subfoldersOf } from './lists.ts'

let leave: (() => void) | undefined
const isEditedAlone = (bits: number) => hasStatus(itemStatus(bits), 'editAlone')

/** Shows the used space, as the pane next to the files does. */
function showSpace(): void {
  const space = new QueryObserver(queryClient, {
    queryKey: ['drive', 'space'],
    queryFn: () => api.getUseSpaceSizeInfo({}),
  })
  leave = space.subscribe(() => undefined)
}

function pushes(count: number, operateType: number = OperateType.add): void {
  const by = { operateType, operate: operateType, operateTime: 1, operatorId: 1, operatorName: '林夏' }
  const change = { serverId: 0, ...by, fType: 2, fileId: 0, parentFolderId: 1, parentId: 1 } as const
  for (let fId = 1; fId <= count; fId++)
    onItemChange({ ...change, fId, folderId: fId, fName: `f${fId}`, version: 1, fileSize: 0 })
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  leave?.()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  forgetDrive()
})

describe('what a push makes old [R314] [R315]', () => {
  let used = 0
  const server = () =>
    fakeApi({
      getUseSpaceSizeInfo: async () => {
        const now = { used, total: 0 }
        await new Promise((resolve) => setTimeout(resolve, 100))
        return now
      },
    })

  test('is asked for again once, however many pushes come, and after the last of them', async () => {
    const { sent } = server()
    showSpace()
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent).toHaveLength(1)
    pushes(1000)
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toHaveLength(2)
    // More changes arrive during the request. The final value must include them.
    used = 7
    pushes(1000)
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent).toHaveLength(3)
    expect(queryClient.getQueryData(['drive', 'space'])).toEqual({ used: 7, total: 0 })
  })

  test('is asked for now and then where others write on and on', async () => {
    const { sent } = server()
    showSpace()
    for (let tenth = 0; tenth < 100; tenth++) {
      pushes(100)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(sent.length).toBeGreaterThan(10)
    expect(sent.length).toBeLessThan(25)
  })

  test('is everything after a change of rights, asked for once', async () => {
    const { sent } = server()
    showSpace()
    await vi.advanceTimersByTimeAsync(1000)
    pushes(1000, OperateType.rights)
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent).toHaveLength(2)
  })
})

describe('the bin [R243]', () => {
  const row = (fId: number, deleteTime: number) => ({
    fId,
    fType: 1 as const,
    fName: `${fId}.docx`,
    extName: 'docx',
    fileSize: 10,
    deleteTime,
    deleterName: '林夏',
    pathString: '合同/2026',
    parentFolderId: 3,
    itemIdStr: `s0f${fId}`,
  })

  test('is a list of records that were last changed by being deleted, in the order of the server', async () => {
    fakeApi({ getRecycleList: { list: [row(2, 20), row(1, 10)], total: 2 } })
    const bin = binOf(4)
    await bin.refresh()
    const { items, total, complete } = bin.snapshot()
    const shown = items.map((item) => item && [item.fId, item.modifyTime, item.lastOperatorName, item.pathString])
    expect({ shown, total, complete }).toEqual({
      shown: [
        [2, 20, '林夏', '合同/2026'],
        [1, 10, '林夏', '合同/2026'],
      ],
      total: 2,
      complete: true,
    })
    expect(binOf(4)).toBe(bin)
  })

  test('is fetched again once when something is deleted or restored anywhere, and loads what is looked at', async () => {
    const all = Array.from({ length: 3000 }, (_, i) => row(i + 1, 9999 - i))
    const { inputsOf } = fakeApi({
      getRecycleList: ({ from, rows }) => {
        const at = Number(from)
        return { list: all.slice(at, at + Number(rows)), total: all.length }
      },
    })
    const bin = binOf(4)
    leave = bin.subscribe(() => undefined)
    await bin.refresh()
    expect(bin.length).toBe(3000)
    await bin.ensure(2990, 3000)
    expect([bin.keyAt(2999), bin.keyAt(1500)]).toEqual(['f3000', undefined])
    const asked = inputsOf('getRecycleList').length
    pushes(1000, OperateType.delete)
    await vi.advanceTimersByTimeAsync(3000)
    expect(inputsOf('getRecycleList').length).toBeLessThan(asked + 5)
    expect(inputsOf('getRecycleList').length).toBeGreaterThan(asked)
  })
})

// [R316] The rows of a file show its editor at once.
test('[R316] who edits a file is said at its rows at once, where they stand, without asking the server', async () => {
  const rows = [2, 1].map((fId) => sampleItem({ fId, fName: `${fId}.docx`, modifyTime: 0 }))
  const link = sampleItem({ fId: 2, fName: '链接.docx', linkId: 9 })
  const { sent } = fakeApi({
    getSubItemList3: { from: 0, list: [...rows, link], total: 3, next: null },
    getFavoriteList: { list: rows.map((row) => ({ ...row, favoriteTime: 1 })), total: 2 },
  })
  const lists = [listOf({ folderId: 3, sort: 'name', order: 'desc', keyword: '', foldersOnly: false }), favoritesOf()]
  for (const list of lists) await list.refresh()
  const asked = sent.length
  const shown = () =>
    lists.map((list) =>
      list.snapshot().items.map((item) => item && `${item.fId} ${item.editorName} ${isEditedAlone(item.itemStatus)}`),
    )
  const before = shown()
  onFileLock({ serverId: 0, fileId: 2, userId: 8, userName: '陈晓', lockTime: 5 })
  expect(
    shown()
      .flat()
      .filter((row) => row?.startsWith('2 ')),
  ).toEqual(Array(3).fill('2 陈晓 true'))
  onFileLock({ serverId: 0, fileId: 2, userId: -1, userName: '', lockTime: 0 })
  onFileLock({ serverId: 0, fileId: 77, userId: 8, userName: '陈晓', lockTime: 5 })
  expect(shown()).toEqual(before)
  expect(sent).toHaveLength(asked)
})

// [R109] The rows of a file name all who edit it together, as they come and go.
test('[R109] who edits a file together is asked for anew when somebody comes or goes, and named in its row', async () => {
  const row = sampleItem({ fId: 2, fName: '报价.docx', itemStatus: ItemStatusBit.editMulti, parentFolderId: 3 })
  const editorList = [
    { userId: 7, name: '林夏' },
    { userId: 8, name: '陈晓' },
  ]
  const both = { ...row, editorNames: '林夏, 陈晓', editorList }
  const server = fakeApi({ getSubItemList3: { from: 0, list: [row], total: 1, next: null } })
  const list = listOf({ folderId: 3, sort: 'name', order: 'desc', keyword: '', foldersOnly: false })
  leave = list.subscribe(() => undefined)
  await list.refresh()
  const said = () => list.snapshot().items.map((item) => item && editorNames(item))
  expect(said()).toEqual([''])
  server.now({ getFileInfo: both })
  onFileLock({ serverId: 0, fileId: 2, userId: -1, userName: '', lockTime: 0 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(said()).toEqual(['林夏、陈晓'])
})

// [R177] Lists showing a file opened for editing refresh it after 15 seconds.
test('[R177] a file that was opened to be edited is asked for anew by the lists that show it, 15 seconds later', async () => {
  const row = sampleItem({ fId: 2, fName: '报价.docx' })
  const { sent } = fakeApi({ getSubItemList3: { from: 0, list: [row], total: 1, next: null } })
  const list = listOf({ folderId: 3, sort: 'name', order: 'desc', keyword: '', foldersOnly: false })
  leave = list.subscribe(() => undefined)
  await list.refresh()
  await vi.advanceTimersByTimeAsync(1000)
  const before = sent.length
  refreshLater({ serverId: 0, fId: 2 })
  await vi.advanceTimersByTimeAsync(14_900)
  expect(sent).toHaveLength(before)
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent.slice(before).filter(({ name }) => name === 'getFileInfo')).toHaveLength(1)
})

// [R117] A created item appears in its list with the answer of the call and is then ready to be renamed, also with slow
// answers.
test('[R117] what was made stands at its place before the server is asked for it, where it surely belongs', async () => {
  const rows = ['a', 'c'].map((fName, n) => sampleItem({ fName, fId: n + 1, fType: 2 }))
  fakeApi({ getSubItemList3: () => ({ from: 0, list: rows, total: 2, next: null }) })
  const by = { folderId: 1, sort: 'name', order: 'asc', foldersOnly: false } as const
  const lists = [listOf({ ...by, keyword: '' }), subfoldersOf({ serverId: 0, fId: 1 }), listOf({ ...by, keyword: 'a' })]
  const ends = lists.map((list) => list.subscribe(() => undefined))
  for (const list of lists) await list.refresh()
  itemMade(sampleItem({ fName: 'b', fId: 3, fType: 1 }))
  const names = lists.map((list) => list.snapshot().items.map((item) => item?.fName))
  expect(names).toEqual([
    ['a', 'c', 'b'],
    ['a', 'c'],
    ['a', 'c'],
  ])
  for (const end of ends) end()
})
