/*
 * The server operations of editing ([R198], docs/adr/0169): lock, edit-download, submit and unlock. Each one is an
 * engine task with one file. It starts at once, in addition to the running uploads and downloads, because the user is
 * waiting for it. As with every transfer, it waits for a lost connection, and can be paused and cancelled. It is listed
 * only if it takes more than a moment or fails.
 *
 * The editor stores a draft of submitted content, so no task continues in another page: that page submits the draft
 * again. A submit whose answer was lost is sent again. It then finds its own version, which is not a conflict.
 */
import type { Connection } from './connection.ts'
import { memoryTarget } from './download-target.ts'
import { LiveTask, type LiveTools, type Running, type TaskView } from './live-task.ts'
import { type Fetch, receiveFile } from './receive-file.ts'
import { isConnectionError, type TransferError, TransferFailure } from './states.ts'
import { defaultUploadParams, type EditOperation, type NewTask, newTask, type TransferTask } from './task.ts'
import type { Sending } from './upload-api.ts'

/** The edited file. */
export interface EditedFile {
  readonly fileId: number
  readonly fileName: string
}

/** The submitted content: its base version, and the older version that it was created from if that differs. */
export interface Submission extends EditedFile {
  readonly version: number
  readonly madeOf?: number | undefined
  readonly content: Uint8Array
}

/** The progress callbacks and the cancel signal of a task. */
export interface EditTransferOptions {
  /** Cancels the task. */
  readonly signal?: AbortSignal
  /** Reports whether the task is running, has no connection, or was paused by the user. */
  readonly onConnection?: (way: 'runs' | 'away' | 'rests') => void
}

/** What these tasks need from the page. */
export interface EditTools {
  readonly lock: (fileId: number) => Promise<{ readonly version: number }>
  readonly unlock: (fileId: number) => Promise<unknown>
  readonly addressOf: (fileId: number, version: number) => string
  readonly fetch: Fetch
  readonly submit: (of: Omit<Submission, 'content'>, content: Blob, sending: Sending) => Promise<{ version: number }>
  readonly newest: (fileId: number, signal: AbortSignal) => Promise<{ version: number; fileSize: number }>
}

export interface EditTasksOptions {
  readonly tools: EditTools
  readonly connection: () => Connection
  readonly now: () => number
  readonly later: (run: () => void, ms: number) => void
  readonly changed: () => void
  /** Called when a task of this file starts: earlier failures of the file are obsolete. */
  readonly begins: (fileId: number) => void
  /** Adds a record and assigns its id. */
  readonly add: (task: Omit<TransferTask, 'taskId'>) => Promise<TransferTask>
  /** Called when a listed task has ended or was cancelled. */
  readonly ended: (live: LiveTask) => void
}

/** Milliseconds after which a task is listed. */
export const listAfterMs = 1500
/** The number of connection losses after which a task fails. The limit is lower for answers without a single byte. */
const mostLosses = 20
const mostEmptyAnswers = 4

interface Run {
  readonly live: LiveTask
  readonly fileId: number
  readonly operation: EditOperation
  readonly tell: (way: 'runs' | 'away' | 'rests') => void
  /** Resolves when the task has an id in the list. */
  listed: Promise<void> | undefined
  isListed: boolean
  /** Resolved when a condition that the task may wait for changes. */
  wake: PromiseWithResolvers<void>
}

/** A keeper that stores nothing, for tasks that are not listed. */
const noKeeper: LiveTools['keeper'] = {
  noteTask: () => undefined,
  noteFile: () => undefined,
  forgetContents: () => undefined,
}

/** The tasks of editing. See the comment at the top of this file. */
export class EditTasks {
  readonly #options: EditTasksOptions
  readonly #runs = new Set<Run>()
  /** Locks that are being released. A new lock request waits for them. */
  readonly #unlocking = new Map<number, Promise<unknown>>()
  /** The last temporary id of unlisted tasks. */
  #passing = 0

  constructor(options: EditTasksOptions) {
    this.#options = options
  }

  /** Acquires or renews the lock. Fails at once if there is no connection. */
  async lock(file: EditedFile): Promise<{ readonly version: number }> {
    const before = this.#unlocking.get(file.fileId)
    if (before !== undefined) {
      for (const run of this.#of(file.fileId)) if (run.operation === 'unlock' && !run.live.isBusy) this.#end(run)
      await before.catch(() => undefined)
    }
    return this.#do(file, 'lock', 0, {}, () => this.#options.tools.lock(file.fileId))
  }

  /** Releases the lock as soon as there is a connection. */
  async unlock(file: EditedFile): Promise<void> {
    const done = this.#do(file, 'unlock', 0, {}, () => this.#options.tools.unlock(file.fileId))
    this.#unlocking.set(file.fileId, done)
    try {
      await done
    } finally {
      if (this.#unlocking.get(file.fileId) === done) this.#unlocking.delete(file.fileId)
    }
  }

  /** Reads a version for editing. */
  read(file: EditedFile, version: number, way: EditTransferOptions = {}): Promise<Uint8Array> {
    const place = memoryTarget()
    return this.#do(file, 'editDownload', 0, way, async (live, running) => {
      await this.#receive(live, running, version, place)
      return place.bytes()
    })
  }

