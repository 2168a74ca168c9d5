/*
 * A task that is running or may run again: its files and their states (running, queued, missing, waiting for a
 * decision), and its progress. It updates its record by the rules of task.ts and passes every change to the store.
 */
import { limits } from '@cloudoc/domain'
import type { Arrived, Phase } from './send-file.ts'
import { createSpeedometer, type Speedometer } from './speedometer.ts'
import { kindOf, type TransferError, type TransferKind } from './states.ts'
import type { StoredTask, TransferFile } from './store.ts'
import {
  advanced,
  type ErrorFile,
  failedRestarted,
  fileArrived,
  fileFailed,
  fileLeftOut,
  fileRestarted,
  paused,
  restarted,
  settle,
  type TransferTask,
  type UploadPolicy,
} from './task.ts'
import type { RecordedTask, TaskRecorder } from './task-recorder.ts'

/** A file to upload, as the planning returns it. */
export interface NewFile {
  readonly file: File
  readonly path: string
  readonly name: string
  readonly folderId: number
  readonly folderName: string
  readonly conflict: UploadPolicy
  /** The refusal before upload. */
  readonly error?: TransferError
}

/** A task as the screens show it. */
export interface TaskView extends TransferTask {
  /** The kind of its message ([R195]). */
  readonly kind: TransferKind
  readonly phase: Phase | undefined
  /** The number of files that have not arrived yet. */
  readonly left: number
  /** The number of taken names that wait for a decision. */
  readonly clashes: number
  /** The number of files that must be chosen again. */
  readonly missing: number
  /** The number of transferred bytes. */
  readonly through: number
  /** Seconds. Undefined in the first two seconds, and above one day. */
  readonly eta: number | undefined
  /** Another tab of the browser runs it. */
  readonly elsewhere: boolean
}

/** A file that is being transferred. */
export interface Running {
  readonly abort: AbortController
  phase: Phase
  sent: number
}

export interface LiveTools {
  readonly keeper: Pick<TaskRecorder, 'noteTask' | 'noteFile' | 'forgetContents'>
  readonly now: () => number
  /** Called when a visible value changes. */
  readonly changed: () => void
}

const longestEta = 24 * 3600

/** A running task. See the comment at the top of this file. */
export class LiveTask implements RecordedTask {
  task: TransferTask
  readonly files = new Map<number, TransferFile>()
  readonly inHand = new Map<number, File>()
  readonly kept = new Set<number>()
  /** The indexes of the files to send, in order. */
  readonly queue: number[] = []
  readonly running = new Map<number, Running>()
  /** The task was removed: nothing of it is stored. */
  isGone = false
  /** The ids of the files that arrived during this page. */
  readonly fileIds: number[] = []
  readonly #tools: LiveTools
  /** Files that must be chosen again, and files with a taken name. */
  readonly #missing = new Set<number>()
  readonly #clashing = new Set<number>()
  /** The number of connection losses per file. */
  readonly #losses = new Map<number, number>()
  readonly #speed: Speedometer
  #arrivedBytes = 0
  #runsSince: number

  constructor(task: TransferTask, tools: LiveTools) {
    this.task = task
    this.#tools = tools
    this.#runsSince = tools.now()
    this.#speed = createSpeedometer(this.#runsSince)
  }

