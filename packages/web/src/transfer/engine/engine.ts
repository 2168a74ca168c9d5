/*
 * The transfer engine. It sends the files of all tasks, a few at a time and in round-robin order of the tasks. It
 * notifies the screens at most a few times a second, so that 10,000 files do not cause 10,000 renders. live-task.ts
 * holds the state of one task, task-recorder.ts stores what a reopened page needs, and send-file.ts sends one file.
 *
 * A file whose request failed waits for the connection and resumes. A file with a taken name waits for a decision,
 * which is requested once and may apply to all ([R196]). The other files continue in the meantime.
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

/** The result of an ended task. */
export interface TaskEnd {
  readonly task: TransferTask
  readonly fileIds: readonly number[]
  readonly folderIds: readonly number[]
}

export interface EngineOptions {
  readonly tools: Pick<SendTools, 'wire' | 'hasher'> & DownloadTools & { readonly edit: EditTools }
  readonly connection: (onChange: () => void) => Connection
  readonly now: () => number
  /** Runs the function once, after this number of milliseconds. */
  readonly later: (run: () => void, ms: number) => void
  readonly onEnd: (end: TaskEnd) => void
  /** Repeats a failed editing operation of a file. */
  readonly retryEdit: (fileId: number) => void
}

/** What downloads need from the page. */
export interface DownloadTools {
  readonly fetch: Fetch
  /** Saves a completely received content for the user. */
  readonly saveBlob: (content: Blob, name: string) => void
  /** Lets the browser download it by itself. */
  readonly startBrowserDownload: (source: DownloadSource) => Promise<void>
}

const notifyEveryMs = 200
const tickMs = 1000
/** The share of a small file in the number of concurrent files: its request mostly waits. */
const smallShare = 0.6
/** The number of connection losses after which a file fails. */
const mostLosses = 20
/**
 * The number of answers that end before their first byte, while there is a connection, after which the server is
 * considered faulty.
 */
const mostEmptyAnswers = 4
/** Milliseconds after which the browser has saved a handed out file. */
const handedOutMs = 60_000

/** The engine. See the comment at the top of this file. */
export class TransferEngine {
  /** The server operations of editing. */
  readonly edits: EditTasks
  readonly #options: EngineOptions
  readonly #line: Connection
  readonly #keeper: TaskRecorder
  readonly #liveTools: LiveTools
  readonly #live = new Map<number, LiveTask>()
  readonly #over = new Map<number, TransferTask>()
  readonly #elsewhere = new Map<number, TaskView>()
  /** Tasks that ended with failures on this page. Their file objects stay in memory until the page closes. */
  readonly #held = new Map<number, LiveTask>()
  /** The targets of downloads, and a promise for the end of the last write to each: only one writer at a time. */
  readonly #places = new Map<number, { readonly place: DownloadTarget; free: Promise<unknown> }>()
  readonly #turns: number[] = []
  readonly #listeners = new Set<() => void>()
  #atOnce = 3
  #active = 0
  #announced = false
  #ticking = false
  /** The session has ended: no new work starts. */
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

