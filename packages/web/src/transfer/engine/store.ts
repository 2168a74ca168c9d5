/*
 * The persistent storage of transfers. The records of one account are in its database ([R357]). A second database (X58)
 * has the files of each unfinished transfer with their state, and their contents if they are small. No transaction
 * spans two databases. Therefore a record is added before its files and deleted before them, its files are written
 * before it, and the files are counted again when a task is resumed. The next page deletes files without a record. The
 * browser copies stored contents, so for large files only the handle is stored where the browser supports it. Otherwise
 * the user must choose the file again. If the browser cannot store anything, the transfers end with the page.
 */
import { limits } from '@cloudoc/domain'
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'
import {
  accountDatabase,
  type Database,
  database,
  importTransfers,
  type TransferDatabase,
  type TransferRow,
  transferDatabase,
  transferDatabaseOf,
} from '../../core/storage/database.ts'
import type { TransferTask } from './task.ts'
import type { TransferFile } from './transfer-file.ts'
import { entryOf, fileOf, type UploadEntry } from './upload-entry.ts'

export type { FileState, TransferFile } from './transfer-file.ts'

/** The stored data that an unfinished task needs to resume. */
export interface StoredTask {
  readonly files: TransferFile[]
  /** The indexes of the files whose contents are stored. */
  readonly contents: ReadonlySet<number>
}

export interface TransferStore {
  /** Adds a record with the next id. The first id is 1 ([R197]). */
  add(task: Omit<TransferTask, 'taskId'>): Promise<TransferTask>
  /** Returns the newest records, newest first. */
  list(): Promise<TransferTask[]>
  put(tasks: readonly TransferTask[], files: readonly TransferFile[]): Promise<void>
  task(taskId: number): Promise<StoredTask>
  putContents(
    contents: readonly { readonly taskId: number; readonly index: number; readonly file: File }[],
  ): Promise<void>
  content(taskId: number, index: number): Promise<File | undefined>
  putHandles(taskId: number, handles: readonly FileSystemHandle[]): Promise<void>
  handles(taskId: number): Promise<readonly FileSystemHandle[]>
  /** Deletes these files and their contents. */
  dropFiles(taskId: number, indexes: readonly number[]): Promise<void>
  /** Deletes the contents of a task. Its files stay. */
  dropContents(taskId: number): Promise<void>
  /** Deletes the contents of those tasks that still have any. */
  sweep(taskIds: ReadonlySet<number>): Promise<void>
  /** Deletes a task with all its data. */
  remove(taskId: number): Promise<void>
}

/** Opens the stored transfers of an account in this browser. */
export async function openTransferStore(accountId: number): Promise<TransferStore> {
  const name = accountDatabase(accountId)
  try {
    await database(name)
    await transferDatabase(transferDatabaseOf(name))
  } catch {
    return memoryStore()
  }
  // A failed migration from earlier clients must not prevent the storage.
  await moveEarlier(accountId).catch(() => undefined)
  const parts = transferDatabaseOf(name)
  return persistentStore(
    accountId,
    () => database(name),
    () => transferDatabase(parts),
  )
}

const everyFileOf = (taskId: number): IDBKeyRange => IDBKeyRange.bound([taskId, 0], [taskId, Number.MAX_SAFE_INTEGER])

