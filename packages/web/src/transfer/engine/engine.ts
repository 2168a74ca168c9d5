/*
 * The one engine of transfers: it sends the files of all tasks, a few at a time and the tasks in turn, and tells the screens
 * at most a few times a second, so that 10,000 files are no 10,000 drawings. What belongs to one task is in live-task.ts,
 * what a page that is opened again needs is kept by keeper.ts, how one file gets to the server is in send-file.ts.
 *
 * A file whose request did not get through waits for the way back and goes on. One with a taken name waits for a decision,
 * which is asked for once and may hold for all ([R196]); the others go on meanwhile.
 */

import type { Connection } from './connection.ts'
import { type DownloadTarget, fileTarget, stagedTarget } from './download-target.ts'
import { EditTasks, type EditTools } from './edit-tasks.ts'
import { LiveTask, type LiveTools, type NewFile, type Running, restingView, type TaskView } from './live-task.ts'
import { type Fetch, receiveFile } from './receive-file.ts'
import { isSmall, type SendTools, sendFile } from './send-file.ts'
import { isConnectionError, type TransferError, TransferFailure } from './states.ts'
import { memoryStore, type StoredTask, type TransferFile, type TransferStore } from './store.ts'
import { type DownloadSource, type NewTask, newTask, type TransferTask, type UploadPolicy } from './task.ts'
import { TaskRecorder } from './task-recorder.ts'

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
  readonly tools: Pick<SendTools, 'wire' | 'hasher'> & DownloadTools & { readonly edit: EditTools }
  readonly connection: (onChange: () => void) => Connection
  readonly now: () => number
  /** Runs the function once, after so many milliseconds. */
  readonly later: (run: () => void, ms: number) => void
  readonly onEnd: (end: TaskEnd) => void
  /** What failed of editing a file is tried again. */
  readonly retryEdit: (fileId: number) => void
}

/** What downloads need of the page. */
export interface DownloadTools {
  readonly fetch: Fetch
  /** Gives the person what has arrived whole. */
  readonly saveBlob: (content: Blob, name: string) => void
  /** Has the browser fetch it by itself. */
  readonly startBrowserDownload: (source: DownloadSource) => Promise<void>
}

const notifyEveryMs = 200
const tickMs = 1000
/** What a small file counts of the files at a time: its request waits more than it sends. */
const smallShare = 0.6
/** So often the way may be lost under one file before it counts as failed. */
const mostLosses = 20
/** So often an answer may break off before its first byte, while there is a way, before it counts as the server's fault. */
const mostEmptyAnswers = 4
/** What was handed out is the browser's own by then. */
const handedOutMs = 60_000

/** The engine; see the head of this file. */
export class TransferEngine {
  /** What editing does with the server. */
  readonly edits: EditTasks
  readonly #options: EngineOptions
  readonly #line: Connection
  readonly #keeper: TaskRecorder
  readonly #liveTools: LiveTools
  readonly #live = new Map<number, LiveTask>()
  readonly #over = new Map<number, TransferTask>()
  readonly #elsewhere = new Map<number, TaskView>()
  /** Tasks that ended with failures here: what they had in hand stays for as long as the page. */
  readonly #held = new Map<number, LiveTask>()
  /** Where downloads go, and the end of what was last received of each: nothing is written by two. */
  readonly #places = new Map<number, { readonly place: DownloadTarget; free: Promise<unknown> }>()
  readonly #turns: number[] = []
  readonly #listeners = new Set<() => void>()
  #atOnce = 3
  #active = 0
  #announced = false
  #ticking = false
  /** The session is over: nothing begins any more. */
  #halted = false
  #snapshot: TransferSnapshot = { tasks: [], offline: false }

