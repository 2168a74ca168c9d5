/*
 * What outlives the page: the records of the transfers of one account in its database ([R357]), beside each unfinished
 * upload its files with what is known of them, and their contents where they are small. A browser copies a content that is
 * put here, so of large ones only the handle is kept that some browsers give; else the person is asked for the file again.
 * Where the browser keeps nothing the transfers end with the page.
 */
import { limits } from '@cloudoc/domain'
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import {
  accountDatabase,
  type Database,
  database,
  type Tables,
  type TransferRow,
} from '../../../core/storage/database.ts'
import type { TransferError } from './states.ts'
import type { TransferTask, UploadPolicy } from './task.ts'

export type FileState = 'pending' | 'running' | 'done' | 'error' | 'clash' | 'skipped'

/** One file of an upload: the documents' upload task, with its entry ([R197]). */
export interface TransferFile {
  readonly taskId: number
  /** Its place in the task. */
  readonly index: number
  readonly name: string
  /** Its path as it was handed over, by which it is found again. */
  readonly path: string
  readonly size: number
  readonly modified: number
  readonly folderId: number
  readonly folderName: string
  readonly conflict: UploadPolicy
  readonly state: FileState
  readonly sent: number
  readonly error?: TransferError | undefined
  /** It was sent before, and what became of that is not known. */
  readonly tried?: boolean | undefined
  readonly sha256?: string | undefined
  readonly uploadId?: string | undefined
  readonly fileId?: number | undefined
  readonly instant?: boolean | undefined
  /** Of a download: the content that its first bytes are of. */
  readonly etag?: string | undefined
}

/** What an unfinished task needs to go on. */
export interface KeptTask {
  readonly files: TransferFile[]
  /** The places of the files whose contents are kept. */
  readonly contents: ReadonlySet<number>
}

export interface TransferStore {
  /** Adds a record under the next number; the first is 1 ([R197]). */
  add(task: Omit<TransferTask, 'taskId'>): Promise<TransferTask>
  /** The newest records, newest first. */
  list(): Promise<TransferTask[]>
  put(tasks: readonly TransferTask[], files: readonly TransferFile[]): Promise<void>
  task(taskId: number): Promise<KeptTask>
  putContents(
    contents: readonly { readonly taskId: number; readonly index: number; readonly file: File }[],
  ): Promise<void>
  content(taskId: number, index: number): Promise<File | undefined>
  putHandles(taskId: number, handles: readonly FileSystemHandle[]): Promise<void>
  handles(taskId: number): Promise<readonly FileSystemHandle[]>
  /** Forgets these files and their contents. */
  dropFiles(taskId: number, indexes: readonly number[]): Promise<void>
  /** Forgets the contents of a task; its files stay. */
  dropContents(taskId: number): Promise<void>
  /** Forgets the contents of those tasks that still have any. */
  sweep(taskIds: ReadonlySet<number>): Promise<void>
  /** Forgets a task with everything it has. */
  remove(taskId: number): Promise<void>
}

type StoreName = 'transferList' | 'transferFile' | 'transferContent' | 'transferHandle'
const all: StoreName[] = ['transferList', 'transferFile', 'transferContent', 'transferHandle']

/** Opens what this browser keeps of an account's transfers. */
export async function openTransferStore(accountId: number): Promise<TransferStore> {
  const name = accountDatabase(accountId)
  try {
    await database(name)
  } catch {
    return passingStore()
  }
  // What earlier clients kept is worth a try, and no reason to keep nothing.
  await moveEarlier(accountId).catch(() => undefined)
  return keptStore(accountId, () => database(name))
}

const everyFileOf = (taskId: number): IDBKeyRange => IDBKeyRange.bound([taskId, 0], [taskId, Number.MAX_SAFE_INTEGER])