function persistentStore(
  accountId: number,
  open: () => Promise<Database>,
  openParts: () => Promise<TransferDatabase>,
): TransferStore {
  const rowOf = (task: TransferTask): TransferRow => ({ ...task, accountId })
  const forget = async (db: Database, taskIds: readonly number[]): Promise<void> => {
    const tx = db.transaction('transferList', 'readwrite')
    // Task ids are unique across uploads and downloads.
    for (const taskId of taskIds) {
      for (const type of ['upload', 'download']) void tx.store.delete([type, taskId])
    }
    await tx.done
  }
  const forgetParts = async (taskIds: readonly number[]): Promise<void> => {
    if (taskIds.length === 0) return
    const tx = (await openParts()).transaction(['transferFile', 'transferContent', 'transferHandle'], 'readwrite')
    for (const taskId of taskIds) {
      void tx.objectStore('transferFile').delete(everyFileOf(taskId))
      void tx.objectStore('transferContent').delete(everyFileOf(taskId))
      void tx.objectStore('transferHandle').delete(taskId)
    }
    await tx.done
  }
  /** Returns the next id. It is above the highest id in use, in case the counter was lost. */
  const number = async (beyond: number): Promise<number> => {
    const tx = (await openParts()).transaction('transferNumber', 'readwrite')
    if (beyond > 0) await tx.store.put({}, beyond)
    const next = await tx.store.add({})
    await tx.store.clear()
    await tx.done
    return next
  }
  return {
    async add(task) {
      const db = await open()
      const made = { ...task, taskId: await number(0) }
      const newest = Math.max(await newestOf(db, 'upload'), await newestOf(db, 'download'))
      if (newest >= made.taskId) made.taskId = await number(newest)
      await db.add('transferList', rowOf(made))
      return made
    },
    async list() {
      const records: TransferTask[] = []
      const surplus: number[] = []
      const db = await open()
      // Read before the records: every task whose files are found here already has its record.
      const having = await havingParts(await openParts())
      const newestFirst = db.transaction('transferList').store.index('time').openCursor(null, 'prev')
      for (let at = await newestFirst; at !== null; at = await at.continue()) {
        if (records.length < limits.transferRecords) records.push(taskOf(at.value))
        else surplus.push(at.value.taskId)
      }
      if (surplus.length > 0) await forget(db, surplus)
      const known = new Set(records.map(({ taskId }) => taskId))
      await forgetParts([...having].filter((taskId) => !known.has(taskId)))
      return records
    },
    async put(tasks, files) {
      if (files.length > 0) {
        const parts = (await openParts()).transaction('transferFile', 'readwrite')
        await wholly(parts, () => Promise.all(files.map(async (file) => parts.store.put(entryOf(file)))))
      }
      if (tasks.length === 0) return
      const tx = (await open()).transaction('transferList', 'readwrite')
      await wholly(tx, async () => {
        // A task that was removed in the meantime is not stored again.
        for (const task of tasks) {
          if ((await tx.store.getKey([task.type, task.taskId])) !== undefined) await tx.store.put(rowOf(task))
        }
      })
    },
    async task(taskId) {
      const tx = (await openParts()).transaction(['transferFile', 'transferContent'])
      const [files, keys] = await Promise.all([
        tx.objectStore('transferFile').getAll(everyFileOf(taskId)),
        tx.objectStore('transferContent').getAllKeys(everyFileOf(taskId)),
      ])
      return {
        files: (files as (UploadEntry | TransferFile)[]).map(fileOf),
        contents: new Set(keys.map(([, index]) => index)),
      }
    },
    async putContents(contents) {
      const tx = (await openParts()).transaction('transferContent', 'readwrite')
      await wholly(tx, () => Promise.all(contents.map(async (one) => tx.store.put(one.file, [one.taskId, one.index]))))
    },
    content: async (taskId, index) => (await openParts()).get('transferContent', [taskId, index]),
    async putHandles(taskId, handles) {
      await (await openParts()).put('transferHandle', handles, taskId)
    },
    handles: async (taskId) => (await (await openParts()).get('transferHandle', taskId)) ?? [],
    async dropFiles(taskId, indexes) {
      const tx = (await openParts()).transaction(['transferFile', 'transferContent'], 'readwrite')
      // Deletes by ranges, because twenty thousand single requests would block the page.
      for (const [first, last] of runsOf(indexes)) {
        const range = IDBKeyRange.bound([taskId, first], [taskId, last])
        void tx.objectStore('transferFile').delete(range)
        void tx.objectStore('transferContent').delete(range)
      }
      await tx.done
    },
    async dropContents(taskId) {
      await (await openParts()).delete('transferContent', everyFileOf(taskId))
    },
    async sweep(taskIds) {
      const db = await openParts()
      const having = new Set((await db.getAllKeys('transferContent')).map(([taskId]) => taskId))
      for (const taskId of having) if (taskIds.has(taskId)) await db.delete('transferContent', everyFileOf(taskId))
    },
    async remove(taskId) {
      await forget(await open(), [taskId])
      await forgetParts([taskId])
    },
  }
}

/** Returns the highest id of a type of task. */
async function newestOf(db: Database, type: 'upload' | 'download'): Promise<number> {
  const all = IDBKeyRange.bound([type, 0], [type, Number.MAX_SAFE_INTEGER])
  const last = await db.transaction('transferList').store.openKeyCursor(all, 'prev')
  return last?.key[1] ?? 0
}