  get #isDownload(): boolean {
    return this.task.type === 'download'
  }

  /** Whether a file of the task is being transferred. */
  get isBusy(): boolean {
    return this.task.status === 'doing' && this.queue.length + this.running.size > 0
  }

  get clashes(): readonly TransferFile[] {
    return [...this.#clashing].flatMap((index) => this.files.get(index) ?? [])
  }

  get missing(): readonly TransferFile[] {
    return [...this.#missing].flatMap((index) => this.files.get(index) ?? [])
  }

  /** Sets the files of a new task. */
  begin(files: readonly NewFile[]): void {
    for (const [index, { file, error, ...rest }] of files.entries()) {
      this.files.set(index, {
        ...rest,
        taskId: this.task.taskId,
        index,
        size: file.size,
        modified: file.lastModified,
        params: this.#fileParams(),
        state: error === undefined ? 'pending' : 'error',
        sent: 0,
        error,
      })
      this.inHand.set(index, file)
      if (error === undefined) this.queue.push(index)
      else this.task = fileFailed(this.task, { name: rest.name, error })
    }
  }

  #fileParams(): TransferFile['params'] {
    const { serverId, secretLevel, duration, unit } = this.task.params
    return { serverId, secretLevel, duration, unit }
  }

  /** Sets the single file of a new download. */
  receives(name: string): void {
    const { taskId, totalSize: size, folderId, cloudPath } = this.task
    const where = { name, path: '', folderId, folderName: cloudPath, conflict: 'refuse' as const }
    const file: TransferFile = { ...where, taskId, index: 0, size, modified: 0, state: 'pending', sent: 0 }
    this.files.set(0, file)
    this.#tools.keeper.noteFile(file)
    this.queue.push(0)
  }

  /** Restores the stored state of an earlier page. Returns the number of files. */
  takeUp({ files: rows, contents: kept }: StoredTask): number {
    let counted: TransferTask = {
      ...this.task,
      successFileCount: 0,
      errorFileCount: 0,
      errorFiles: [],
      instantFileCount: 0,
    }
    for (const row of rows) {
      // A request of an earlier page may have succeeded without its answer.
      const isOpen = row.state === 'running' || row.state === 'pending'
      const sent = this.#isDownload ? row.sent : 0
      const file: TransferFile = isOpen ? { ...row, state: 'pending', sent, tried: true } : row
      this.files.set(file.index, file)
      if (kept.has(file.index) && !this.#isDownload) this.kept.add(file.index)
      if (file.state === 'done') {
        counted = fileArrived(counted, file.instant === true)
        this.#arrivedBytes += file.size
      } else if (file.state === 'clash') this.#clashing.add(file.index)
      else if (file.state === 'error')
        counted = fileFailed(counted, { name: file.name, error: file.error ?? 'unknown' })
      else if (file.state === 'pending') this.#queue(file.index)
    }
    // Rows that were not stored before the page closed are no longer part of the task.
    const known = [...this.files.values()].filter(({ state }) => state !== 'skipped')
    const totalSize = known.reduce((sum, { size }) => sum + size, 0)
    this.task = { ...counted, totalFileCount: known.length, totalSize, sizeBefore: 0 }
    return known.length
  }

  /** Restores the files of an ended task: the failed ones are retried. */
  takeBack({ files, contents }: StoredTask, inHand: ReadonlyMap<number, File>): void {
    for (const [index, file] of inHand) this.inHand.set(index, file)
    for (const file of files) this.files.set(file.index, file)
    if (!this.#isDownload) for (const index of contents) this.kept.add(index)
    // The rows of completed files may have been deleted.
    this.#arrivedBytes = this.task.totalSize - this.#failedBytes()
  }

  /** Pauses the task. Uploaded data stays on the server ([R194]). */
  pause(): void {
    this.stop()
    this.#update(paused(this.task, this.#tools.now() - this.#runsSince))
  }

  /** Resumes the task. */
  restart(): void {
    this.#runsAgain()
    this.#update(restarted(this.task))
  }

  /** Retries failed files ([R194]). */
  restartFailed(): void {
    if (this.#isDownload) this.#update(failedRestarted(this.task))
    else {
      this.#arrivedBytes = 0
      this.#update(failedRestarted(this.task, this.#bytesLeft()))
    }
    this.#runsAgain()
    for (const file of this.files.values()) if (file.state === 'error') this.#again(file)
  }

  /** Retries one failed file. */
  restartFile(index: number): void {
    const file = this.files.get(index)
    if (file?.state !== 'error') return
    if (this.task.status === 'completed') this.#runsAgain()
    this.#again(file)
    this.#update(fileRestarted(this.task, this.#failures()))
  }

  /** Excludes a file. Returns its previous state, or undefined if it has arrived or is already excluded. */
  leaveOut(index: number): TransferFile | undefined {
    const file = this.files.get(index)
    if (file === undefined || file.state === 'done' || file.state === 'skipped') return undefined
    this.running.get(index)?.abort.abort()
    this.running.delete(index)
    this.inHand.delete(index)
    this.#missing.delete(index)
    if (this.queue.includes(index)) this.queue.splice(this.queue.indexOf(index), 1)
    this.note(index, { state: 'skipped', error: undefined })
    if (file.state === 'error') this.task = fileRestarted(this.task, this.#failures())
    this.task = fileLeftOut(this.task, file.size)
    if (this.#clashing.delete(index)) this.#listClashes()
    else this.#update(this.task)
    if (this.kept.has(index)) this.#tools.keeper.forgetContents(this, [index])
    return file
  }

  /** The bytes of the files that have not arrived. */
  #bytesLeft(): number {
    let bytes = 0
    for (const { state, size } of this.files.values()) if (state !== 'done' && state !== 'skipped') bytes += size
    return bytes
  }

  /** The bytes of failed files, which are not going to arrive. */
  #failedBytes(): number {
    let bytes = 0
    for (const { state, size } of this.files.values()) if (state === 'error') bytes += size
    return bytes
  }

  #failures(): ErrorFile[] {
    const failed = [...this.files.values()].filter(({ state }) => state === 'error')
    return failed.map(({ name, error = 'unknown' }) => ({ name, error }))
  }

  #runsAgain(): void {
    this.#runsSince = this.#tools.now()
    this.#speed.reset(this.#runsSince, this.#sent())
  }

  /** Applies decisions on taken names. `sameWay` applies to all later ones ([R196]). */
  decide(ways: ReadonlyMap<number, UploadPolicy>, sameWay?: UploadPolicy): void {
    if (sameWay !== undefined) this.task = { ...this.task, sameFileWay: sameWay }
    for (const file of this.clashes) {
      const way = ways.get(file.index) ?? sameWay
      if (way !== undefined) this.#goWay(file, way)
    }
    this.#listClashes()
  }

  #listClashes(): void {
    const names: string[] = []
    for (const index of this.#clashing) {
      if (names.length === limits.duplicateNames) break
      names.push(this.files.get(index)?.name ?? '')
    }
    this.#update({ ...this.task, sameNameFiles: names })
  }

  #goWay(file: TransferFile, way: UploadPolicy): void {
    this.#clashing.delete(file.index)
    if (way !== 'skip') return this.#again(file, { conflict: way })
    this.note(file.index, { state: 'skipped' })
    this.#update(fileLeftOut(this.task, file.size))
  }

  #again(file: TransferFile, change: Partial<TransferFile> = {}): void {
    this.note(file.index, { ...change, state: 'pending', error: undefined, sent: 0 })
    this.#queue(file.index)
  }

  #queue(index: number): void {
    if (this.#isDownload || this.inHand.has(index) || this.kept.has(index)) this.queue.push(index)
    else this.#missing.add(index)
  }

  /** Adds missing files, by index. */
  provide(files: ReadonlyMap<number, File>): void {
    for (const [index, file] of files) {
      if (!this.#missing.delete(index)) continue
      this.inHand.set(index, file)
      this.queue.push(index)
    }
  }

  /** Starts sending the next file of the queue. */
  send(index: number): Running {
    const running: Running = { abort: new AbortController(), phase: 'sending', sent: 0 }
    this.running.set(index, running)
    this.note(index, { state: 'running' })
    return running
  }

  /** Sets the start offset and the total size of a download. 0 if unknown. */
  begins(index: number, from: number, size: number): void {
    const running = this.running.get(index)
    if (running !== undefined) running.sent = from
    this.note(index, { size, sent: from })
    this.task = { ...this.task, totalSize: size }
    this.#speed.reset(this.#tools.now(), this.#sent())
  }

  /** Marks a file as no longer available. */
  lacks(index: number): void {
    this.#missing.add(index)
    this.note(index, { state: 'pending' })
  }

  /** Marks a download as complete, with its size. */
  received(index: number, size: number): void {
    const running = this.running.get(index)
    if (running !== undefined) running.sent = 0
    this.note(index, { size })
    this.task = { ...this.task, totalSize: size }
    this.arrived(index, { fileId: 0, instant: false })
  }

  arrived(index: number, { fileId, instant }: Arrived): void {
    const size = this.files.get(index)?.size ?? 0
    this.#arrivedBytes += size
    // A file that did not need to be sent does not count for the transfer speed.
    if (instant) this.#speed.skip(size)
    if (fileId > 0) this.fileIds.push(fileId)
    this.inHand.delete(index)
    this.note(index, { state: 'done', sent: size, fileId, instant })
    this.#update(fileArrived(this.task, instant))
    if (this.kept.has(index)) this.#tools.keeper.forgetContents(this, [index])
  }

  /** Puts a file whose request failed at the head of the queue. Returns the number of its connection losses. */
  lost(index: number): number {
    const losses = (this.#losses.get(index) ?? 0) + 1
    this.#losses.set(index, losses)
    return losses
  }

  /** Data has arrived since the last connection loss: resets the counter. */
  gotOn(index: number): void {
    this.#losses.delete(index)
  }

  /** Puts a file at the head of the queue. */
  putBack(index: number, change: Partial<TransferFile> = {}): void {
    this.note(index, { ...change, state: 'pending' })
    this.queue.unshift(index)
  }

  /** Marks a file as refused by the server or by this page. */
  failed(index: number, error: TransferError): void {
    const file = this.files.get(index)
    if (file === undefined) return
    if (error === 'alreadyExists') {
      const way = this.task.sameFileWay
      if (way !== '' && way !== file.conflict) return this.#goWay(file, way)
      this.#clashing.add(index)
      this.note(index, { state: 'clash' })
      return this.#listClashes()
    }
    this.note(index, { state: 'error', error })
    this.#update(fileFailed(this.task, { name: file.name, error }))
  }

  /** Aborts the running files and puts them at the head of the queue for the resumption. */
  stop(): void {
    for (const [index, { abort, sent }] of this.running) {
      abort.abort()
      this.putBack(index, { tried: true, ...(this.#isDownload && { sent }) })
    }
    this.running.clear()
  }

  /** Completes the task if all its files have arrived or failed. Returns whether it has ended. */
  settle(): boolean {
    const settled = settle(this.task, Date.now())
    if (settled === this.task) return false
    this.task = { ...settled, spendTime: settled.spendTime + this.#tools.now() - this.#runsSince }
    return true
  }

  /** Records a change of a file. */
  note(index: number, change: Partial<TransferFile>): void {
    const file = this.files.get(index)
    if (file === undefined) return
    const changed = { ...file, ...change }
    this.files.set(index, changed)
    this.#tools.keeper.noteFile(changed)
  }

  #update(task: TransferTask): void {
    this.task = task
    this.#tools.keeper.noteTask(this)
    this.#tools.changed()
  }

  #sent(): number {
    let sent = this.#arrivedBytes
    for (const one of this.running.values()) sent += one.sent
    const first = this.#isDownload && this.running.size === 0 ? this.files.get(0) : undefined
    return first === undefined || first.state === 'done' ? sent : sent + first.sent
  }

  /** Returns the current view of the task for the screens. */
  view(offline: boolean): TaskView {
    const sent = this.#sent()
    const now = this.#tools.now()
    const isRunning = this.task.status === 'doing' && this.running.size > 0
    const speed = isRunning && !offline ? this.#speed.at(now, sent) : 0
    const { successFileCount: done, errorFileCount: failed, totalFileCount } = this.task
    const settled = sent + (failed > 0 && !this.#isDownload ? this.#failedBytes() : 0)
    this.task = { ...advanced(this.task, settled, done + failed), speed }
    const eta = this.#speed.eta(now, this.task.totalSize - settled)
    const phases = [...this.running.values()].map(({ phase }) => phase)
    return {
      ...this.task,
      kind: this.#kind(offline, isRunning),
      phase: phases.length > 0 && phases.every((phase) => phase === phases[0]) ? phases[0] : undefined,
      left: totalFileCount - done - failed,
      clashes: this.#clashing.size,
      missing: this.#missing.size,
      through: sent,
      eta: isRunning && this.task.totalSize > 0 && eta !== undefined && eta <= longestEta ? eta : undefined,
      elsewhere: false,
    }
  }

  #kind(offline: boolean, isRunning: boolean): TransferKind {
    if (this.task.status === 'pause') return 'paused'
    if (offline) return 'connectionError'
    if (isRunning) return 'running'
    const [first] = this.task.errorFiles
    return first !== undefined && this.queue.length === 0 ? kindOf(first.error) : 'waiting'
  }
}

/** Returns the view of a task that this page does not run. */
export function restingView(task: TransferTask): TaskView {
  const [first] = task.errorFiles
  const isOver = task.status === 'completed'
  // It is not yet known which tab resumes the task of another page.
  const rests: TransferKind = task.status === 'pause' ? 'paused' : 'waiting'
  const kind = !isOver ? rests : first === undefined ? 'running' : kindOf(first.error)
  const left = isOver ? 0 : task.totalFileCount - task.successFileCount - task.errorFileCount
  return {
    ...task,
    kind,
    phase: undefined,
    left,
    clashes: 0,
    missing: 0,
    through: 0,
    eta: undefined,
    elsewhere: !isOver,
  }
}
