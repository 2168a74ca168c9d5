import 'fake-indexeddb/auto'
import { describe, expect, test } from 'vitest'
import { openTransferStore, type TransferFile } from './store.ts'
import { newTask, usualParams } from './task.ts'

const task = newTask(
  {
    description: 'a.txt',
    totalSize: 3,
    type: 'upload',
    folderId: 7,
    cloudPath: '华东大区',
    totalFileCount: 1,
    firstName: 'a.txt',
    isFolder: false,
    params: usualParams,
  },
  1,
)
const row = (taskId: number, index: number): TransferFile => ({
  taskId,
  index,
  name: `${index}`,
  path: `${index}`,
  size: 3,
  modified: 1,
  folderId: 7,
  folderName: '华东大区',
  conflict: 'refuse',
  state: 'pending',
  sent: 0,
})

describe('what the browser keeps of transfers', () => {
  test('records are numbered from 1 on for each account, and the newest come first [R197] [R357]', async () => {
    const mine = await openTransferStore(1)
    const theirs = await openTransferStore(2)
    for (let n = 0; n < 3; n++) await mine.add(task)
    expect((await theirs.add(task)).taskId).toBe(1)
    expect((await mine.list()).map(({ taskId }) => taskId)).toEqual([3, 2, 1])
  })

  test('a task has its own files and contents, and loses them with its record; it does not come back [R194]', async () => {
    const store = await openTransferStore(3)
    const [first, second] = [await store.add(task), await store.add(task)]
    await store.put([], [row(first.taskId, 0), row(first.taskId, 1), row(second.taskId, 0)])
    await store.putContents([{ taskId: first.taskId, index: 1, file: new File(['abc'], '1') }])
    const kept = await store.task(first.taskId)
    expect([kept.files.map(({ index }) => index), [...kept.contents]]).toEqual([[0, 1], [1]])
    await store.dropFiles(first.taskId, [1])
    expect((await store.task(first.taskId)).files).toHaveLength(1)
    await store.remove(first.taskId)
    await store.put([first], [])
    expect((await store.list()).map(({ taskId }) => taskId)).toEqual([second.taskId])
    expect((await store.task(second.taskId)).files).toHaveLength(1)
  })

  test('of more than 3000 records the oldest go [R357]', async () => {
    const store = await openTransferStore(4)
    for (let n = 0; n < 3002; n++) await store.add(task)
    expect((await store.list()).map(({ taskId }) => taskId).at(-1)).toBe(3)
    expect(await store.list()).toHaveLength(3000)
  })
})
