/*
 * What editing does with the server ([R198], docs/adr/0169): lock, edit-download, submit and unlock, each a task of the engine
 * with one file. It begins at once, beside what is sent and fetched, as somebody waits for it at the screen; it waits for
 * the way to come back, rests and is called off as every transfer. Only what takes longer than a moment or fails is listed.
 *
 * Of what is handed in the editor keeps a draft, so nothing of these tasks goes on in another page: it is handed in anew
 * there. A submit whose answer was lost is sent again, and finds its own version, which is no conflict.
 */
import type { Connection } from './connection.ts'
import { memoryTarget } from './download-target.ts'
import { LiveTask, type LiveTools, type Running, type TaskView } from './live-task.ts'
import { type Fetch, receiveFile } from './receive-file.ts'
import { isConnectionError, type TransferError, TransferFailure } from './states.ts'
import { defaultUploadParams, type EditOperation, type NewTask, newTask, type TransferTask } from './task.ts'
import type { Sending } from './upload-api.ts'

/** The file that is edited. */
export interface EditedFile {
  readonly fileId: number
  readonly fileName: string
}

/** What is handed in: upon which version, and of which older one it was made where that is another one. */
export interface Submission extends EditedFile {
  readonly version: number
  readonly madeOf?: number | undefined
  readonly content: Uint8Array
}

/** How a task gets on, for whoever waits for it. */
export interface EditTransferOptions {
  /** Calls it off. */
  readonly signal?: AbortSignal
  /** It is on its way, there is no way, or the person lets it rest. */
  readonly onConnection?: (way: 'runs' | 'away' | 'rests') => void
}

/** What these tasks need of the page. */
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
  /** Something of this file begins: what failed of it before is history. */
  readonly begins: (fileId: number) => void
  /** Gives a record its number. */
  readonly add: (task: Omit<TransferTask, 'taskId'>) => Promise<TransferTask>
  /** One that is listed has ended, or was called off. */
  readonly ended: (live: LiveTask) => void
}

/** Milliseconds after which a task is listed. */
export const listAfterMs = 1500
/** So often the way may be lost under one task before it counts as failed; fewer times where not even a byte comes. */
const mostLosses = 20
const mostEmptyAnswers = 4

interface Run {
  readonly live: LiveTask
  readonly fileId: number
  readonly operation: EditOperation
  readonly tell: (way: 'runs' | 'away' | 'rests') => void
  /** It has been given a number, by which people see it. */
  listed: Promise<void> | undefined
  isListed: boolean
  /** Something has changed that it may have waited for. */
  wake: PromiseWithResolvers<void>
}

/** No record, no row: what is not listed leaves nothing. */
const noKeeper: LiveTools['keeper'] = {
  noteTask: () => undefined,
  noteFile: () => undefined,
  forgetContents: () => undefined,
}

/** The tasks of editing; see the head of this file. */
export class EditTasks {
  readonly #options: EditTasksOptions
  readonly #runs = new Set<Run>()
  /** Locks that are given back: who takes one again waits for that. */
  readonly #unlocking = new Map<number, Promise<unknown>>()
  /** Numbers of what is not listed. */
  #passing = 0

  constructor(options: EditTasksOptions) {
    this.#options = options
  }

  /** Takes or renews the lock; where there is no way that is said at once. */
  async lock(file: EditedFile): Promise<{ readonly version: number }> {
    const before = this.#unlocking.get(file.fileId)
    if (before !== undefined) {
      for (const run of this.#of(file.fileId)) if (run.operation === 'unlock' && !run.live.isBusy) this.#end(run)
      await before.catch(() => undefined)
    }
    return this.#do(file, 'lock', 0, {}, () => this.#options.tools.lock(file.fileId))
  }

  /** Gives the lock back, when there is a way. */
  async unlock(file: EditedFile): Promise<void> {
    const done = this.#do(file, 'unlock', 0, {}, () => this.#options.tools.unlock(file.fileId))
    this.#unlocking.set(file.fileId, done)
    try {
      await done
    } finally {
      if (this.#unlocking.get(file.fileId) === done) this.#unlocking.delete(file.fileId)
    }
  }

  /** Reads a version to edit it. */
  read(file: EditedFile, version: number, way: EditTransferOptions = {}): Promise<Uint8Array> {
    const place = memoryTarget()
    return this.#do(file, 'editDownload', 0, way, async (live, running) => {
      await this.#receive(live, running, version, place)
      return place.bytes()
    })
  }