/** Returns the tasks that have files, contents or handles. */
async function havingParts(db: TransferDatabase): Promise<Set<number>> {
  const tx = db.transaction(['transferFile', 'transferContent', 'transferHandle'])
  const [files, contents, handles] = await Promise.all([
    tx.objectStore('transferFile').getAllKeys(),
    tx.objectStore('transferContent').getAllKeys(),
    tx.objectStore('transferHandle').getAllKeys(),
  ])
  return new Set([...[...files, ...contents].map(([taskId]) => taskId), ...handles])
}

/** Returns the runs of consecutive numbers, as first and last. */
function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run !== undefined && number <= run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}

/** Writes everything, or nothing if one request fails. */
async function wholly<T>(tx: { done: Promise<void>; abort(): void }, write: () => Promise<T>): Promise<T> {
  try {
    const written = await write()
    await tx.done
    return written
  } catch (error) {
    tx.done.catch(() => undefined)
    try {
      tx.abort()
    } catch {
      // The transaction has already aborted.
    }
    throw error
  }
}

/** Converts a stored record into a task. It has all fields of newTask, which are more than the specification lists. */
function taskOf({ accountId: _, ...task }: TransferRow): TransferTask {
  return task as TransferTask
}

interface Earlier extends DBSchema {
  transferList: { key: number; value: TransferTask }
  transferFile: { key: [number, number]; value: TransferFile }
  transferContent: { key: [number, number]; value: File }
  transferHandle: { key: number; value: readonly FileSystemHandle[] }
}

/** Migrates the transfers that earlier clients stored in a separate database. */
async function moveEarlier(accountId: number): Promise<void> {
  const name = `cloudoc-transfer-${accountId}`
  const known = await indexedDB.databases()
  if (!known.some((one) => one.name === name)) return
  const from = await openDB<Earlier>(name)
  try {
    // Another tab may have migrated and deleted it already.
    if (from.objectStoreNames.contains('transferList')) await moveAll(accountId, from)
  } finally {
    from.close()
  }
  await deleteDB(name)
}

async function moveAll(accountId: number, from: IDBPDatabase<Earlier>): Promise<void> {
  const old = from.transaction(['transferList', 'transferFile', 'transferContent', 'transferHandle'])
  const [tasks, files, places, contents, owners, handles] = await Promise.all([
    old.objectStore('transferList').getAll(),
    old.objectStore('transferFile').getAll(),
    old.objectStore('transferContent').getAllKeys(),
    old.objectStore('transferContent').getAll(),
    old.objectStore('transferHandle').getAllKeys(),
    old.objectStore('transferHandle').getAll(),
  ])
  const name = accountDatabase(accountId)
  const known = new Set((await (await database(name)).getAllKeys('transferList')).map(([, taskId]) => taskId))
  const isNew = (taskId: number): boolean => !known.has(taskId)
  const moved = tasks.filter(({ taskId }) => isNew(taskId))
  await importTransfers(transferDatabaseOf(name), {
    files: files.filter(({ taskId }) => isNew(taskId)),
    contents: places.flatMap((place, n) => {
      const content = contents[n]
      return content === undefined || !isNew(place[0]) ? [] : [{ place, content }]
    }),
    handles: owners.flatMap((taskId, n) => (isNew(taskId) ? [{ taskId, handles: handles[n] ?? [] }] : [])),
    last: tasks.reduce((most, { taskId }) => Math.max(most, taskId), 0),
  })
  const tx = (await database(name)).transaction('transferList', 'readwrite')
  await wholly(tx, () => Promise.all(moved.map(async (task) => tx.store.put({ ...task, accountId }))))
}

/** A store without persistence: it only assigns ids for this page. */
export function memoryStore(): TransferStore {
  let last = 0
  return {
    add: async (task) => ({ ...task, taskId: ++last }),
    list: async () => [],
    put: async () => undefined,
    task: async () => ({ files: [], contents: new Set<number>() }),
    putContents: async () => undefined,
    content: async () => undefined,
    putHandles: async () => undefined,
    handles: async () => [],
    dropFiles: async () => undefined,
    dropContents: async () => undefined,
    sweep: async () => undefined,
    remove: async () => undefined,
  }
}
