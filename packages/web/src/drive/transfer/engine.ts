/*
 * The one engine of transfers: it sends the files of all tasks, a few at a time and the tasks in turn, keeps what a page
 * that is opened again needs, and tells the screens at most a few times a second, so that 10,000 files are no 10,000
 * drawings. Files are plain entries here; nothing of the page hears of a single one unless it looks.
 *
 * A file whose request did not get through waits for the way back and goes on. One with a taken name waits for a decision,
 * which is asked for once and may hold for all ([R196]); the others go on meanwhile.
 */
import { limits } from '@cloudoc/domain'
import type { Line } from './line.ts'
import { type Arrived, isSmall, type Phase, type SendTools, sendFile } from './send-file.ts'
import { createSpeedometer, type Speedometer } from './speedometer.ts'
import { isOfTheLine, kindOf, type TransferError, TransferFailure, type TransferKind } from './states.ts'
import { type FileState, type KeptTask, passingStore, type TransferFile, type TransferStore } from './store.ts'
import {
  advanced,
  failedRestarted,
  fileArrived,
  fileFailed,
  fileLeftOut,
  type NewTask,
  newTask,
  paused,
  restarted,
  settle,
  type TransferTask,
  type UploadPolicy,
} from './task.ts'

/** A file to upload, as planning hands it over. */
export interface NewFile {
  readonly file: File
  readonly path: string
  readonly name: string
  readonly folderId: number
  readonly folderName: string
  readonly conflict: UploadPolicy
  /** Refused before it was sent. */
  readonly error?: TransferError
}

/** A task as the screens show it. */
export interface TaskView extends TransferTask {
  /** What is said of it ([R195]). */
  readonly kind: TransferKind
  readonly phase: Phase | undefined
  /** Files that have yet to arrive. */
  readonly left: number
  /** Taken names that wait for a decision. */
  readonly clashes: number
  /** Files that have to be chosen again. */
  readonly missing: number
  /** Seconds; unknown in the first two and beyond a day. */
  readonly eta: number | undefined
  /** Another tab of the browser does it. */
  readonly elsewhere: boolean
}

export interface TransferSnapshot {
  readonly tasks: readonly TaskView[]
  readonly offline: boolean
}

/** What became of a task that has come to its end. */
export interface TaskEnd {
  readonly task: TransferTask
  readonly fileIds: readonly number[]
  readonly folderIds: readonly number[]
}

export interface EngineOptions {
  readonly tools: Pick<SendTools, 'wire' | 'hasher'>
  readonly line: (onChange: () => void) => Line
  readonly now: () => number
  /** Runs the function once, after so many milliseconds. */
  readonly later: (run: () => void, ms: number) => void
  readonly onEnd: (end: TaskEnd) => void
}

interface Running {
  readonly abort: AbortController
  phase: Phase
  sent: number
}

/** A task that is under way or may be again. */
interface Live {
  task: TransferTask
  readonly files: Map<number, TransferFile>
  readonly inHand: Map<number, File>
  /** The places of the files whose contents the store has. */
  readonly kept: Set<number>
  /** To be sent, in order. */
  queue: number[]
  readonly running: Map<number, Running>
  readonly missing: Set<number>
  readonly clashing: Set<number>
  /** How often the way was lost under a file. */
  readonly losses: Map<number, number>
  readonly speed: Speedometer
  arrivedBytes: number
  runsSince: number
  fileIds: number[]
}

const tellMs = 200
const flushMs = 500
const tickMs = 1000
/** What is kept of contents: of one file and of a task. */
const keepFile = 64 * 1024 * 1024
const keepTask = 256 * 1024 * 1024
/** What a small file counts of the files at a time: its request waits more than it sends. */
const smallShare = 0.6
const rowsAtOnce = 1000
const contentsAtOnce = 50
/** Rows that a finished task keeps: those of its failures beyond that. */
const rowsKept = 200
const longestEta = 24 * 3600
/** So often the way may be lost under one file before it counts as failed. */
const mostLosses = 20

