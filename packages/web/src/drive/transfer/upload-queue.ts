/*
 * The queue of uploads: a few at once, each with its progress, its own cancel and retry. It knows nothing of the page or
 * of the wire; `send` moves the bytes. Listeners hear of changes at most a few times a second, so that 2,000 small files
 * do not make 10,000 renders.
 *
 *   waiting ──► sending ──► done
 *      │           │
 *      ▼           ├──► failed ──retry──► waiting
 *   cancelled ◄────┘
 */
import type { CodeName } from '@cloudoc/domain'

export type UploadPolicy = 'refuse' | 'version' | 'keepBoth' | 'skip'
export type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'

/** One file on its way up. */
export interface UploadTask {
  readonly id: number
  /** Tasks of one drop or one choice of files. */
  readonly batch: number
  readonly file: File
  readonly name: string
  readonly folderId: number
  readonly folderName: string
  readonly conflict: UploadPolicy
  readonly state: UploadState
  readonly sent: number
  /** Why it failed: a result code, or the network. */
  readonly error: CodeName | 'network' | undefined
  readonly fileId: number | undefined
}

export type NewUpload = Pick<UploadTask, 'file' | 'name' | 'folderId' | 'folderName' | 'conflict'> & {
  /** Refused before it was sent. */
  readonly error?: CodeName
}

/** Moves one file's bytes; rejects with an UploadFailure. */
export type Send = (
  task: UploadTask,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
) => Promise<{ fileId: number }>

/** Why a file did not arrive. */
export class UploadFailure extends Error {
  readonly code: CodeName | 'network'

  constructor(code: CodeName | 'network') {
    super(code)
    this.code = code
  }
}

/** What the panel and the status bar show. */
export interface UploadSummary {
  readonly tasks: readonly UploadTask[]
  readonly waiting: number
  readonly sending: number
  readonly done: number
  readonly failed: number
  readonly bytes: number
  readonly bytesSent: number
  /** Bytes a second over the last seconds; 0 when idle. */
  readonly speed: number
}

const empty: UploadSummary = {
  tasks: [],
  waiting: 0,
  sending: 0,
  done: 0,
  failed: 0,
  bytes: 0,
  bytesSent: 0,
  speed: 0,
}

/** Milliseconds over which the speed is averaged. */
const speedWindowMs = 5000

interface QueueOptions {
  readonly send: Send
  readonly atOnce: number
  /** Runs the function once, soon. */
  readonly later: (run: () => void) => void
  readonly now: () => number
  /** A batch came to rest: nothing of it is waiting or sending. */
  readonly onBatchDone?: (tasks: readonly UploadTask[]) => void
}

/** The queue of uploads; see the head of this file. */
export class UploadQueue {
  readonly #options: QueueOptions
  readonly #tasks = new Map<number, UploadTask>()
  readonly #waiting: number[] = []
  readonly #aborts = new Map<number, AbortController>()
  readonly #openInBatch = new Map<number, number>()
  readonly #listeners = new Set<() => void>()
  readonly #samples: { time: number; sent: number }[] = []
  #snapshot: UploadSummary = empty
  #everSent = 0
  #ids = 0
  #batches = 0
  #announced = false

  constructor(options: QueueOptions) {
    this.#options = options
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): UploadSummary => this.#snapshot

  /** Queues files as one batch. */
  add(uploads: readonly NewUpload[]): void {
    const batch = ++this.#batches
    let open = 0
    for (const { error, ...upload } of uploads) {
      const id = ++this.#ids
      const state = error === undefined ? 'waiting' : 'failed'
      this.#tasks.set(id, { ...upload, id, batch, state, sent: 0, error, fileId: undefined })
      if (state === 'waiting') {
        this.#waiting.push(id)
        open++
      }
    }
    this.#openInBatch.set(batch, open)
    this.#changed()
    this.#pump()
    if (open === 0) this.#batchDone(batch)
  }

  /** Stops one file; what it has sent is forgotten by the server. */
  cancel(id: number): void {
    const task = this.#tasks.get(id)
    if (task === undefined || (task.state !== 'waiting' && task.state !== 'sending')) return
    this.#finish(id, { state: 'cancelled' })
    this.#aborts.get(id)?.abort()
  }