  /** Hands in what was made; answers the version that it became. */
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

  /** The newest version where it is exactly this content: handed in before, with the answer lost on its way. */
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
      // Nobody waits for the records.
      void run.listed?.then(() => this.#options.ended(live))
      changed()
    }
  }

  /** Tries until it is answered, refused or called off. */
  async #toTheEnd<T>(run: Run, once: (live: LiveTask, running: Running) => Promise<T>): Promise<T> {
    const { live, operation } = run
    for (;;) {
      await this.#mayGo(run)
      live.queue.length = 0
      const running = live.send(0)
      run.tell('runs')
      this.#options.changed()
      try {
        // What was answered counts, whatever was decided meanwhile.
        return await once(live, running)
      } catch (error) {
        if (live.isGone) throw new TransferFailure('withdrawn')
        if (running.abort.signal.aborted) continue
        const code = codeOf(error)
        if (!isConnectionError(code)) throw error
        const most = operation === 'submit' ? mostLosses : mostEmptyAnswers
        if (live.lost(0) > most) throw operation === 'submit' ? error : new TransferFailure('serverException')
        this.#options.connection().lost()
        // Nobody waits for a lock that cannot be asked for.
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

  /** People see it from now on. */
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
        // Where nothing can be kept it keeps its passing number.
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

  /** What is listed and under way, by its numbers. */
  get ids(): readonly number[] {
    return this.listed.map(({ task }) => task.taskId)
  }

  /** What is listed and under way. */
  get listed(): readonly LiveTask[] {
    return [...this.#runs].filter(({ isListed }) => isListed).map(({ live }) => live)
  }

  /** Whether something is being handed in. */
  get isBusy(): boolean {
    return [...this.#runs].some(({ operation, live }) => operation === 'submit' && live.task.status === 'doing')
  }

  views(offline: boolean): readonly TaskView[] {
    return this.listed.map((live) => live.view(offline))
  }

  /** Lets one rest; answers whether it is one of these. */
  pause(taskId: number): boolean {
    const run = this.#find(taskId)
    run?.live.pause()
    if (run !== undefined) this.#wake(run)
    return run !== undefined
  }

  /** Goes on with one that rests; answers whether it is one of these. */
  restart(taskId: number): boolean {
    const run = this.#find(taskId)
    if (run === undefined) return false
    goesOn(run.live)
    this.#wake(run)
    return true
  }

  /** Calls one off; answers whether it is one of these. */
  interrupt(taskId: number): boolean {
    const run = this.#find(taskId)
    if (run !== undefined) this.#end(run)
    return run !== undefined
  }

  /** Somebody saves once more: what rests of the file goes on, and the way is looked for now. */
  goOn(fileId: number): void {
    for (const run of this.#of(fileId)) {
      goesOn(run.live)
      this.#wake(run)
    }
    this.#options.connection().look()
  }

  /** There may be a way again. */
  lineChanged(): void {
    for (const run of this.#runs) this.#wake(run)
  }

  /** The session is over. A lock that is on its way back goes on. */
  close(): void {
    for (const run of this.#runs) if (run.operation !== 'unlock') this.#end(run)
  }
}

function goesOn(live: LiveTask): void {
  if (live.task.status === 'pause') live.restart()
}

/** Whether a failure of it is told: who asks for a lock says themselves what becomes of it. */
function isOfContent(operation: EditOperation): boolean {
  return operation === 'editDownload' || operation === 'submit'
}

/** Why something failed: what this engine throws and what calls throw say it alike. */
function codeOf(error: unknown): TransferError {
  const { code } = error as { readonly code?: TransferError }
  return error instanceof Error && typeof code === 'string' ? code : 'unknown'
}