/** The engine; see the head of this file. */
export class TransferEngine {
  readonly #options: EngineOptions
  readonly #line: Line
  readonly #live = new Map<number, Live>()
  readonly #over = new Map<number, TransferTask>()
  readonly #elsewhere = new Map<number, TaskView>()
  readonly #listeners = new Set<() => void>()
  readonly #dirtyTasks = new Set<number>()
  readonly #dirtyFiles = new Map<string, TransferFile>()
  readonly #turns: number[] = []
  /** Tasks that ended with failures here: what they had in hand stays for as long as the page. */
  readonly #held = new Map<number, Live>()
  #store: TransferStore = passingStore()
  #atOnce = 3
  #active = 0
  #announced = false
  #flushing = false
  #ticking = false
  /** The session is over: nothing begins any more. */
  #halted = false
  #snapshot: TransferSnapshot = { tasks: [], offline: false }

  constructor(options: EngineOptions) {
    this.#options = options
    this.#line = options.line(() => {
      this.#changed()
      this.#pump()
    })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): TransferSnapshot => this.#snapshot

  /** The tasks that this page does. */
  get own(): readonly number[] {
    return [...this.#live.keys()]
  }

  /** Whether something is on its way here. */
  get isBusy(): boolean {
    return [...this.#live.values()].some(({ task, queue, running }) => {
      return task.status === 'doing' && queue.length + running.size > 0
    })
  }

  /** How many files are sent at the same time. */
  set atOnce(count: number) {
    this.#atOnce = count
    this.#pump()
  }

  /** Takes up what this account has left. */
  async open(store: TransferStore): Promise<void> {
    this.close()
    this.#store = store
    this.#halted = false
    for (const task of await store.list()) this.#over.set(task.taskId, task)
    this.#changed()
  }

  /** Lets go of everything: the account has gone. What is unfinished stays kept. */
  close(): void {
    for (const live of this.#live.values()) this.#stop(live)
    void this.#flush()
    this.#store = passingStore()
    this.#live.clear()
    this.#over.clear()
    this.#elsewhere.clear()
    this.#held.clear()
    this.#turns.length = 0
    this.#changed()
  }

  /** Unfinished tasks that this page does not do. */
  async unfinished(): Promise<readonly TransferTask[]> {
    const all = await this.#store.list()
    return all.filter(({ taskId, status, type }) => {
      return type === 'upload' && (status === 'doing' || status === 'pause') && !this.#live.has(taskId)
    })
  }

  /** Goes on with unfinished tasks that no other tab does. */
  async adopt(tasks: readonly TransferTask[]): Promise<void> {
    const store = this.#store
    for (const task of [...tasks].reverse()) {
      const { files, contents } = await store.task(task.taskId)
      if (store !== this.#store) return
      if (this.#live.has(task.taskId)) continue
      this.#elsewhere.delete(task.taskId)
      this.#takeUp(task, files, contents)
    }
    this.#changed()
    this.#pump()
  }

  #takeUp(task: TransferTask, rows: readonly TransferFile[], kept: ReadonlySet<number>): void {
    const live = this.#enter({ ...task, progress: 0, speed: 0 })
    let counted = {
      ...live.task,
      successFileCount: 0,
      errorFileCount: 0,
      errorFiles: [],
      instantFileCount: 0,
    } as TransferTask
    for (const row of rows) {
      // A request of an earlier page may have got through without its answer.
      const file: TransferFile =
        row.state === 'running' || row.state === 'pending' ? { ...row, state: 'pending', sent: 0, tried: true } : row
      live.files.set(file.index, file)
      if (kept.has(file.index)) live.kept.add(file.index)
      if (file.state === 'done') {
        counted = fileArrived(counted, file.instant === true)
        live.arrivedBytes += file.size
      } else if (file.state === 'clash') live.clashing.add(file.index)
      else if (file.state === 'error')
        counted = fileFailed(counted, { name: file.name, error: file.error ?? 'unknown' })
      else if (file.state === 'pending') {
        if (kept.has(file.index)) live.queue.push(file.index)
        else live.missing.add(file.index)
      }
    }
    // Rows that were not yet kept when the page went are no longer part of the task.
    const known = [...live.files.values()].filter(({ state }) => state !== 'skipped')
    const totalSize = known.reduce((sum, { size }) => sum + size, 0)
    live.task = { ...counted, totalFileCount: known.length, totalSize }
    if (known.length === 0) this.interrupt(task.taskId)
    else this.#settle(live)
  }

  #enter(task: TransferTask): Live {
    const live: Live = {
      task,
      files: new Map(),
      inHand: new Map(),
      kept: new Set(),
      queue: [],
      running: new Map(),
      missing: new Set(),
      clashing: new Set(),
      losses: new Map(),
      speed: createSpeedometer(this.#options.now()),
      arrivedBytes: 0,
      runsSince: this.#options.now(),
      fileIds: [],
    }
    this.#over.delete(task.taskId)
    this.#live.set(task.taskId, live)
    this.#turns.push(task.taskId)
    return live
  }

  /** Begins a task; answers its number. */
  async add(task: NewTask, files: readonly NewFile[], handles: readonly FileSystemHandle[] = []): Promise<number> {
    const store = this.#store
    const made = await store.add(newTask(task, Date.now()))
    const live = this.#enter(made)
    for (const [index, { file, error, ...rest }] of files.entries()) {
      const state: FileState = error === undefined ? 'pending' : 'error'
      const row = {
        ...rest,
        taskId: made.taskId,
        index,
        size: file.size,
        modified: file.lastModified,
        state,
        sent: 0,
        error,
      }
      live.files.set(index, row)
      live.inHand.set(index, file)
      if (error === undefined) live.queue.push(index)
      else live.task = fileFailed(live.task, { name: rest.name, error })
    }
    this.#settle(live)
    this.#changed()
    this.#pump()
    void this.#keep(store, live, handles)
    return made.taskId
  }

  /** Adds a download that the browser does by itself. */
  async addHandedOver(task: NewTask): Promise<void> {
    const now = Date.now()
    const handed = { ...newTask(task, now), successFileCount: task.totalFileCount }
    const made = await this.#store.add({ ...handed, status: 'completed', progress: 1000, completedTime: now })
    this.#over.set(made.taskId, made)
    this.#changed()
  }

  /** Keeps the files of a new task: first what is known of each, then as much of their contents as is sensible. */
  async #keep(store: TransferStore, live: Live, handles: readonly FileSystemHandle[]): Promise<void> {
    const { taskId } = live.task
    try {
      if (handles.length > 0) await store.putHandles(taskId, handles)
      for (let at = 0; at < live.files.size; at += rowsAtOnce) {
        await store.put([live.task], [...live.files.values()].slice(at, at + rowsAtOnce))
        if (!this.#live.has(taskId)) return void store.remove(taskId)
      }
      let room = keepTask
      const worth = [...live.inHand].filter(([, file]) => {
        if (file.size > keepFile || file.size > room) return false
        room -= file.size
        return true
      })
      for (let at = 0; at < worth.length; at += contentsAtOnce) {
        const some = worth.slice(at, at + contentsAtOnce).filter(([index]) => isOpen(live.files.get(index)))
        await store.putContents(some.map(([index, file]) => ({ taskId, index, file })))
        if (!this.#live.has(taskId)) return
        for (const [index] of some) live.kept.add(index)
        const arrived = some.map(([index]) => index).filter((index) => live.files.get(index)?.state === 'done')
        if (arrived.length > 0) this.#forgetContents(live, arrived)
      }
    } catch {
      // A full or locked store: the transfer goes on, and ends with the page.
    }
  }

  #forgetContents(live: Live, indexes: readonly number[]): void {
    const { taskId } = live.task
    const rows = indexes.flatMap((index) => live.files.get(index) ?? [])
    for (const index of indexes) live.kept.delete(index)
    void this.#store
      .dropFiles(taskId, indexes)
      .then(() => this.#store.put([], rows))
      .catch(() => undefined)
  }

  /** Lets a task rest; what has been sent stays at the server ([R194]). */
  pause(taskId: number): void {
    const live = this.#live.get(taskId)
    if (live === undefined || live.task.status !== 'doing') return
    this.#stop(live)
    this.#update(live, paused(live.task, this.#options.now() - live.runsSince))
    void this.#flush()
  }

  /** Goes on with a task that rests. */
  restart(taskId: number): void {
    const live = this.#live.get(taskId)
    if (live === undefined || live.task.status !== 'pause') return
    live.runsSince = this.#options.now()
    live.speed.reset(live.runsSince, this.#sent(live))
    this.#update(live, restarted(live.task))
    this.#settle(live)
    this.#line.look()
    this.#pump()
  }

  /** Tries what failed again ([R194]); of a task of an earlier page as far as its files are still had. */
  async restartFailed(taskId: number): Promise<void> {
    let live = this.#live.get(taskId)
    const over = this.#over.get(taskId)
    if (live === undefined && over !== undefined && over.type === 'upload') {
      const held = this.#held.get(taskId)
      const { files, contents } = held === undefined ? await this.#store.task(taskId) : inHandOf(held)
      live = this.#enter(over)
      for (const [index, file] of held?.inHand ?? []) live.inHand.set(index, file)
      for (const file of files) live.files.set(file.index, file)
      for (const index of contents) live.kept.add(index)
      this.#held.delete(taskId)
      // Rows of what arrived may have been forgotten.
      live.arrivedBytes = over.totalSize - files.reduce((sum, one) => sum + (one.state === 'error' ? one.size : 0), 0)
    }
    if (live === undefined) return
    live.runsSince = this.#options.now()
    live.speed.reset(live.runsSince, this.#sent(live))
    this.#update(live, failedRestarted(live.task))
    for (const file of live.files.values()) if (file.state === 'error') this.#again(live, file)
    this.#pump()
  }

  #again(live: Live, file: TransferFile, change: Partial<TransferFile> = {}): void {
    this.#note(live, file.index, { ...change, state: 'pending', error: undefined, sent: 0 })
    if (live.inHand.has(file.index) || live.kept.has(file.index)) live.queue.push(file.index)
    else live.missing.add(file.index)
  }

  /** Ends a task and takes it away ([R194]); the server forgets what it holds of it. */
  interrupt(taskId: number): void {
    const live = this.#live.get(taskId)
    if (live !== undefined) {
      this.#stop(live)
      const begun = [...live.files.values()].filter(({ state, uploadId }) => uploadId !== undefined && state !== 'done')
      for (const { uploadId = '' } of begun) void this.#options.tools.wire.abort(uploadId).catch(() => undefined)
      if (live.fileIds.length > 0) this.#tellEnd(live)
    }
    this.#live.delete(taskId)
    this.#over.delete(taskId)
    this.#held.delete(taskId)
    this.#dirtyTasks.delete(taskId)
    for (const key of this.#dirtyFiles.keys()) if (key.startsWith(`${taskId}:`)) this.#dirtyFiles.delete(key)
    void this.#store.remove(taskId).catch(() => undefined)
    this.#changed()
    this.#pump()
  }

  /** Takes the records of what is over away. */
  clearFinished(): void {
    for (const taskId of [...this.#over.keys()]) this.interrupt(taskId)
  }

  /** The files of a task, in their order. */
  async filesOf(taskId: number): Promise<readonly TransferFile[]> {
    const live = this.#live.get(taskId)
    const known = live ?? this.#held.get(taskId)
    return known === undefined ? (await this.#store.task(taskId)).files : [...known.files.values()]
  }

  /** The files of a task that wait for a decision. */
  clashesOf(taskId: number): readonly TransferFile[] {
    const live = this.#live.get(taskId)
    return [...(live?.clashing ?? [])].flatMap((index) => live?.files.get(index) ?? [])
  }

  /** Decides taken names; `sameWay` holds for all that come ([R196]). */
  decide(taskId: number, ways: ReadonlyMap<number, UploadPolicy>, sameWay?: UploadPolicy): void {
    const live = this.#live.get(taskId)
    if (live === undefined) return
    if (sameWay !== undefined) live.task = { ...live.task, sameFileWay: sameWay }
    for (const file of this.clashesOf(taskId)) {
      const way = ways.get(file.index) ?? sameWay
      if (way !== undefined) this.#goWay(live, file, way)
    }
    const names = this.clashesOf(taskId).map(({ name }) => name)
    this.#update(live, { ...live.task, sameNameFiles: names.slice(0, limits.duplicateNames) })
    this.#settle(live)
    this.#pump()
  }

  #goWay(live: Live, file: TransferFile, way: UploadPolicy): void {
    live.clashing.delete(file.index)
    if (way !== 'skip') return this.#again(live, file, { conflict: way })
    this.#note(live, file.index, { state: 'skipped' })
    this.#update(live, fileLeftOut(live.task, file.size))
  }

  /** The files of a task that have to be chosen again. */
  missingOf(taskId: number): readonly TransferFile[] {
    const live = this.#live.get(taskId)
    return [...(live?.missing ?? [])].flatMap((index) => live?.files.get(index) ?? [])
  }

  /** Gives a task its files again, by their places; they have been checked. */
  provide(taskId: number, files: ReadonlyMap<number, File>): void {
    const live = this.#live.get(taskId)
    if (live === undefined) return
    for (const [index, file] of files) {
      if (!live.missing.delete(index)) continue
      live.inHand.set(index, file)
      live.queue.push(index)
    }
    this.restart(taskId)
    this.#changed()
    this.#pump()
  }

  handlesOf(taskId: number): Promise<readonly FileSystemHandle[]> {
    return this.#store.handles(taskId)
  }

  /** Shows what another tab does. */
  showElsewhere(tasks: readonly TaskView[]): void {
    for (const task of tasks) {
      if (this.#live.has(task.taskId)) continue
      this.#over.delete(task.taskId)
      if (task.status === 'completed') {
        this.#elsewhere.delete(task.taskId)
        this.#over.set(task.taskId, task)
      } else this.#elsewhere.set(task.taskId, { ...task, elsewhere: true })
    }
    this.#changed()
  }

  /** Another tab has taken a task away. */
  goneElsewhere(taskId: number): void {
    this.#elsewhere.delete(taskId)
    if (!this.#live.has(taskId)) this.#over.delete(taskId)
    this.#changed()
  }

  #pump(): void {
    while (this.#active < this.#atOnce && !this.#line.isDown() && !this.#halted) {
      const live = this.#nextInTurn()
      const file = live?.files.get(live.queue[0] ?? -1)
      if (live === undefined || file === undefined) return
      const share = isSmall(file, live.task.params) ? smallShare : 1
      // What does not fit any more waits, unless nothing else is under way.
      if (this.#active > 0 && this.#active + share > this.#atOnce) return
      live.queue.shift()
      void this.#send(live, file.index, share)
    }
  }

  /** Tasks take turns, so that a small drop does not wait for a large one. */
  #nextInTurn(): Live | undefined {
    for (let n = this.#turns.length; n > 0; n--) {
      const taskId = this.#turns.shift() ?? 0
      const live = this.#live.get(taskId)
      if (live === undefined) continue
      this.#turns.push(taskId)
      if (live.task.status === 'doing' && live.queue.length > 0) return live
    }
    return undefined
  }

  async #send(live: Live, index: number, share: number): Promise<void> {
    const running: Running = { abort: new AbortController(), phase: 'sending', sent: 0 }
    live.running.set(index, running)
    this.#active += share
    this.#note(live, index, { state: 'running' })
    const { signal } = running.abort
    try {
      const content = live.inHand.get(index) ?? (await this.#store.content(live.task.taskId, index))
      if (signal.aborted) return
      const file = live.files.get(index)
      if (content === undefined || file === undefined) {
        live.missing.add(index)
        this.#note(live, index, { state: 'pending' })
        return
      }
      const arrived = await sendFile(file, content, live.task.params, {
        ...this.#options.tools,
        signal,
        onPhase: (phase) => {
          running.phase = phase
          this.#changed()
        },
        onProgress: (sent) => {
          if (signal.aborted || sent <= running.sent) return
          running.sent = sent
          this.#changed()
        },
        note: async (known) => {
          if (signal.aborted) return
          this.#note(live, index, known)
          if (known.uploadId !== undefined) await this.#flush()
        },
      })
      // What is heard of a task that was ended or rests is dropped; it is asked for again when the task goes on.
      if (!signal.aborted) this.#arrived(live, index, arrived)
    } catch (error) {
      if (!signal.aborted) this.#failed(live, index, error instanceof TransferFailure ? error.code : 'unknown')
    } finally {
      if (live.running.get(index) === running) live.running.delete(index)
      this.#active = Math.max(0, Math.round((this.#active - share) * 10) / 10)
      if (this.#live.get(live.task.taskId) === live) this.#settle(live)
      this.#changed()
      this.#pump()
    }
  }

  #arrived(live: Live, index: number, { fileId, instant }: Arrived): void {
    const size = live.files.get(index)?.size ?? 0
    live.arrivedBytes += size
    // What needs not be sent tells nothing of the speed of the way.
    if (instant) live.speed.skip(size)
    live.fileIds.push(fileId)
    live.inHand.delete(index)
    this.#note(live, index, { state: 'done', sent: size, fileId, instant })
    this.#update(live, fileArrived(live.task, instant))
    if (live.kept.has(index)) this.#forgetContents(live, [index])
  }

  #failed(live: Live, index: number, error: TransferError): void {
    const file = live.files.get(index)
    if (file === undefined) return
    const losses = (live.losses.get(index) ?? 0) + 1
    if (error === 'notLoggedIn' || (isOfTheLine(error) && losses <= mostLosses)) {
      this.#note(live, index, { state: 'pending' })
      live.queue.unshift(index)
      // Who is not signed in any more is led to the login page; the next page of this account goes on.
      if (error === 'notLoggedIn') {
        this.#halted = true
        return
      }
      live.losses.set(index, losses)
      return this.#line.lost()
    }
    if (error === 'alreadyExists') {
      const way = live.task.sameFileWay
      if (way !== '' && way !== file.conflict) return this.#goWay(live, file, way)
      live.clashing.add(index)
      this.#note(live, index, { state: 'clash' })
      const names = [...live.task.sameNameFiles, file.name].slice(0, limits.duplicateNames)
      return this.#update(live, { ...live.task, sameNameFiles: names })
    }
    this.#note(live, index, { state: 'error', error })
    this.#update(live, fileFailed(live.task, { name: file.name, error }))
  }

  /** Calls off what is on its way; it is at the head of the queue when the task goes on. */
  #stop(live: Live): void {
    for (const [index, { abort }] of live.running) {
      abort.abort()
      this.#note(live, index, { state: 'pending', tried: true })
      live.queue.unshift(index)
    }
    live.running.clear()
  }

  #settle(live: Live): void {
    const settled = settle(live.task, Date.now())
    if (settled === live.task) return
    const { taskId } = settled
    live.task = { ...settled, spendTime: settled.spendTime + this.#options.now() - live.runsSince }
    this.#live.delete(taskId)
    this.#over.set(taskId, live.task)
    this.#dirtyTasks.delete(taskId)
    const rows = [...live.files.values()]
    const surplus = rows.length > rowsKept ? rows.filter(({ state }) => state !== 'error') : []
    void this.#flush()
      .then(() => this.#store.put([live.task], []))
      .then(() =>
        this.#store.dropFiles(
          taskId,
          surplus.map(({ index }) => index),
        ),
      )
      .catch(() => undefined)
    if (live.task.errorFileCount > 0) this.#held.set(taskId, live)
    this.#tellEnd(live)
  }

  #tellEnd({ task, fileIds, files }: Live): void {
    const folderIds = [...new Set([task.folderId, ...[...files.values()].map(({ folderId }) => folderId)])]
    this.#options.onEnd({ task, fileIds, folderIds })
  }

  #note(live: Live, index: number, change: Partial<TransferFile>): void {
    const file = live.files.get(index)
    if (file === undefined) return
    const changed = { ...file, ...change }
    live.files.set(index, changed)
    this.#dirtyFiles.set(`${live.task.taskId}:${index}`, changed)
    this.#keepSoon()
  }

  #update(live: Live, task: TransferTask): void {
    live.task = task
    this.#dirtyTasks.add(task.taskId)
    this.#keepSoon()
    this.#changed()
  }

  #keepSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    this.#options.later(() => {
      this.#flushing = false
      void this.#flush()
    }, flushMs)
  }

  async #flush(): Promise<void> {
    const tasks = [...this.#dirtyTasks].flatMap((taskId) => this.#live.get(taskId)?.task ?? [])
    const files = [...this.#dirtyFiles.values()]
    this.#dirtyTasks.clear()
    this.#dirtyFiles.clear()
    if (tasks.length + files.length === 0) return
    // A store that fails keeps nothing; the transfers themselves go on.
    await this.#store.put(tasks, files).catch(() => undefined)
  }

  #changed(): void {
    if (this.#announced) return
    this.#announced = true
    this.#options.later(() => {
      this.#announced = false
      this.#snapshot = this.#summarise()
      for (const listener of this.#listeners) listener()
      this.#tick()
    }, tellMs)
  }

  /** Speed and rest change also while nothing arrives. */
  #tick(): void {
    if (this.#ticking || this.#active === 0) return
    this.#ticking = true
    this.#options.later(() => {
      this.#ticking = false
      this.#changed()
    }, tickMs)
  }

  #sent({ arrivedBytes, running }: Live): number {
    let sent = arrivedBytes
    for (const one of running.values()) sent += one.sent
    return sent
  }

  #summarise(): TransferSnapshot {
    const offline = this.#line.isDown()
    const live = [...this.#live.values()].map((one) => this.#view(one, offline))
    const over = [...this.#over.values()].map((task): TaskView => {
      const [first] = task.errorFiles
      const isOver = task.status === 'completed'
      // Of what another page was at it is not known yet who goes on with it.
      const rests: TransferKind = task.status === 'pause' ? 'paused' : 'waiting'
      const kind = !isOver ? rests : first === undefined ? 'running' : kindOf(first.error)
      const left = isOver ? 0 : task.totalFileCount - task.successFileCount - task.errorFileCount
      return { ...task, kind, phase: undefined, left, clashes: 0, missing: 0, eta: undefined, elsewhere: !isOver }
    })
    const tasks = [...live, ...this.#elsewhere.values(), ...over].sort((a, b) => a.taskId - b.taskId)
    return { tasks, offline }
  }

  #view(live: Live, offline: boolean): TaskView {
    const { running, missing } = live
    const sent = this.#sent(live)
    const isRunning = live.task.status === 'doing' && running.size > 0
    const speed = isRunning && !offline ? live.speed.at(this.#options.now(), sent) : 0
    const { successFileCount: done, errorFileCount: failed } = live.task
    live.task = { ...advanced(live.task, sent, done + failed), speed }
    const eta = live.speed.eta(this.#options.now(), live.task.totalSize - sent)
    const [firstError] = live.task.errorFiles
    const phases = [...running.values()].map(({ phase }) => phase)
    const kind: TransferKind =
      live.task.status === 'pause'
        ? 'paused'
        : offline
          ? 'connectionError'
          : isRunning
            ? 'running'
            : firstError !== undefined && live.queue.length === 0
              ? kindOf(firstError.error)
              : 'waiting'
    return {
      ...live.task,
      kind,
      phase: phases.length > 0 && phases.every((phase) => phase === phases[0]) ? phases[0] : undefined,
      left: live.task.totalFileCount - done - failed,
      clashes: live.clashing.size,
      missing: missing.size,
      eta: isRunning && eta !== undefined && eta <= longestEta ? eta : undefined,
      elsewhere: false,
    }
  }
}

function inHandOf({ files, kept }: Live): KeptTask {
  return { files: [...files.values()], contents: kept }
}

function isOpen(file: TransferFile | undefined): boolean {
  return file !== undefined && file.state !== 'done' && file.state !== 'skipped'
}
