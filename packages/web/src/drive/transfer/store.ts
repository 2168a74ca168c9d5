/*
 * What outlives the page: the records of the transfers of one account in its own IndexedDB ([R357]), beside each unfinished
 * upload its files with what is known of them, and their contents where they are small. A browser copies a content that is
 * put here, so of large ones only the handle is kept that some browsers give; else the person is asked for the file again.
 * Where the browser keeps nothing the transfers end with the page.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
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
  /** Forgets a task with everything it has. */
  remove(taskId: number): Promise<void>
  close(): void
}

/** The most records that are shown ([R357]). */
const mostRecords = 3000

interface Kept extends DBSchema {
  transferList: { key: number; value: TransferTask }
  transferFile: { key: [number, number]; value: TransferFile }
  transferContent: { key: [number, number]; value: File }
  transferHandle: { key: number; value: readonly FileSystemHandle[] }
}

/** Opens what this browser keeps of an account's transfers. */
export async function openTransferStore(accountId: number): Promise<TransferStore> {
  try {
    const db = await openDB<Kept>(`cloudoc-transfer-${accountId}`, 1, {
      upgrade(made) {
        made.createObjectStore('transferList', { keyPath: 'taskId', autoIncrement: true })
        made.createObjectStore('transferFile', { keyPath: ['taskId', 'index'] })
        made.createObjectStore('transferContent')
        made.createObjectStore('transferHandle')
      },
      // A newer client in another tab wants to change it.
      blocking: (_now, _then, event) => (event.target as IDBDatabase).close(),
    })
    return keptStore(db)
  } catch {
    return passingStore()
  }
}

const everyFileOf = (taskId: number): IDBKeyRange => IDBKeyRange.bound([taskId, 0], [taskId, Number.MAX_SAFE_INTEGER])

function keptStore(db: IDBPDatabase<Kept>): TransferStore {
  return {
    async add(task) {
      // The number is the database's to give, also when several tabs add at once.
      const taskId = await db.add('transferList', task as TransferTask)
      return { ...task, taskId }
    },
    async list() {
      const records: TransferTask[] = []
      const tx = db.transaction('transferList', 'readwrite')
      for (let at = await tx.store.openCursor(null, 'prev'); at !== null; at = await at.continue()) {
        if (records.length < mostRecords) records.push(at.value)
        else await at.delete()
      }
      await tx.done
      return records
    },
    async put(tasks, files) {
      const tx = db.transaction(['transferList', 'transferFile'], 'readwrite')
      const lists = tx.objectStore('transferList')
      // A task that was taken away meanwhile does not come back.
      for (const task of tasks) if ((await lists.getKey(task.taskId)) !== undefined) void lists.put(task)
      for (const file of files) void tx.objectStore('transferFile').put(file)
      await tx.done
    },
    async task(taskId) {
      const tx = db.transaction(['transferFile', 'transferContent'])
      const [files, keys] = await Promise.all([
        tx.objectStore('transferFile').getAll(everyFileOf(taskId)),
        tx.objectStore('transferContent').getAllKeys(everyFileOf(taskId)),
      ])
      return { files, contents: new Set(keys.map(([, index]) => index)) }
    },
    async putContents(contents) {
      const tx = db.transaction('transferContent', 'readwrite')
      for (const { taskId, index, file } of contents) void tx.store.put(file, [taskId, index])
      await tx.done
    },
    content: (taskId, index) => db.get('transferContent', [taskId, index]),
    async putHandles(taskId, handles) {
      await db.put('transferHandle', handles, taskId)
    },
    handles: async (taskId) => (await db.get('transferHandle', taskId)) ?? [],
    async dropFiles(taskId, indexes) {
      const tx = db.transaction(['transferFile', 'transferContent'], 'readwrite')
      for (const index of indexes) {
        void tx.objectStore('transferFile').delete([taskId, index])
        void tx.objectStore('transferContent').delete([taskId, index])
      }
      await tx.done
    },
    async remove(taskId) {
      const tx = db.transaction(['transferList', 'transferFile', 'transferContent', 'transferHandle'], 'readwrite')
      void tx.objectStore('transferList').delete(taskId)
      void tx.objectStore('transferFile').delete(everyFileOf(taskId))
      void tx.objectStore('transferContent').delete(everyFileOf(taskId))
      void tx.objectStore('transferHandle').delete(taskId)
      await tx.done
    },
    close: () => db.close(),
  }
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
    remove: async () => undefined,
    close: () => undefined,
  }
}