  cancelAll(): void {
    for (const task of [...this.#tasks.values()]) this.cancel(task.id)
  }

  /** Sends a failed file again, under another conflict policy if one is given. */
  retry(id: number, conflict?: UploadPolicy): void {
    const task = this.#tasks.get(id)
    if (task === undefined || (task.state !== 'failed' && task.state !== 'cancelled')) return
    this.#tasks.set(id, { ...task, state: 'waiting', sent: 0, error: undefined, conflict: conflict ?? task.conflict })
    this.#waiting.push(id)
    this.#openInBatch.set(task.batch, (this.#openInBatch.get(task.batch) ?? 0) + 1)
    this.#changed()
    this.#pump()
  }

  retryFailed(): void {
    for (const task of [...this.#tasks.values()]) if (task.state === 'failed') this.retry(task.id)
  }

  /** Forgets what has come to rest. */
  clearFinished(): void {
    for (const task of [...this.#tasks.values()]) {
      if (task.state !== 'waiting' && task.state !== 'sending') this.#tasks.delete(task.id)
    }
    this.#changed()
  }

  #pump(): void {
    while (this.#aborts.size < this.#options.atOnce) {
      const id = this.#waiting.shift()
      if (id === undefined) return
      const task = this.#tasks.get(id)
      if (task?.state === 'waiting') void this.#run(task)
    }
  }

  async #run(task: UploadTask): Promise<void> {
    const abort = new AbortController()
    this.#aborts.set(task.id, abort)
    this.#update(task.id, { state: 'sending' })
    let counted = 0
    try {
      const { fileId } = await this.#options.send(
        task,
        (sent) => {
          if (sent <= counted || abort.signal.aborted) return
          this.#everSent += sent - counted
          counted = sent
          this.#update(task.id, { sent })
        },
        abort.signal,
      )
      this.#finish(task.id, { state: 'done', sent: task.file.size, fileId })
    } catch (error) {
      this.#finish(task.id, { state: 'failed', error: error instanceof UploadFailure ? error.code : 'network' })
    } finally {
      this.#aborts.delete(task.id)
      this.#pump()
    }
  }

  #finish(id: number, change: Partial<UploadTask>): void {
    const task = this.#tasks.get(id)
    if (task === undefined || (task.state !== 'waiting' && task.state !== 'sending')) return
    this.#update(id, change)
    const open = (this.#openInBatch.get(task.batch) ?? 1) - 1
    this.#openInBatch.set(task.batch, open)
    if (open === 0) this.#batchDone(task.batch)
  }

  #batchDone(batch: number): void {
    this.#options.onBatchDone?.([...this.#tasks.values()].filter((task) => task.batch === batch))
  }

  #update(id: number, change: Partial<UploadTask>): void {
    const task = this.#tasks.get(id)
    if (task === undefined) return
    this.#tasks.set(id, { ...task, ...change })
    this.#changed()
  }

  #changed(): void {
    if (this.#announced) return
    this.#announced = true
    this.#options.later(() => {
      this.#announced = false
      this.#snapshot = this.#summarise()
      for (const listener of this.#listeners) listener()
    })
  }

  #summarise(): UploadSummary {
    const tasks = [...this.#tasks.values()]
    const count = { waiting: 0, sending: 0, done: 0, failed: 0, cancelled: 0 }
    let bytes = 0
    let bytesSent = 0
    for (const task of tasks) {
      count[task.state]++
      if (task.state === 'cancelled' || task.state === 'failed') continue
      bytes += task.file.size
      bytesSent += task.sent
    }
    const { cancelled: _, ...counts } = count
    return { tasks, ...counts, bytes, bytesSent, speed: count.sending === 0 ? this.#idle() : this.#speed() }
  }

  #idle(): number {
    this.#samples.length = 0
    return 0
  }

  #speed(): number {
    const time = this.#options.now()
    this.#samples.push({ time, sent: this.#everSent })
    while (this.#samples.length > 2 && time - (this.#samples[0]?.time ?? time) > speedWindowMs) this.#samples.shift()
    const oldest = this.#samples[0]
    if (oldest === undefined || time - oldest.time < 200) return 0
    return ((this.#everSent - oldest.sent) * 1000) / (time - oldest.time)
  }
}