function keptStore(accountId: number, open: () => Promise<Database>): TransferStore {
  const rowOf = (task: TransferTask): TransferRow => ({ ...task, accountId })
  return {
    async add(task) {
      const tx = (await open()).transaction(['transferNumber', 'transferList'], 'readwrite')
      return wholly(tx, async () => {
        const numbers = tx.objectStore('transferNumber')
        const made = { ...task, taskId: await numbers.add({}) }
        await Promise.all([numbers.delete(made.taskId), tx.objectStore('transferList').add(rowOf(made))])
        return made
      })
    },
    async list() {
      const records: TransferTask[] = []
      const tx = (await open()).transaction(all, 'readwrite')
      const newestFirst = tx.objectStore('transferList').index('time').openCursor(null, 'prev')
      for (let at = await newestFirst; at !== null; at = await at.continue()) {
        if (records.length < limits.transferRecords) records.push(taskOf(at.value))
        else forget(tx, at.value.taskId)
      }
      await tx.done
      return records
    },
    async put(tasks, files) {
      const tx = (await open()).transaction(['transferList', 'transferFile'], 'readwrite')
      await wholly(tx, async () => {
        const lists = tx.objectStore('transferList')
        // A task that was taken away meanwhile does not come back.
        for (const task of tasks) {
          if ((await lists.getKey([task.type, task.taskId])) !== undefined) await lists.put(rowOf(task))
        }
        await Promise.all(files.map(async (file) => tx.objectStore('transferFile').put(file)))
      })
    },
    async task(taskId) {
      const tx = (await open()).transaction(['transferFile', 'transferContent'])
      const [files, keys] = await Promise.all([
        tx.objectStore('transferFile').getAll(everyFileOf(taskId)),
        tx.objectStore('transferContent').getAllKeys(everyFileOf(taskId)),
      ])
      return { files: files as TransferFile[], contents: new Set(keys.map(([, index]) => index)) }
    },
    async putContents(contents) {
      const tx = (await open()).transaction('transferContent', 'readwrite')
      await wholly(tx, () => Promise.all(contents.map(async (one) => tx.store.put(one.file, [one.taskId, one.index]))))
    },
    content: async (taskId, index) => (await open()).get('transferContent', [taskId, index]),
    async putHandles(taskId, handles) {
      await (await open()).put('transferHandle', handles, taskId)
    },
    handles: async (taskId) => (await (await open()).get('transferHandle', taskId)) ?? [],
    async dropFiles(taskId, indexes) {
      const tx = (await open()).transaction(['transferFile', 'transferContent'], 'readwrite')
      // Twenty thousand requests at once hold the page up.
      for (const [first, last] of runsOf(indexes)) {
        const range = IDBKeyRange.bound([taskId, first], [taskId, last])
        void tx.objectStore('transferFile').delete(range)
        void tx.objectStore('transferContent').delete(range)
      }
      await tx.done
    },
    async dropContents(taskId) {
      await (await open()).delete('transferContent', everyFileOf(taskId))
    },
    async sweep(taskIds) {
      const db = await open()
      const having = new Set((await db.getAllKeys('transferContent')).map(([taskId]) => taskId))
      for (const taskId of having) if (taskIds.has(taskId)) await db.delete('transferContent', everyFileOf(taskId))
    },
    async remove(taskId) {
      const tx = (await open()).transaction(all, 'readwrite')
      forget(tx, taskId)
      await tx.done
    },
  }
}

/** Where the numbers follow one another: the first and the last of each run. */
function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run !== undefined && number <= run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}

/** Writes all of it or, where one request fails, nothing. */
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
      // It has given itself up.
    }
    throw error
  }
}

/** A record as the page knows it: with all that newTask gives it, which is more than the documents list. */
function taskOf({ accountId: _, ...task }: TransferRow): TransferTask {
  return task as TransferTask
}

/** Takes a task away with everything it has. Its number is its own among uploads and downloads. */
function forget(tx: IDBPTransaction<Tables, StoreName[], 'readwrite'>, taskId: number): void {
  void tx.objectStore('transferList').delete(['upload', taskId])
  void tx.objectStore('transferList').delete(['download', taskId])
  void tx.objectStore('transferFile').delete(everyFileOf(taskId))
  void tx.objectStore('transferContent').delete(everyFileOf(taskId))
  void tx.objectStore('transferHandle').delete(taskId)
}

interface Earlier extends DBSchema {
  transferList: { key: number; value: TransferTask }
  transferFile: { key: [number, number]; value: TransferFile }
  transferContent: { key: [number, number]; value: File }
  transferHandle: { key: number; value: readonly FileSystemHandle[] }
}

/** Moves the transfers that earlier clients kept in a database of their own. */
async function moveEarlier(accountId: number): Promise<void> {
  const name = `cloudoc-transfer-${accountId}`
  const known = await indexedDB.databases()
  if (!known.some((one) => one.name === name)) return
  const from = await openDB<Earlier>(name)
  try {
    // Another tab may have been faster and have taken it away.
    if (from.objectStoreNames.contains('transferList')) await moveAll(accountId, from)
  } finally {
    from.close()
  }
  await deleteDB(name)
}

async function moveAll(accountId: number, from: IDBPDatabase<Earlier>): Promise<void> {
  const old = from.transaction(all)
  const [tasks, files, places, contents, owners, handles] = await Promise.all([
    old.objectStore('transferList').getAll(),
    old.objectStore('transferFile').getAll(),
    old.objectStore('transferContent').getAllKeys(),
    old.objectStore('transferContent').getAll(),
    old.objectStore('transferHandle').getAllKeys(),
    old.objectStore('transferHandle').getAll(),
  ])
  const db = await database(accountDatabase(accountId))
  const tx = db.transaction([...all, 'transferNumber' as const], 'readwrite')
  await wholly(tx, async () => {
    const lists = tx.objectStore('transferList')
    const moved = new Set<number>()
    for (const task of tasks) {
      if ((await lists.getKey([task.type, task.taskId])) !== undefined) continue
      moved.add(task.taskId)
      await lists.put({ ...task, accountId })
    }
    const [toFiles, toContents] = [tx.objectStore('transferFile'), tx.objectStore('transferContent')]
    for (const file of files) if (moved.has(file.taskId)) await toFiles.put(file)
    for (const [n, place] of places.entries()) {
      const content = contents[n]
      if (moved.has(place[0]) && content !== undefined) await toContents.put(content, place)
    }
    for (const [n, taskId] of owners.entries()) {
      if (moved.has(taskId)) await tx.objectStore('transferHandle').put(handles[n] ?? [], taskId)
    }
    // The next number is beyond all that are in use.
    const last = tasks.reduce((most, { taskId }) => Math.max(most, taskId), 0)
    if (last > 0) await tx.objectStore('transferNumber').delete(await tx.objectStore('transferNumber').put({}, last))
  })
}

/** Where nothing can be kept: numbers for the page, and nothing else. */
export function passingStore(): TransferStore {
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