  constructor(options: EngineOptions) {
    this.#options = options
    this.#keeper = new TaskRecorder(options.later)
    this.#liveTools = { keeper: this.#keeper, now: options.now, changed: () => this.#changed() }
    this.edits = new EditTasks({
      ...options,
      tools: options.tools.edit,
      connection: () => this.#line,
      changed: () => this.#changed(),
      begins: (fileId) => this.#forgetFailedEdits(fileId),
      add: (task) => this.#keeper.store.add(task),
      ended: (live) => this.#editEnded(live),
    })
    this.#line = options.connection(() => {
      this.edits.lineChanged()
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
    return [...this.#live.keys(), ...this.edits.ids]
  }

  /** Whether something is on its way here. */
  get isBusy(): boolean {
    return this.edits.isBusy || [...this.#live.values()].some((live) => live.isBusy)
  }

  /** How many files are sent at the same time. */
  set atOnce(count: number) {
    this.#atOnce = count
    this.#pump()
  }

  /** Takes up what this account has left. */
  async open(store: TransferStore): Promise<void> {
    this.close()
    this.#keeper.use(store)
    this.#halted = false
    for (const task of await store.list()) this.#over.set(task.taskId, task)
    this.#changed()
    // A page that was closed right after it handed something out.
    const out = [...this.#over.values()].filter(({ type, status }) => type === 'download' && status === 'completed')
    await store.sweep(new Set(out.map(({ taskId }) => taskId))).catch(() => undefined)
  }

  /** Lets go of everything: the account has gone. What is unfinished stays kept. */
  close(): void {
    this.edits.close()
    for (const live of this.#live.values()) live.stop()
    this.#keeper.use(memoryStore())
    this.#live.clear()
    this.#over.clear()
    this.#elsewhere.clear()
    this.#held.clear()
    this.#places.clear()
    this.#turns.length = 0
    this.#changed()
  }

  /** Unfinished tasks that this page does not do. */
  async unfinished(): Promise<readonly TransferTask[]> {
    const all = await this.#keeper.store.list()
    const own = new Set(this.own)
    return all.filter(({ taskId, status }) => (status === 'doing' || status === 'pause') && !own.has(taskId))
  }

  /** Goes on with unfinished tasks that no other tab does. */
  async adopt(tasks: readonly TransferTask[]): Promise<void> {
    const { store } = this.#keeper
    for (const task of [...tasks].reverse()) {
      const { taskId } = task
      const known = await store.task(taskId)
      if (store !== this.#keeper.store) return
      if (this.#live.has(taskId)) continue
      this.#elsewhere.delete(taskId)
      const progress = task.type === 'download' ? task.progress : 0
      const live = this.#enter({ ...task, progress, speed: 0 })
      if (live.takeUp(known) === 0) this.interrupt(taskId)
      else this.#settle(live)
    }
    this.#changed()
    this.#pump()
  }

  #enter(task: TransferTask): LiveTask {
    const live = new LiveTask(task, this.#liveTools)
    this.#over.delete(task.taskId)
    this.#live.set(task.taskId, live)
    this.#turns.push(task.taskId)
    return live
  }

  /** Begins a task; answers its number. */
  async add(task: NewTask, files: readonly NewFile[], handles: readonly FileSystemHandle[] = []): Promise<number> {
    const made = await this.#keeper.store.add(newTask(task, Date.now()))
    const { taskId } = made
    const live = this.#enter(made)
    live.begin(files)
    this.#settle(live)
    this.#changed()
    this.#pump()
    void this.#keeper.keepNew(live, handles, () => this.#live.has(taskId))
    return taskId
  }

  /** Begins a download, into the file that was chosen for it where one was; answers its number. */
  async addDownload(task: NewTask, name: string, handle?: FileSystemFileHandle): Promise<number> {
    const { store } = this.#keeper
    const made = await store.add(newTask(task, Date.now()))
    const { taskId } = made
    const live = this.#enter(made)
    this.#places.set(taskId, { place: this.#placeAt(taskId, handle), free: Promise.resolve() })
    live.receives(name)
    if (handle !== undefined) await store.putHandles(taskId, [handle]).catch(() => undefined)
    this.#changed()
    this.#pump()
    void this.#keeper.flush()
    return taskId
  }

  #placeAt(taskId: number, handle: FileSystemFileHandle | undefined): DownloadTarget {
    if (handle !== undefined) return fileTarget(handle)
    return stagedTarget({ store: this.#keeper.store, taskId, saveBlob: this.#options.tools.saveBlob })
  }

  async #placeOf({
    taskId,
    localPath,
  }: TransferTask): Promise<{ readonly place: DownloadTarget; free: Promise<unknown> }> {
    const known = this.#places.get(taskId)
    if (known !== undefined) return known
    const [handle] = localPath === '' ? [] : await this.#keeper.store.handles(taskId)
    if (localPath !== '' && handle === undefined) throw new TransferFailure('unwritable')
    const opened = { place: this.#placeAt(taskId, handle as FileSystemFileHandle | undefined), free: Promise.resolve() }
    this.#places.set(taskId, opened)
    return opened
  }

  /** Adds a download that the browser does by itself. */
  async addHandedOver(task: NewTask): Promise<void> {
    const now = Date.now()
    const handed = { ...newTask(task, now), successFileCount: task.totalFileCount, handedOver: true }
    const made = await this.#keeper.store.add({ ...handed, status: 'completed', progress: 1000, completedTime: now })
    this.#over.set(made.taskId, made)
    this.#changed()
  }

  /** Lets a task rest; what has been sent stays at the server ([R194]). */
  pause(taskId: number): void {
    if (this.edits.pause(taskId)) return
    const live = this.#live.get(taskId)
    if (live?.task.status !== 'doing') return
    live.pause()
    void this.#keeper.flush()
  }

  /** Goes on with a task that rests. */
  restart(taskId: number): void {
    if (this.edits.restart(taskId)) return this.#line.look()
    const live = this.#live.get(taskId)
    if (live?.task.status !== 'pause') return
    live.restart()
    // What a person decides is kept at once: the page may be closed in the next moment.
    void this.#keeper.flush()
    this.#settle(live)
    this.#line.look()
    this.#pump()
  }

  /** Tries what failed again ([R194]); of a task of an earlier page as far as its files are still had. */
  async restartFailed(taskId: number): Promise<void> {
    if (this.#editAgain(taskId)) return
    const live = this.#live.get(taskId) ?? (await this.#takeBack(taskId))
    live?.restartFailed()
    this.#pump()
  }

  /** Tries one file that failed again. */
  async restartFile(taskId: number, index: number): Promise<void> {
    if (this.#editAgain(taskId)) return
    const live = this.#live.get(taskId) ?? (await this.#takeBack(taskId))
    live?.restartFile(index)
    this.#changed()
    this.#pump()
  }

  /** What failed of editing its editor tries again, with what stands in it now. */
  #editAgain(taskId: number): boolean {
    const over = this.#over.get(taskId)
    const [fileId] = over?.isOnlineEdit === true ? (over.source?.fileIdArray ?? []) : []
    if (fileId === undefined) return false
    this.interrupt(taskId)
    this.#options.retryEdit(fileId)
    return true
  }

  /** What failed of editing this file is told no more. */
  #forgetFailedEdits(fileId: number): void {
    for (const { taskId, isOnlineEdit, errorFileCount, source } of this.#over.values())
      if (isOnlineEdit && errorFileCount > 0 && source?.fileIdArray[0] === fileId) this.interrupt(taskId)
  }

  #editEnded(live: LiveTask): void {
    if (live.isGone) this.#keeper.remove(live.task.taskId)
    else {
      this.#over.set(live.task.taskId, live.task)
      for (const file of live.files.values()) this.#keeper.noteFile(file)
      this.#keeper.keepEnd(live)
    }
    this.#changed()
  }

  /** Leaves one file of a task out; a task whose files are all left out is gone. */
  leaveOut(taskId: number, index: number): void {
    if (this.edits.interrupt(taskId)) return
    const live = this.#live.get(taskId)
    const file = live?.leaveOut(index)
    if (live === undefined || file === undefined) return
    this.#forgetAtServer(file)
    const { successFileCount: done, errorFileCount: failed, totalFileCount } = live.task
    if (totalFileCount === 0) return this.interrupt(taskId)
    // There is nothing left to rest for.
    if (live.task.status === 'pause' && done + failed === totalFileCount) live.restart()
    this.#settle(live)
    this.#pump()
  }

  /** A task that is over is under way again. */
  async #takeBack(taskId: number): Promise<LiveTask | undefined> {
    const over = this.#over.get(taskId)
    if (over === undefined || (over.type === 'download' && over.source === undefined)) return undefined
    const held = this.#held.get(taskId)
    const known: StoredTask =
      held === undefined
        ? await this.#keeper.store.task(taskId)
        : { files: [...held.files.values()], contents: held.kept }
    // Whoever asked at the same moment was faster.
    const meanwhile = this.#live.get(taskId)
    if (meanwhile !== undefined) return meanwhile
    const live = this.#enter(over)
    live.takeBack(known, held?.inHand ?? new Map())
    this.#held.delete(taskId)
    return live
  }

  /** Ends a task and takes it away ([R194]); the server forgets what it holds of it. */
  interrupt(taskId: number): void {
    if (this.edits.interrupt(taskId)) return
    const live = this.#live.get(taskId)
    if (live !== undefined) {
      live.isGone = true
      live.stop()
      for (const file of live.files.values()) if (file.state !== 'done') this.#forgetAtServer(file)
      if (live.fileIds.length > 0) this.#tellEnd(live)
    }
    const task = live?.task ?? this.#over.get(taskId)
    const isUnfinished = task?.type === 'download' && task.source !== undefined && task.successFileCount === 0
    if (isUnfinished && !task.isOnlineEdit) void this.#discard(task)
    this.#live.delete(taskId)
    this.#over.delete(taskId)
    this.#held.delete(taskId)
    this.#keeper.remove(taskId)
    this.#changed()
    this.#pump()
  }

  /** Takes away what has been written of a download that nobody wants any more. */
  async #discard(task: TransferTask): Promise<void> {
    try {
      const { place, free } = await this.#placeOf(task)
      this.#places.delete(task.taskId)
      await free
      await place.discard()
    } catch {
      // There is nothing of it.
    }
  }

  #forgetAtServer({ uploadId }: TransferFile): void {
    if (uploadId !== undefined) void this.#options.tools.wire.abort(uploadId).catch(() => undefined)
  }

  /** Takes the records of what is over away. */
  clearFinished(): void {
    for (const taskId of [...this.#over.keys()]) this.interrupt(taskId)
  }

  /** The files of a task, in their order. */
  async filesOf(taskId: number): Promise<readonly TransferFile[]> {
    const edited = this.edits.listed.find(({ task }) => task.taskId === taskId)
    const known = edited ?? this.#live.get(taskId) ?? this.#held.get(taskId)
    return known === undefined ? (await this.#keeper.store.task(taskId)).files : [...known.files.values()]
  }

  /** The files of a task that wait for a decision. */
  clashesOf(taskId: number): readonly TransferFile[] {
    return this.#live.get(taskId)?.clashes ?? []
  }

  /** Decides taken names; `sameWay` holds for all that come ([R196]). */
  decide(taskId: number, ways: ReadonlyMap<number, UploadPolicy>, sameWay?: UploadPolicy): void {
    const live = this.#live.get(taskId)
    if (live === undefined) return
    live.decide(ways, sameWay)
    this.#settle(live)
    this.#pump()
  }

  /** The files of a task that have to be chosen again. */
  missingOf(taskId: number): readonly TransferFile[] {
    return this.#live.get(taskId)?.missing ?? []
  }

  /** Gives a task its files again, by their places; they have been checked. */
  provide(taskId: number, files: ReadonlyMap<number, File>): void {
    this.#live.get(taskId)?.provide(files)
    this.#changed()
    this.#pump()
  }

  handlesOf(taskId: number): Promise<readonly FileSystemHandle[]> {
    return this.#keeper.store.handles(taskId)
  }

  /** Shows what another tab does. */
  showElsewhere(tasks: readonly TaskView[]): void {
    for (const task of tasks) {
      if (this.own.includes(task.taskId)) continue
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
      const share = live.task.type === 'upload' && isSmall(file, live.task.params) ? smallShare : 1
      // What does not fit any more waits, unless nothing else is under way.
      if (this.#active > 0 && this.#active + share > this.#atOnce) return
      live.queue.shift()
      void this.#send(live, file.index, share)
    }
  }

  /** Tasks take turns, so that a small drop does not wait for a large one. */
  #nextInTurn(): LiveTask | undefined {
    for (let n = this.#turns.length; n > 0; n--) {
      const taskId = this.#turns.shift() ?? 0
      const live = this.#live.get(taskId)
      if (live === undefined) continue
      this.#turns.push(taskId)
      if (live.task.status === 'doing' && live.queue.length > 0) return live
    }
    return undefined
  }

  async #send(live: LiveTask, index: number, share: number): Promise<void> {
    this.#active += share
    const running = live.send(index)
    const { signal } = running.abort
    try {
      if (live.task.type === 'download') return await this.#receive(live, index, running)
      const content = live.inHand.get(index) ?? (await this.#keeper.store.content(live.task.taskId, index))
      if (signal.aborted) return
      const file = live.files.get(index)
      if (content === undefined || file === undefined) return live.lacks(index)
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
        record: async (known) => {
          if (signal.aborted) return
          live.note(index, known)
          if (known.uploadId !== undefined) await this.#keeper.flush()
        },
      })
      // What is heard of a task that was ended or rests is dropped; it is asked for again when the task goes on.
      if (!signal.aborted) live.arrived(index, arrived)
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

  async #receive(live: LiveTask, index: number, running: Running): Promise<void> {
    const { taskId, source } = live.task
    const { tools } = this.#options
    const { signal } = running.abort
    const at = await this.#placeOf(live.task)
    await at.free
    const file = live.files.get(index)
    if (signal.aborted || file === undefined || source === undefined) return
    const received = receiveFile(file, source.address, {
      fetch: tools.fetch,
      target: at.place,
      signal,
      onBegin: (from, total) => {
        if (!signal.aborted) live.begins(index, from, total)
        this.#changed()
      },
      onProgress: (sent) => {
        if (signal.aborted) return
        running.sent = sent
        live.gotOn(index)
        this.#changed()
      },
      record: async (known) => {
        live.note(index, known)
        await this.#keeper.flush()
      },
      isGone: () => live.isGone,
    })
    at.free = received.catch(() => undefined)
    const size = await received.catch(async (error: unknown) => {
      if (!(error instanceof TransferFailure) || error.code !== 'elsewhere') throw error
      await tools.startBrowserDownload(source)
      live.task = { ...live.task, handedOver: true }
      return 0
    })
    if (signal.aborted) return
    live.received(index, size)
    const { store } = this.#keeper
    this.#options.later(() => {
      this.#places.delete(taskId)
      void store.dropContents(taskId).catch(() => undefined)
    }, handedOutMs)
  }

  #failed(live: LiveTask, index: number, error: TransferError): void {
    if (error === 'notLoggedIn') {
      // Who is not signed in any more is led to the login page; the next page of this account goes on.
      this.#halted = true
      return live.putBack(index)
    }
    // Allowed once more it goes on where it is.
    if (error === 'needsHand') {
      live.pause()
      return this.#changed()
    }
    const isDownload = live.task.type === 'download'
    if (isDownload && isConnectionError(error)) {
      if (live.lost(index) > mostEmptyAnswers) return live.failed(index, 'serverException')
      live.putBack(index, { sent: live.running.get(index)?.sent ?? 0 })
      return this.#line.lost()
    }
    if (!isConnectionError(error) || live.lost(index) > mostLosses) return live.failed(index, error)
    live.putBack(index)
    this.#line.lost()
  }

  #settle(live: LiveTask): void {
    if (!live.settle()) return
    const { task } = live
    this.#live.delete(task.taskId)
    this.#over.set(task.taskId, task)
    this.#keeper.keepEnd(live)
    if (task.errorFileCount > 0) this.#held.set(task.taskId, live)
    this.#tellEnd(live)
  }

  #tellEnd({ task, fileIds, files }: LiveTask): void {
    const folderIds = [...new Set([task.folderId, ...[...files.values()].map(({ folderId }) => folderId)])]
    this.#options.onEnd({ task, fileIds, folderIds })
  }

  #changed(): void {
    if (this.#announced) return
    this.#announced = true
    this.#options.later(() => {
      this.#announced = false
      this.#snapshot = this.#summarise()
      for (const listener of this.#listeners) listener()
      this.#tick()
    }, notifyEveryMs)
  }

  /** Speed and rest change also while nothing arrives. */
  #tick(): void {
    if (this.#ticking || (this.#active === 0 && this.edits.ids.length === 0)) return
    this.#ticking = true
    this.#options.later(() => {
      this.#ticking = false
      this.#changed()
    }, tickMs)
  }

  #summarise(): TransferSnapshot {
    const offline = this.#line.isDown()
    const live = [...this.#live.values()].map((one) => one.view(offline))
    const over = [...this.#over.values()].map(restingView)
    const tasks = [...live, ...this.edits.views(offline), ...this.#elsewhere.values(), ...over].sort(
      (a, b) => a.taskId - b.taskId,
    )
    return { tasks, offline }
  }
}
