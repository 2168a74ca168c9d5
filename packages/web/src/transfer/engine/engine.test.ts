import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from './connection.ts'
import type { EditTools } from './edit-tasks.ts'
import { type DownloadTools, type TaskEnd, TransferEngine } from './engine.ts'
import type { Hasher } from './hasher.ts'
import type { NewFile } from './live-task.ts'
import { type TransferError, TransferFailure } from './states.ts'
import { memoryStore, type TransferFile, type TransferStore } from './store.ts'
import { defaultUploadParams, type TransferTask } from './task.ts'
import type { UploadApi } from './upload-api.ts'

/** A connection that the test interrupts and restores. */
function handLine(): { line: (onChange: () => void) => Connection; lost: () => number; up: () => void } {
  let down = false
  let losses = 0
  let told = (): void => undefined
  return {
    line: (onChange) => {
      told = onChange
      return {
        isDown: () => down,
        lost: () => {
          losses += 1
          down = true
        },
        up: async () => undefined,
        look: () => undefined,
        close: () => undefined,
      }
    },
    lost: () => losses,
    up: () => {
      down = false
      told()
    },
  }
}

interface Pending {
  readonly done: (fileId: number) => void
  readonly fail: (code: TransferError) => void
  readonly progress: (sent: number) => void
}

/** A server whose small uploads are completed by the test, by name. */
function pendingServer() {
  const open = new Map<string, Pending>()
  const sent: { name: string; conflict: string }[] = []
  const wire: UploadApi = {
    raw: ({ fileName, conflict = 'refuse' }, _, { onProgress, signal }) =>
      new Promise((resolve, reject) => {
        sent.push({ name: fileName, conflict })
        const end = (): void => void open.delete(fileName)
        open.set(fileName, {
          done: (fileId) => {
            end()
            resolve({ fileId })
          },
          fail: (code) => {
            end()
            reject(new TransferFailure(code))
          },
          progress: onProgress,
        })
        signal.addEventListener('abort', () => {
          end()
          reject(new TransferFailure('withdrawn'))
        })
      }),
    open: (input) => {
      sent.push({ name: input.fileName, conflict: input.conflict ?? '' })
      return Promise.resolve({ uploadId: 'u', partSize: 8, done: true, fileId: 9 })
    },
    part: () => Promise.resolve(),
    status: () => Promise.resolve({ parts: [], expiresAt: 0, partSize: 8, fileSize: 0 }),
    complete: () => Promise.resolve({ fileId: 9 }),
    abort: () => Promise.resolve(),
    same: () => Promise.resolve(undefined),
  }
  return { open, sent, wire }
}

const hasher: Hasher = { hash: () => Promise.resolve('h'), proof: () => Promise.resolve('p') }

/** A store for two consecutive engines. */
function sharedStore(): TransferStore & { tasks: Map<number, TransferTask>; files: Map<string, TransferFile> } {
  const tasks = new Map<number, TransferTask>()
  const files = new Map<string, TransferFile>()
  const contents = new Map<string, File>()
  const key = (taskId: number, index: number): string => `${taskId}:${index}`
  return {
    ...memoryStore(),
    tasks,
    files,
    async add(task) {
      const made = { ...task, taskId: tasks.size + 1 }
      tasks.set(made.taskId, made)
      return made
    },
    list: async () => [...tasks.values()].reverse(),
    async put(changed, rows) {
      for (const task of changed) if (tasks.has(task.taskId)) tasks.set(task.taskId, task)
      for (const row of rows) files.set(key(row.taskId, row.index), row)
    },
    task: async (taskId) => ({
      files: [...files.values()].filter((row) => row.taskId === taskId),
      contents: new Set(
        [...contents.keys()].filter((one) => one.startsWith(`${taskId}:`)).map((one) => Number(one.split(':')[1])),
      ),
    }),
    async putContents(more) {
      for (const { taskId, index, file } of more) contents.set(key(taskId, index), file)
    },
    content: async (taskId, index) => contents.get(key(taskId, index)),
    async dropFiles(taskId, indexes) {
      for (const index of indexes) {
        files.delete(key(taskId, index))
        contents.delete(key(taskId, index))
      }
    },
    remove: async (taskId) => void tasks.delete(taskId),
  }
}

