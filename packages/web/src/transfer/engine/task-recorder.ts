/*
 * When what is known of transfers is kept: what changes in a moment is written together, a new task first as its rows, then
 * with as much of its contents as is sensible. A store that fails keeps nothing; the transfers themselves go on, and end
 * with the page.
 */
import { memoryStore, type TransferFile, type TransferStore } from './store.ts'
import type { TransferTask } from './task.ts'

/** A task whose record is read when it is written. */
export interface RecordedTask {
  readonly task: TransferTask
  readonly files: ReadonlyMap<number, TransferFile>
  readonly inHand: ReadonlyMap<number, File>
  /** The places of the files whose contents the store has. */
  readonly kept: Set<number>
}

const flushMs = 500
/** What is kept of contents: of one file and of a task. */
const keepFile = 64 * 1024 * 1024
const keepTask = 256 * 1024 * 1024
const rowsAtOnce = 1000
const contentsAtOnce = 50
/** Rows that a finished task keeps: those of its failures beyond that. */
const rowsKept = 200

/** Writes what changes into the store; see the head of this file. */
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

  /** Keeps in this store from now on; what has yet to be written goes into the one before. */
  use(store: TransferStore): void {
    void this.flush()
    this.#store = store
  }

  /** The record has changed. */
  noteTask(kept: RecordedTask): void {
    this.#tasks.set(kept.task.taskId, kept)
    this.#soon()
  }

  /** A file has changed. */
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

  /** Writes what has changed now. */
  async flush(): Promise<void> {
    const tasks = [...this.#tasks.values()].map(({ task }) => task)
    const files = [...this.#files.values()]
    this.#tasks.clear()
    this.#files.clear()
    if (tasks.length + files.length === 0) return
    await this.#store.put(tasks, files).catch(() => undefined)
  }

  /** Keeps the files of a new task, as long as it is there. */
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
      // A full or locked store.
    }
  }

  /** Forgets contents that are not needed any more; what is known of their files stays. */
  forgetContents({ task, files, kept }: RecordedTask, indexes: readonly number[]): void {
    const rows = indexes.flatMap((index) => files.get(index) ?? [])
    for (const index of indexes) kept.delete(index)
    void this.#store
      .dropFiles(task.taskId, indexes)
      .then(() => this.#store.put([], rows))
      .catch(() => undefined)
  }

  /** Keeps the record of a task that is over, and of many files only those that failed. */
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

  /** Forgets a task with everything it has. */
  remove(taskId: number): void {
    this.#tasks.delete(taskId)
    for (const [key, file] of this.#files) if (file.taskId === taskId) this.#files.delete(key)
    void this.#store.remove(taskId).catch(() => undefined)
  }
}

function isOpen(file: TransferFile | undefined): boolean {
  return file !== undefined && file.state !== 'done' && file.state !== 'skipped'
}
