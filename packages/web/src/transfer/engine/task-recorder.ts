/*
 * Schedules the storage of transfers. Changes within a moment are written together. A new task is first stored with its
 * rows, then with a reasonable amount of its contents. If the store fails, nothing is stored: the transfers continue
 * but end with the page.
 */
import { memoryStore, type TransferFile, type TransferStore } from './store.ts'
import type { TransferTask } from './task.ts'

/** A task whose record is read at the time of writing. */
export interface RecordedTask {
  readonly task: TransferTask
  readonly files: ReadonlyMap<number, TransferFile>
  readonly inHand: ReadonlyMap<number, File>
  /** The indexes of the files whose contents are stored. */
  readonly kept: Set<number>
}

const flushMs = 500
/** The limits for stored contents, per file and per task. */
const keepFile = 64 * 1024 * 1024
const keepTask = 256 * 1024 * 1024
const rowsAtOnce = 1000
const contentsAtOnce = 50
/** The maximum number of rows stored for a finished task. Above that, only the failed files are stored. */
const rowsKept = 200

/** Writes changes to the store. See the comment at the top of this file. */
export class TaskRecorder {
  readonly #later: (run: () => void, ms: number) => void
  readonly #tasks = new Map<number, RecordedTask>()
  readonly #files = new Map<string, TransferFile>()
  #store: TransferStore = memoryStore()
  #waits = false

  constructor(later: (run: () => void, ms: number) => void) {
    this.#later = later
  }

  get store(): TransferStore {
    return this.#store
  }

  /** Switches to this store. Pending writes go to the previous one. */
  use(store: TransferStore): void {
    void this.flush()
    this.#store = store
  }

  /** Marks the record as changed. */
  noteTask(kept: RecordedTask): void {
    this.#tasks.set(kept.task.taskId, kept)
    this.#soon()
  }

  /** Marks a file as changed. */
  noteFile(file: TransferFile): void {
    this.#files.set(`${file.taskId}:${file.index}`, file)
    this.#soon()
  }

  #soon(): void {
    if (this.#waits) return
    this.#waits = true
    this.#later(() => {
      this.#waits = false
      void this.flush()
    }, flushMs)
  }

  /** Writes all pending changes now. */
  async flush(): Promise<void> {
    const tasks = [...this.#tasks.values()].map(({ task }) => task)
    const files = [...this.#files.values()]
    this.#tasks.clear()
    this.#files.clear()
    if (tasks.length + files.length === 0) return
    await this.#store.put(tasks, files).catch(() => undefined)
  }

  /** Stores the files of a new task, as long as the task exists. */
  async keepNew(made: RecordedTask, handles: readonly FileSystemHandle[], isThere: () => boolean): Promise<void> {
    const store = this.#store
    const { taskId } = made.task
    try {
      if (handles.length > 0) await store.putHandles(taskId, handles)
      for (let at = 0; at < made.files.size; at += rowsAtOnce) {
        await store.put([made.task], [...made.files.values()].slice(at, at + rowsAtOnce))
        if (!isThere()) return void store.remove(taskId)
      }
      let room = keepTask
      const worth = [...made.inHand].filter(([, file]) => {
        if (file.size > keepFile || file.size > room) return false
        room -= file.size
        return true
      })
      for (let at = 0; at < worth.length; at += contentsAtOnce) {
        const some = worth.slice(at, at + contentsAtOnce).filter(([index]) => isOpen(made.files.get(index)))
        await store.putContents(some.map(([index, file]) => ({ taskId, index, file })))
        if (!isThere()) return
        for (const [index] of some) made.kept.add(index)
        const arrived = some.map(([index]) => index).filter((index) => made.files.get(index)?.state === 'done')
        if (arrived.length > 0) this.forgetContents(made, arrived)
      }
    } catch {
      // The store is full or locked.
    }
  }

  /** Deletes contents that are no longer needed. The rows of their files stay. */
  forgetContents({ task, files, kept }: RecordedTask, indexes: readonly number[]): void {
    const rows = indexes.flatMap((index) => files.get(index) ?? [])
    for (const index of indexes) kept.delete(index)
    void this.#store
      .dropFiles(task.taskId, indexes)
      .then(() => this.#store.put([], rows))
      .catch(() => undefined)
  }

  /** Stores the record of an ended task. For many files, only the failed ones. */
  keepEnd({ task, files }: RecordedTask): void {
    const store = this.#store
    this.#tasks.delete(task.taskId)
    const rows = [...files.values()]
    const surplus = rows.length > rowsKept ? rows.filter(({ state }) => state !== 'error') : []
    void this.flush()
      .then(() => store.put([task], []))
      .then(() =>
        store.dropFiles(
          task.taskId,
          surplus.map(({ index }) => index),
        ),
      )
      .catch(() => undefined)
  }

  /** Deletes a task with all its data. */
  remove(taskId: number): void {
    this.#tasks.delete(taskId)
    for (const [key, file] of this.#files) if (file.taskId === taskId) this.#files.delete(key)
    void this.#store.remove(taskId).catch(() => undefined)
  }
}

function isOpen(file: TransferFile | undefined): boolean {
  return file !== undefined && file.state !== 'done' && file.state !== 'skipped'
}