const noDownloads: DownloadTools = {
  fetch: () => Promise.reject(new TransferFailure('notFound')),
  saveBlob: () => undefined,
  startBrowserDownload: () => Promise.resolve(),
}

let ends: TaskEnd[] = []
beforeEach(() => {
  ends = []
})

function engineOver(
  server: ReturnType<typeof pendingServer>,
  line = handLine(),
  down: DownloadTools = noDownloads,
): TransferEngine {
  return new TransferEngine({
    tools: { wire: server.wire, hasher, ...down, edit: {} as EditTools },
    connection: line.line,
    now: () => performance.now(),
    later: (run) => setTimeout(run),
    onEnd: (end) => ends.push(end),
    retryEdit: () => undefined,
  })
}

const file = (name: string, more: Partial<NewFile> = {}): NewFile => ({
  file: new File(['0123456789'], name),
  path: name,
  name,
  folderId: 7,
  folderName: '华东大区',
  conflict: 'refuse',
  ...more,
})

function add(engine: TransferEngine, files: readonly NewFile[]): Promise<number> {
  return engine.add(
    {
      description: files[0]?.name ?? '',
      totalSize: files.reduce((sum, one) => sum + one.file.size, 0),
      type: 'upload',
      folderId: 7,
      cloudPath: '华东大区',
      totalFileCount: files.length,
      firstName: files[0]?.name ?? '',
      isFolder: false,
      params: defaultUploadParams,
    },
    files,
  )
}

const viewOf = (engine: TransferEngine, taskId: number) =>
  engine.snapshot().tasks.find((task) => task.taskId === taskId)
const until = (holds: () => unknown): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBeTruthy(), { timeout: 120_000, interval: 5 })