  /** Submits a content. Returns the new version. */
  submit(of: Submission, way: EditTransferOptions = {}): Promise<{ readonly version: number }> {
    const { content, ...asked } = of
    const { tools } = this.#options
    const blob = new Blob([content as Uint8Array<ArrayBuffer>])
    return this.#do(of, 'submit', content.length, way, async (live, running) => {
      const { signal } = running.abort
      const onProgress = (sent: number): void => {
        running.sent = Math.max(running.sent, sent)
        if (sent >= content.length) running.phase = 'saving'
        this.#options.changed()
      }
      try {
        return await tools.submit(asked, blob, { signal, onProgress })
      } catch (error) {
        if (codeOf(error) !== 'fileConflict') throw error
        const own = await this.#sameVersion(of, live, running).catch((why: unknown) => {
          if (signal.aborted || isConnectionError(codeOf(why))) throw why
          return undefined
        })
        if (own === undefined) throw error
        return { version: own }
      }
    })
  }

  /** Returns the newest version if it has exactly this content: it was submitted before and the answer was lost. */
  async #sameVersion({ fileId, content }: Submission, live: LiveTask, running: Running): Promise<number | undefined> {
    const { version, fileSize } = await this.#options.tools.newest(fileId, running.abort.signal)
    if (fileSize !== content.length) return undefined
    const place = memoryTarget()
    const quiet = { ...running, sent: 0 }
    await this.#receive(live, quiet, version, place, true)
    const theirs = place.bytes()
    return theirs.length === content.length && theirs.every((byte, n) => byte === content[n]) ? version : undefined
  }

  async #receive(
    live: LiveTask,
    running: Running,
    version: number,
    place: ReturnType<typeof memoryTarget>,
    isAside = false,
  ): Promise<void> {
    const file = live.files.get(0)
    const [fileId] = live.task.source?.fileIdArray ?? []
    if (file === undefined || fileId === undefined) return
    const { tools, changed } = this.#options
    await receiveFile(isAside ? { ...file, etag: undefined } : file, tools.addressOf(fileId, version), {
      fetch: tools.fetch,
      target: place,
      signal: running.abort.signal,
      onBegin: (from, total) => {
        if (!isAside) live.begins(0, from, total)
        changed()
      },
      onProgress: (sent) => {
        running.sent = sent
        live.gotOn(0)
        changed()
      },
      record: async (known) => {
        if (!isAside) live.note(0, known)
      },
      isGone: () => live.isGone,
    })
  }

  async #do<T>(
    { fileId, fileName }: EditedFile,
    operation: EditOperation,
    size: number,
    { signal, onConnection }: EditTransferOptions,
    once: (live: LiveTask, running: Running) => Promise<T>,
  ): Promise<T> {
    const { now, changed } = this.#options
    const task: NewTask = {
      description: fileName,
      totalSize: size,
      type: operation === 'submit' ? 'upload' : 'download',
      folderId: 0,
      cloudPath: '',
      totalFileCount: 1,
      firstName: fileName,
      isFolder: false,
      params: defaultUploadParams,
      source: { address: '', fileIdArray: [fileId], folderIdArray: [] },
      operation,
    }
    this.#passing -= 1
    const made = { ...newTask(task, Date.now()), taskId: this.#passing }
    const live = new LiveTask(made, { keeper: noKeeper, now, changed })
    live.receives(fileName)
    live.queue.length = 0
    const run: Run = {
      ...{ live, fileId, operation, listed: undefined, isListed: false, wake: Promise.withResolvers<void>() },
      tell: onConnection ?? ((): void => undefined),
    }
    if (isOfContent(operation)) this.#options.begins(fileId)
    this.#runs.add(run)
    const withdraw = (): void => this.#end(run)
    signal?.addEventListener('abort', withdraw, { once: true })
    if (signal?.aborted === true) withdraw()
    this.#options.later(() => {
      if (this.#runs.has(run)) this.#list(run)
    }, listAfterMs)
    try {
      const answer = await this.#toTheEnd(run, once)
      goesOn(live)
      if (operation === 'submit') live.arrived(0, { fileId, instant: false })
      else live.received(0, live.files.get(0)?.size ?? 0)
      return answer
    } catch (error) {
      if (!live.isGone) live.failed(0, codeOf(error))
      if (isOfContent(operation) && !live.isGone && codeOf(error) !== 'notLoggedIn') this.#list(run)
      throw error
    } finally {
      signal?.removeEventListener('abort', withdraw)
      this.#runs.delete(run)
      goesOn(live)
      live.settle()
      // The caller does not wait for the records.
      void run.listed?.then(() => this.#options.ended(live))
      changed()
    }
  }

  /** Retries until the task is answered, refused or cancelled. */
  async #toTheEnd<T>(run: Run, once: (live: LiveTask, running: Running) => Promise<T>): Promise<T> {
    const { live, operation } = run
    for (;;) {
      await this.#mayGo(run)
      live.queue.length = 0
      const running = live.send(0)
      run.tell('runs')
      this.#options.changed()
      try {
        // An answer from the server is valid even if the task was paused or cancelled in the meantime.
        return await once(live, running)
      } catch (error) {
        if (live.isGone) throw new TransferFailure('withdrawn')
        if (running.abort.signal.aborted) continue
        const code = codeOf(error)
        if (!isConnectionError(code)) throw error
        const most = operation === 'submit' ? mostLosses : mostEmptyAnswers
        if (live.lost(0) > most) throw operation === 'submit' ? error : new TransferFailure('serverException')
        this.#options.connection().lost()
        // A lock request fails at once without a connection.
        if (operation === 'lock') throw error
      } finally {
        if (live.running.get(0) === running) live.running.delete(0)
      }
    }
  }

  async #mayGo(run: Run): Promise<void> {
    for (;;) {
      if (run.live.isGone) throw new TransferFailure('withdrawn')
      const rests = run.live.task.status === 'pause'
      if (!rests && !this.#options.connection().isDown()) return
      if (!rests && run.operation === 'lock') throw new TransferFailure('network')
      run.tell(rests ? 'rests' : 'away')
      this.#options.changed()
      await run.wake.promise
    }
  }

  /** Adds the task to the visible list. */
  #list(run: Run): void {
    const { live } = run
    run.listed ??= (async () => {
      const { taskId: _, ...record } = live.task
      try {
        const { taskId } = await this.#options.add(record)
        live.task = { ...live.task, taskId }
        const file = live.files.get(0)
        if (file !== undefined) live.files.set(0, { ...file, taskId })
      } catch {
        // If nothing can be stored, the task keeps its temporary id.
      }
      run.isListed = true
      this.#options.changed()
    })()
  }

  #wake(run: Run): void {
    const { wake } = run
    run.wake = Promise.withResolvers<void>()
    wake.resolve()
  }

  #end(run: Run): void {
    run.live.isGone = true
    run.live.stop()
    this.#wake(run)
  }

  #of(fileId: number): readonly Run[] {
    return [...this.#runs].filter((run) => run.fileId === fileId)
  }

  #find(taskId: number): Run | undefined {
    return [...this.#runs].find(({ live }) => live.task.taskId === taskId)
  }

  /** The ids of the listed running tasks. */
  get ids(): readonly number[] {
    return this.listed.map(({ task }) => task.taskId)
  }

  /** The listed running tasks. */
  get listed(): readonly LiveTask[] {
    return [...this.#runs].filter(({ isListed }) => isListed).map(({ live }) => live)
  }

  /** Whether a submit is running. */
  get isBusy(): boolean {
    return [...this.#runs].some(({ operation, live }) => operation === 'submit' && live.task.status === 'doing')
  }

  views(offline: boolean): readonly TaskView[] {
    return this.listed.map((live) => live.view(offline))
  }

  /** Pauses a task. Returns whether it is one of these. */
  pause(taskId: number): boolean {
    const run = this.#find(taskId)
    run?.live.pause()
    if (run !== undefined) this.#wake(run)
    return run !== undefined
  }

  /** Resumes a paused task. Returns whether it is one of these. */
  restart(taskId: number): boolean {
    const run = this.#find(taskId)
    if (run === undefined) return false
    goesOn(run.live)
    this.#wake(run)
    return true
  }

  /** Cancels a task. Returns whether it is one of these. */
  interrupt(taskId: number): boolean {
    const run = this.#find(taskId)
    if (run !== undefined) this.#end(run)
    return run !== undefined
  }

  /** The user saves again: resumes paused tasks of the file and checks the connection now. */
  goOn(fileId: number): void {
    for (const run of this.#of(fileId)) {
      goesOn(run.live)
      this.#wake(run)
    }
    this.#options.connection().look()
  }

  /** The connection may be back. */
  lineChanged(): void {
    for (const run of this.#runs) this.#wake(run)
  }

  /** The session has ended. A lock that is being released continues. */
  close(): void {
    for (const run of this.#runs) if (run.operation !== 'unlock') this.#end(run)
  }
}

function goesOn(live: LiveTask): void {
  if (live.task.status === 'pause') live.restart()
}

/** Whether a failure is shown. The caller of a lock reports its failure itself. */
function isOfContent(operation: EditOperation): boolean {
  return operation === 'editDownload' || operation === 'submit'
}

/** Returns the error code of a failure. Engine errors and call errors use the same field. */
function codeOf(error: unknown): TransferError {
  const { code } = error as { readonly code?: TransferError }
  return error instanceof Error && typeof code === 'string' ? code : 'unknown'
}
