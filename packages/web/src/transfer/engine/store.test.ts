import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { describe, expect, test } from 'vitest'
import { accountRecords } from '../../core/storage/account-records.ts'
import { openTransferStore, type TransferFile } from './store.ts'
import { defaultUploadParams, newTask } from './task.ts'

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
    params: defaultUploadParams,
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

  // [R197] The entry of a file of an upload is stored with the documented fields and their values at the start.
  test('[R197] an entry has the fields of the documents, and is read back as it was, also one of an older client', async () => {
    const store = await openTransferStore(31)
    const { taskId } = await store.add(task)
    const params = { serverId: 0, secretLevel: 20, duration: 3, unit: 2 }
    const files: TransferFile[] = [
      { ...row(taskId, 0), params },
      { ...row(taskId, 1), params, state: 'error', error: 'network', sent: 2 },
      { ...row(taskId, 2), params, state: 'done', fileId: 9 },
    ]
    await store.put([], files)
    const db = await openDB('clouddoc-transfer-31')
    const kept = (await db.getAll('transferFile')) as Record<string, unknown>[]
    expect(kept[0]).toEqual({
      ...{ taskId, index: 0, serverId: 0, folderId: 7, secretLevel: 20, duration: 3, unit: 2 },
      file: { name: '0', path: '0', size: 3, modified: 1 },
      folderInfo: { serverId: 0, fId: 7, fName: '华东大区' },
      ...{ state: 0, progress: 0, speed: 0, conflict: 'refuse', sent: 0 },
    })
    expect(kept.map(({ state, progress }) => [state, progress])).toEqual([
      [0, 0],
      [3, 666],
      [2, 1000],
    ])
    expect((await store.task(taskId)).files).toEqual(files)
    await db.put('transferFile', row(taskId, 3))
    expect((await store.task(taskId)).files.at(-1)).toEqual(row(taskId, 3))
    db.close()
  })

  test('exactly the files that are named are forgotten, in whatever order', async () => {
    const store = await openTransferStore(10)
    const { taskId } = await store.add(task)
    await store.put(
      [],
      Array.from({ length: 10 }, (_, index) => row(taskId, index)),
    )
    await store.dropFiles(taskId, [8, 2, 3, 1, 9, 6])
    expect((await store.task(taskId)).files.map(({ index }) => index)).toEqual([0, 4, 5, 7])
    await store.dropFiles(taskId, [])
    expect((await store.task(taskId)).files).toHaveLength(4)
  })

  test('of more than 3000 records the oldest go [R357]', async () => {
    const store = await openTransferStore(4)
    const [db, parts] = [await openDB('clouddoc-4'), await openDB('clouddoc-transfer-4')]
    const tx = db.transaction('transferList', 'readwrite')
    const files = parts.transaction('transferFile', 'readwrite')
    for (let taskId = 1; taskId <= 3002; taskId++) {
      void tx.store.put({ ...task, taskId, createTime: taskId })
      void files.store.put(row(taskId, 0))
    }
    await Promise.all([tx.done, files.done])
    expect((await store.list()).map(({ taskId }) => taskId).at(-1)).toBe(3)
    expect(await db.count('transferList')).toBe(3000)
    // Their files are deleted with them, at once or by the next page.
    await store.list()
    expect(await parts.count('transferFile')).toBe(3000)
    db.close()
    parts.close()
  })

  // [R357] Transfer records by number, at most 3,000.
  test('records lie in transferList of the account’s database, with its account and the texts of the documents [R357]', async () => {
    const store = await openTransferStore(5)
    const { taskId } = await store.add(task)
    await store.put([{ ...task, taskId, progress: 500, status: 'pause' }], [])
    const db = await openDB('clouddoc-5')
    expect(await db.getAll('transferList')).toEqual([
      { ...task, taskId, progress: 500, status: 'pause', accountId: 5, showProgress: 'true' },
    ])
    db.close()
    expect(await store.list()).toEqual([{ ...task, taskId, progress: 500, status: 'pause' }])
    expect(await accountRecords(5).transfers()).toMatchObject([{ taskId, progress: 500, showProgress: true }])
  })

  test('the number of a task that was taken away is not given again [R197]', async () => {
    const store = await openTransferStore(6)
    await store.add(task)
    await store.remove((await store.add(task)).taskId)
    expect((await store.add(task)).taskId).toBe(3)
  })

  test('a record never tells of more than its files do: they are written before it', async () => {
    const store = await openTransferStore(7)
    const made = await store.add(task)
    // A value that cannot be stored, between values that can.
    const broken = { ...row(made.taskId, 1), name: (() => undefined) as unknown as string }
    await expect(store.put([{ ...made, progress: 900 }], [row(made.taskId, 0), broken])).rejects.toThrow()
    expect([(await store.list())[0]?.progress, (await store.task(made.taskId)).files]).toEqual([0, []])
  })

  test('files without a record go with the next page; a number that was lost is not given twice [R197]', async () => {
    const store = await openTransferStore(11)
    await store.put([], [row(5, 0)])
    await store.putContents([{ taskId: 6, index: 0, file: new File(['abc'], '0') }])
    await store.list()
    expect([(await store.task(5)).files, (await store.task(6)).contents.size]).toEqual([[], 0])
    await store.add(task)
    await store.add(task)
    await deleteDB('clouddoc-transfer-11')
    expect((await store.add(task)).taskId).toBe(3)
    expect((await store.add(task)).taskId).toBe(4)
  })

  test('goes on when another tab had the database deleted under it', async () => {
    const store = await openTransferStore(8)
    await store.add(task)
    await deleteDB('clouddoc-8')
    await deleteDB('clouddoc-transfer-8')
    expect(await store.list()).toEqual([])
    expect((await store.add(task)).taskId).toBe(1)
  })

  test('what an earlier client kept in a database of its own is moved, once, and that database is gone [R192]', async () => {
    const names = ['transferFile', 'transferContent', 'transferHandle'] as const
    const earlier = await openDB('cloudoc-transfer-9', 1, {
      upgrade(made) {
        made.createObjectStore('transferList', { keyPath: 'taskId', autoIncrement: true })
        made.createObjectStore('transferFile', { keyPath: ['taskId', 'index'] })
        made.createObjectStore('transferContent')
        made.createObjectStore('transferHandle')
      },
    })
    for (const taskId of [3, 4]) {
      await earlier.put('transferList', { ...task, taskId })
      await earlier.put('transferFile', row(taskId, 0))
      await earlier.put('transferContent', new File(['abc'], '0'), [taskId, 0])
      await earlier.put('transferHandle', [], taskId)
    }
    earlier.close()

    const store = await openTransferStore(9)
    expect((await store.list()).map(({ taskId }) => taskId)).toEqual([4, 3])
    expect(await store.task(3)).toEqual({ files: [row(3, 0)], contents: new Set([0]) })
    const db = await openDB('clouddoc-transfer-9')
    for (const name of names) expect(await db.count(name)).toBe(2)
    db.close()
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('cloudoc-transfer-9')
    expect((await store.add(task)).taskId).toBe(5)

    await store.remove(3)
    expect((await (await openTransferStore(9)).list()).map(({ taskId }) => taskId)).toEqual([5, 4])
  })
})