describe('the engine of transfers', () => {
  test('sends a few files at a time and each exactly once, in the order they were given', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const names = Array.from({ length: 12 }, (_, n) => `${n}`)
    await add(
      engine,
      names.map((name) => file(name)),
    )
    expect(server.open.size).toBe(5)
    while (server.sent.length < 12 || server.open.size > 0) {
      server.open.values().next().value?.done(1)
      await until(() => server.open.size > 0 || ends.length > 0)
    }
    expect(server.sent.map(({ name }) => name)).toEqual(names)
    expect(ends.map(({ task }) => [task.status, task.successFileCount, task.progress])).toEqual([
      ['completed', 12, 1000],
    ])
  })

  test('tasks take turns: a small drop does not wait for a large one', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    await add(
      engine,
      Array.from({ length: 20 }, (_, n) => file(`a${n}`)),
    )
    await add(engine, [file('b')])
    server.open.get('a0')?.done(1)
    server.open.get('a1')?.done(1)
    await until(() => server.open.has('b'))
  })

  test('a file that did not get through waits for the way and goes on; nothing is sent while there is none [R398]', async () => {
    const server = pendingServer()
    const line = handLine()
    const engine = engineOver(server, line)
    const taskId = await add(engine, [file('a'), file('b')])
    server.open.get('a')?.fail('network')
    await until(() => viewOf(engine, taskId)?.kind === 'connectionError')
    expect([line.lost(), server.sent.length]).toEqual([1, 2])
    line.up()
    await until(() => server.open.has('a'))
    server.open.get('a')?.done(1)
    server.open.get('b')?.done(2)
    await until(() => ends.length === 1)
  })

  test('a request that got through without its answer counts as arrived when the name holds these very bytes', async () => {
    const server = pendingServer()
    server.wire.same = async (folderId, name) => (folderId === 7 && name === 'a' ? 42 : undefined)
    const line = handLine()
    const engine = engineOver(server, line)
    await add(engine, [file('a')])
    server.open.get('a')?.fail('network')
    await until(() => line.lost() === 1)
    line.up()
    await until(() => server.open.has('a'))
    server.open.get('a')?.fail('alreadyExists')
    await until(() => ends.length === 1)
    expect(ends[0]?.fileIds).toEqual([42])
  })

  test('a name taken meanwhile waits for a decision that holds for the rest; a left out file counts no more [R196]', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const taskId = await add(
      engine,
      ['a', 'b', 'c', 'd'].map((name) => file(name)),
    )
    server.open.get('a')?.fail('alreadyExists')
    server.open.get('b')?.fail('alreadyExists')
    await until(() => viewOf(engine, taskId)?.clashes === 2)
    expect(viewOf(engine, taskId)).toMatchObject({ status: 'doing', sameNameFiles: ['a', 'b'], left: 4 })
    engine.decide(taskId, new Map([[0, 'skip']]), 'keepBoth')
    server.open.get('c')?.fail('alreadyExists')
    server.open.get('d')?.done(4)
    await until(() => ends.length === 1)
    expect(ends[0]?.task).toMatchObject({
      totalFileCount: 3,
      successFileCount: 3,
      sameFileWay: 'keepBoth',
      sameNameFiles: [],
    })
    expect(server.sent.slice(4)).toEqual([
      { name: 'b', conflict: 'keepBoth' },
      { name: 'c', conflict: 'keepBoth' },
    ])
  })

  test('at most 100 taken names are listed [R196]', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const taskId = await add(
      engine,
      Array.from({ length: 130 }, (_, n) => file(`${n}`)),
    )
    for (let n = 0; n < 130; n++) {
      await until(() => server.open.has(`${n}`))
      server.open.get(`${n}`)?.fail('alreadyExists')
    }
    await until(() => viewOf(engine, taskId)?.clashes === 130)
    expect(viewOf(engine, taskId)?.sameNameFiles).toHaveLength(100)
  })

  test('what failed is tried again, alone [R194]', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const taskId = await add(engine, [file('a'), file('b'), file('con', { error: 'illegalName' })])
    server.open.get('a')?.done(1)
    server.open.get('b')?.fail('userSizeExceeded')
    await until(() => ends.length === 1)
    expect(viewOf(engine, taskId)).toMatchObject({ status: 'completed', errorFileCount: 2, kind: 'illegalName' })
    await engine.restartFailed(taskId)
    await until(() => server.open.has('b') && viewOf(engine, taskId)?.status === 'doing')
    expect(viewOf(engine, taskId)).toMatchObject({ status: 'doing', errorFileCount: 0, successFileCount: 1 })
    server.open.get('b')?.done(2)
    server.open.get('con')?.done(3)
    await until(() => ends.length === 2)
    expect(server.sent.map(({ name }) => name)).toEqual(['a', 'b', 'b', 'con'])
  })

  test('what failed is not still to come: the rest goes to its end without it, and counts it again when it is tried', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const taskId = await add(engine, [file('a'), file('b'), file('c'), file('con', { error: 'illegalName' })])
    expect(viewOf(engine, taskId)).toBeUndefined()
    server.open.get('a')?.done(1)
    await until(() => viewOf(engine, taskId)?.progress === 500)
    server.open.get('b')?.fail('userSizeExceeded')
    await until(() => viewOf(engine, taskId)?.progress === 750)
    server.open.get('c')?.progress(5)
    await until(() => viewOf(engine, taskId)?.progress === 875)
    server.open.get('c')?.done(3)
    await until(() => ends.length === 1)
    await engine.restartFailed(taskId)
    // Its size is now that of the two files that are tried again, and its progress starts at 0 ([R194]).
    await until(() => viewOf(engine, taskId)?.totalSize === 20)
    expect(viewOf(engine, taskId)).toMatchObject({ sizeBefore: 20, progress: 0 })
    server.open.get('b')?.done(2)
    await until(() => viewOf(engine, taskId)?.progress === 500)
    server.open.get('con')?.done(4)
    await until(() => ends.length === 2)
    expect(viewOf(engine, taskId)?.progress ?? 1000).toBe(1000)
  })

  test('one file that failed is tried again alone, whether its task is over or under way [R192] [R194]', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const taskId = await add(
      engine,
      ['a', 'b', 'c'].map((name) => file(name)),
    )
    server.open.get('a')?.fail('userSizeExceeded')
    await until(() => viewOf(engine, taskId)?.errorFileCount === 1)
    await engine.restartFile(taskId, 0)
    expect([server.open.has('a'), server.sent.length]).toEqual([true, 4])
    server.open.get('a')?.fail('userSizeExceeded')
    server.open.get('b')?.fail('typeRestricted')
    server.open.get('c')?.done(3)
    await until(() => ends.length === 1)
    await Promise.all([engine.restartFile(taskId, 1), engine.restartFile(taskId, 1)])
    await until(() => viewOf(engine, taskId)?.status === 'doing')
    expect(viewOf(engine, taskId)).toMatchObject({
      errorFileCount: 1,
      errorFiles: [{ name: 'a', error: 'userSizeExceeded' }],
      successFileCount: 1,
      completedTime: 0,
    })
    server.open.get('b')?.done(2)
    await until(() => ends.length === 2)
    expect(ends[1]?.task).toMatchObject({ status: 'completed', successFileCount: 2, errorFileCount: 1, progress: 1000 })
    expect(server.sent.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'a', 'b'])
  })

  test('one file is left out, wherever it stands, and the rest arrives; of a task without files nothing is left [R192]', async () => {
    const server = pendingServer()
    const forgotten: string[] = []
    server.wire.abort = async (uploadId) => void forgotten.push(uploadId)
    server.wire.open = () => Promise.resolve({ uploadId: 'u1', partSize: 1024 * 1024 })
    server.wire.part = (_, __, ___, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new TransferFailure('withdrawn')))
      })
    const engine = engineOver(server)
    const large = file('large', { file: new File([new Uint8Array(1024 * 1024)], 'large') })
    const rest = ['failing', 'taken', 'done', 'queued'].map((name) => file(name))
    const taskId = await add(engine, [large, ...rest])
    server.open.get('failing')?.fail('userSizeExceeded')
    server.open.get('taken')?.fail('alreadyExists')
    await until(() => viewOf(engine, taskId)?.clashes === 1 && server.open.has('done'))
    await vi.waitFor(async () => expect((await engine.filesOf(taskId))[0]?.uploadId).toBe('u1'), 120_000)
    for (const index of [0, 1, 2, 4]) engine.leaveOut(taskId, index)
    await until(() => viewOf(engine, taskId)?.totalFileCount === 1)
    expect(viewOf(engine, taskId)).toMatchObject({
      errorFileCount: 0,
      errorFiles: [],
      sameNameFiles: [],
      clashes: 0,
      totalSize: 10,
      left: 1,
    })
    expect(forgotten).toEqual(['u1'])
    expect([...server.open.keys()]).toEqual(['done'])
    server.open.get('done')?.done(3)
    await until(() => ends.length === 1)
    expect(ends[0]?.task).toMatchObject({ status: 'completed', totalFileCount: 1, successFileCount: 1 })

    const other = await add(engine, [file('x'), file('y')])
    engine.pause(other)
    engine.leaveOut(other, 0)
    engine.leaveOut(other, 1)
    await until(() => viewOf(engine, other) === undefined)
  })

  test('a resting task whose last unsent file is left out is over [R194]', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const taskId = await add(engine, [file('a'), file('b')])
    server.open.get('a')?.done(1)
    await until(() => viewOf(engine, taskId)?.successFileCount === 1)
    engine.pause(taskId)
    engine.leaveOut(taskId, 1)
    expect(ends.map(({ task }) => [task.status, task.totalFileCount])).toEqual([['completed', 1]])
  })

  test('a task that rests sends nothing; an ended one is gone and what comes later is dropped [R194]', async () => {
    const server = pendingServer()
    const engine = engineOver(server)
    const taskId = await add(engine, [file('a'), file('b')])
    engine.pause(taskId)
    expect(server.open.size).toBe(0)
    await until(() => viewOf(engine, taskId)?.status === 'pause')
    engine.restart(taskId)
    await until(() => server.open.size === 2)
    const late = server.open.get('a')
    engine.interrupt(taskId)
    late?.done(1)
    await until(() => viewOf(engine, taskId) === undefined)
    expect(ends).toEqual([])
  })

  test('a page that is opened again goes on with what was kept and asks for the rest [R192]', async () => {
    const store = sharedStore()
    const first = pendingServer()
    const before = engineOver(first)
    await before.open(store)
    const taskId = await add(before, [file('a'), file('b'), file('c', { error: 'illegalName' })])
    first.open.get('a')?.done(1)
    await until(() => store.files.get(`${taskId}:0`)?.state === 'done' && store.files.size === 3)
    before.close()

    const second = pendingServer()
    const after = engineOver(second)
    await after.open(store)
    await after.adopt(await after.unfinished())
    await until(() => second.open.has('b') && viewOf(after, taskId)?.kind === 'running')
    expect(viewOf(after, taskId)).toMatchObject({ successFileCount: 1, errorFileCount: 1, totalFileCount: 3 })
    second.open.get('b')?.done(2)
    await until(() => ends.length === 1)
    expect(second.sent.map(({ name }) => name)).toEqual(['b'])
    await until(() => store.tasks.get(taskId)?.status === 'completed')
  })

  test('files that are brought again to a task that rests wait until it goes on [R192] [R194]', async () => {
    const store = { ...sharedStore(), putContents: () => Promise.reject(new DOMException('full')) }
    const before = engineOver(pendingServer())
    await before.open(store)
    const taskId = await add(before, [file('a')])
    await until(() => store.files.has(`${taskId}:0`))
    before.pause(taskId)
    before.close()

    const server = pendingServer()
    const after = engineOver(server)
    await after.open(store)
    await after.adopt(await after.unfinished())
    expect(after.missingOf(taskId).map(({ name }) => name)).toEqual(['a'])
    after.provide(taskId, new Map([[0, new File(['0123456789'], 'a')]]))
    await until(() => viewOf(after, taskId)?.missing === 0)
    expect(server.sent).toEqual([])
    after.restart(taskId)
    await until(() => server.open.has('a'))
  })

  test('a session that is given up stops everything and leaves it under way for the next page [R035]', async () => {
    const store = sharedStore()
    const server = pendingServer()
    const engine = engineOver(server)
    await engine.open(store)
    const taskId = await add(
      engine,
      Array.from({ length: 20 }, (_, n) => file(`${n}`)),
    )
    server.open.get('0')?.fail('notLoggedIn')
    server.open.get('1')?.done(1)
    await until(() => server.open.size === 3)
    engine.close()
    expect(server.sent).toHaveLength(5)
    expect(store.tasks.get(taskId)?.status).toBe('doing')
  })

  test('10,000 files are told to the screens a few times and not 10,000 times', async () => {
    const server = pendingServer()
    server.wire.raw = () => Promise.resolve({ fileId: 1 })
    const later: (() => void)[] = []
    let heard = 0
    const engine = new TransferEngine({
      tools: { wire: server.wire, hasher, ...noDownloads, edit: {} as EditTools },
      connection: handLine().line,
      now: () => 0,
      later: (run) => later.push(run),
      onEnd: (end) => ends.push(end),
      retryEdit: () => undefined,
    })
    engine.subscribe(() => heard++)
    await add(
      engine,
      Array.from({ length: 10_000 }, (_, n) => file(`${n}`)),
    )
    await until(() => ends.length === 1)
    for (const run of later.splice(0)) run()
    expect(heard).toBe(1)
    expect(ends[0]?.fileIds).toHaveLength(10_000)
  })
})