  /** The ids of the tasks that this page runs. */
  get own(): readonly number[] {
    return [...this.#live.keys(), ...this.edits.ids]
  }

  /** Whether this page has a running transfer. */
  get isBusy(): boolean {
    return this.edits.isBusy || [...this.#live.values()].some((live) => live.isBusy)
  }

  /** The number of concurrent files. */
  set atOnce(count: number) {
    this.#atOnce = count
    this.#pump()
  }

  /** Loads the transfers of this account. */
  async open(store: TransferStore): Promise<void> {
    this.close()
    this.#keeper.use(store)
    this.#halted = false
    for (const task of await store.list()) this.#over.set(task.taskId, task)
    this.#changed()
    // Cleans up staged downloads of a page that was closed right after it handed them out.
    const out = [...this.#over.values()].filter(({ type, status }) => type === 'download' && status === 'completed')
    await store.sweep(new Set(out.map(({ taskId }) => taskId))).catch(() => undefined)
  }

  /** Releases everything when the account signs out. Unfinished tasks stay stored. */
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

  /** Returns unfinished tasks that this page does not run. */
  async unfinished(): Promise<readonly TransferTask[]> {
    const all = await this.#keeper.store.list()
    const own = new Set(this.own)
    return all.filter(({ taskId, status }) => (status === 'doing' || status === 'pause') && !own.has(taskId))
  }

  /** Resumes unfinished tasks that no other tab runs. */
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

  /** Starts a task. Returns its id. */
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

  /** Starts a download, into the chosen file if there is one. Returns its id. */
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

  /** Adds the record of a download that the browser runs by itself. */
  async addHandedOver(task: NewTask): Promise<void> {
    const now = Date.now()
    const handed = { ...newTask(task, now), successFileCount: task.totalFileCount, handedOver: true }
    const made = await this.#keeper.store.add({ ...handed, status: 'completed', progress: 1000, completedTime: now })
    this.#over.set(made.taskId, made)
    this.#changed()
  }

  /** Pauses a task. Uploaded data stays on the server ([R194]). */
  pause(taskId: number): void {
    if (this.edits.pause(taskId)) return
    const live = this.#live.get(taskId)
    if (live?.task.status !== 'doing') return
    live.pause()
    void this.#keeper.flush()
  }

  /** Resumes a paused task. */
  restart(taskId: number): void {
    if (this.edits.restart(taskId)) return this.#line.look()
    const live = this.#live.get(taskId)
    if (live?.task.status !== 'pause') return
    live.restart()
    // A user's decision is stored at once, because the page may be closed in the next moment.
    void this.#keeper.flush()
    this.#settle(live)
    this.#line.look()
    this.#pump()
  }

  /** Retries failed files ([R194]). For a task of an earlier page, only the files that are still available. */
  async restartFailed(taskId: number): Promise<void> {
    if (this.#editAgain(taskId)) return
    const live = this.#live.get(taskId) ?? (await this.#takeBack(taskId))
    live?.restartFailed()
    this.#pump()
  }

  /** Retries one failed file. */
  async restartFile(taskId: number, index: number): Promise<void> {
    if (this.#editAgain(taskId)) return
    const live = this.#live.get(taskId) ?? (await this.#takeBack(taskId))
    live?.restartFile(index)
    this.#changed()
    this.#pump()
  }

  /** A failed editing operation is repeated by its editor with the current content. */
  #editAgain(taskId: number): boolean {
    const over = this.#over.get(taskId)
    const [fileId] = over?.isOnlineEdit === true ? (over.source?.fileIdArray ?? []) : []
    if (fileId === undefined) return false
    this.interrupt(taskId)
    this.#options.retryEdit(fileId)
    return true
  }

  /** Removes the reported failures of editing this file. */
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

  /** Excludes one file from a task. A task without files is removed. */
  leaveOut(taskId: number, index: number): void {
    if (this.edits.interrupt(taskId)) return
    const live = this.#live.get(taskId)
    const file = live?.leaveOut(index)
    if (live === undefined || file === undefined) return
    this.#forgetAtServer(file)
    const { successFileCount: done, errorFileCount: failed, totalFileCount } = live.task
    if (totalFileCount === 0) return this.interrupt(taskId)
    // No file is left to be paused.
    if (live.task.status === 'pause' && done + failed === totalFileCount) live.restart()
    this.#settle(live)
    this.#pump()
  }

  /** Moves an ended task back to the running ones. */
  async #takeBack(taskId: number): Promise<LiveTask | undefined> {
    const over = this.#over.get(taskId)
    if (over === undefined || (over.type === 'download' && over.source === undefined)) return undefined
    const held = this.#held.get(taskId)
    const known: StoredTask =
      held === undefined
        ? await this.#keeper.store.task(taskId)
        : { files: [...held.files.values()], contents: held.kept }
    // A concurrent request was faster.
    const meanwhile = this.#live.get(taskId)
    if (meanwhile !== undefined) return meanwhile
    const live = this.#enter(over)
    live.takeBack(known, held?.inHand ?? new Map())
    this.#held.delete(taskId)
    return live
  }

  /** Cancels and removes a task ([R194]). The server discards its data. */
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

  /** Deletes the received part of a cancelled download. */
  async #discard(task: TransferTask): Promise<void> {
    try {
      const { place, free } = await this.#placeOf(task)
      this.#places.delete(task.taskId)
      await free
      await place.discard()
    } catch {
      // There is no partial file.
    }
  }

  #forgetAtServer({ uploadId }: TransferFile): void {
    if (uploadId !== undefined) void this.#options.tools.wire.abort(uploadId).catch(() => undefined)
  }

  /** Deletes the records of ended tasks. */
  clearFinished(): void {
    for (const taskId of [...this.#over.keys()]) this.interrupt(taskId)
  }

  /** Returns the files of a task in order. */
  async filesOf(taskId: number): Promise<readonly TransferFile[]> {
    const edited = this.edits.listed.find(({ task }) => task.taskId === taskId)
    const known = edited ?? this.#live.get(taskId) ?? this.#held.get(taskId)
    return known === undefined ? (await this.#keeper.store.task(taskId)).files : [...known.files.values()]
  }

  /** Returns the files of a task that wait for a decision. */
  clashesOf(taskId: number): readonly TransferFile[] {
    return this.#live.get(taskId)?.clashes ?? []
  }

  /** Applies decisions on taken names. `sameWay` applies to all later ones ([R196]). */
  decide(taskId: number, ways: ReadonlyMap<number, UploadPolicy>, sameWay?: UploadPolicy): void {
    const live = this.#live.get(taskId)
    if (live === undefined) return
    live.decide(ways, sameWay)
    this.#settle(live)
    this.#pump()
  }

  /** Returns the files of a task that must be chosen again. */
  missingOf(taskId: number): readonly TransferFile[] {
    return this.#live.get(taskId)?.missing ?? []
  }

  /** Gives a task its files again, by index. The files are already verified. */
  provide(taskId: number, files: ReadonlyMap<number, File>): void {
    this.#live.get(taskId)?.provide(files)
    this.#changed()
    this.#pump()
  }

  handlesOf(taskId: number): Promise<readonly FileSystemHandle[]> {
    return this.#keeper.store.handles(taskId)
  }

  /** Shows the tasks of other tabs. */
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

  /** Another tab has removed a task. */
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
      // A file that exceeds the limit waits, unless nothing else is running.
      if (this.#active > 0 && this.#active + share > this.#atOnce) return
      live.queue.shift()
      void this.#send(live, file.index, share)
    }
  }

  /** Round-robin over the tasks, so that a small drop does not wait for a large one. */
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
      // The result of a cancelled or paused file is ignored. It is requested again when the task resumes.
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
      // A signed out user is sent to the login page. The next page of this account resumes the transfer.
      this.#halted = true
      return live.putBack(index)
    }
    // The task pauses and resumes after the user grants permission again.
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

  /** The speed and the remaining time also change while no data arrives. */
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
