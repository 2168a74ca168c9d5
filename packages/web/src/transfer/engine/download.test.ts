import 'fake-indexeddb/auto'
import { codes } from '@cloudoc/domain'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { addCallShapes } from '../../core/call/api.ts'
import { shapes } from '../../core/call/catalogue-rest.ts'
import type { Connection } from './connection.ts'
import type { EditTools } from './edit-tasks.ts'
import { type DownloadTools, TransferEngine } from './engine.ts'
import { fetchDownload } from './fetch-download.ts'
import { type TransferError, TransferFailure } from './states.ts'
import { memoryStore, openTransferStore, type TransferStore } from './store.ts'
import { type DownloadSource, defaultUploadParams, type NewTask } from './task.ts'
import type { UploadApi } from './upload-api.ts'

addCallShapes(shapes)
afterEach(() => vi.unstubAllGlobals())

const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, 120_000)

const source: DownloadSource = { address: '/DownloadServlet?fileId=7', fileIdArray: [7], folderIdArray: [] }
const newTask: NewTask = {
  description: '方案.bin',
  totalSize: 10,
  type: 'download',
  folderId: 0,
  cloudPath: '',
  totalFileCount: 1,
  firstName: '方案.bin',
  isFolder: false,
  params: defaultUploadParams,
  source,
}

/** A server with one content. The test controls its answers. */
class Server {
  content = '0123456789'
  etag: string | undefined = '"a"'
  readonly asked: (string | undefined)[] = []
  /** The number of open answers and its maximum. */
  #open = 0
  mostOpen = 0
  #feed: ReadableStreamDefaultController<Uint8Array> | undefined
  #at = 0
  refuse: { status: number; result: number } | undefined

  readonly fetch = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const range = headers.get('range') ?? undefined
    this.asked.push(range)
    if (this.refuse !== undefined) {
      return Response.json({ result: this.refuse.result, msg: '' }, { status: this.refuse.status })
    }
    const isPart = range !== undefined && headers.get('if-range') === this.etag
    this.#at = isPart ? Number(/\d+/.exec(range)?.[0]) : 0
    if (isPart && this.#at >= this.content.length) {
      return new Response(null, { status: 416, headers: { 'content-range': `bytes */${this.content.length}` } })
    }
    this.#open += 1
    this.mostOpen = Math.max(this.mostOpen, this.#open)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#feed = controller
        init.signal?.addEventListener('abort', () => controller.error(new Error('aborted')))
      },
    })
    const more: Record<string, string> = {
      'content-disposition': `attachment; filename="x"; filename*=UTF-8''${encodeURIComponent('方案.bin')}`,
      ...(this.etag !== undefined && { etag: this.etag, 'accept-ranges': 'bytes' }),
    }
    if (isPart) more['content-range'] = `bytes ${this.#at}-${this.content.length - 1}/${this.content.length}`
    else if (this.etag !== undefined) more['content-length'] = String(this.content.length)
    return new Response(body, { status: isPart ? 206 : 200, headers: more })
  }

  /** Sends the content up to this position. */
  feed(to: number): void {
    this.#feed?.enqueue(new TextEncoder().encode(this.content.slice(this.#at, to)))
    this.#at = to
  }

  end(): void {
    this.#open -= 1
    this.#feed?.close()
  }

  cut(): void {
    this.#feed?.error(new Error('cut'))
  }
}

/** A page with its engine, connected to a server. */
function page(server: Server, more: Partial<DownloadTools> = {}) {
  vi.stubGlobal('fetch', server.fetch)
  const out: { name: string; text: string }[] = []
  const handed: DownloadSource[] = []
  let down = false
  let told = (): void => undefined
  const line = (onChange: () => void): Connection => {
    told = onChange
    return {
      isDown: () => down,
      lost: () => {
        down = true
      },
      up: async () => undefined,
      look: () => undefined,
      close: () => undefined,
    }
  }
  const ends: string[] = []
  const engine = new TransferEngine({
    tools: {
      wire: {} as UploadApi,
      hasher: { hash: () => Promise.resolve(''), proof: () => Promise.resolve('') },
      fetch: fetchDownload,
      saveBlob: (content, name) => void content.text().then((text) => out.push({ name, text })),
      startBrowserDownload: async (one) => void handed.push(one),
      ...more,
      edit: {} as EditTools,
    },
    connection: line,
    now: () => performance.now(),
    later: (run, ms) => setTimeout(run, ms > 1000 ? ms : 0),
    onEnd: ({ task }) => ends.push(task.status),
    retryEdit: () => undefined,
  })
  const view = () => engine.snapshot().tasks[0]
  return {
    engine,
    out,
    handed,
    ends,
    view,
    isDown: () => down,
    up: () => {
      down = false
      told()
    },
    /** Waits until this number of bytes is shown. */
    got: (bytes: number) => until(() => expect(view()?.through).toBe(bytes)),
    asked: (times: number) => until(() => expect(server.asked).toHaveLength(times)),
  }
}

let accounts = 700
const freshStore = (): Promise<TransferStore> => openTransferStore(++accounts)

/** A file on the user's disk. Written data becomes visible when the writer is closed. */
function diskFile(name: string) {
  const disk = { bytes: '', allowed: true, asked: 0, refuses: undefined as string | undefined }
  const handle = {
    kind: 'file',
    name,
    queryPermission: async () => (disk.allowed ? 'granted' : 'prompt'),
    async requestPermission() {
      disk.asked += 1
      return disk.allowed ? 'granted' : 'prompt'
    },
    getFile: async () => new File([disk.bytes], name),
    async createWritable({ keepExistingData = false } = {}) {
      let open = keepExistingData ? disk.bytes : ''
      let at = 0
      return {
        async truncate(size: number) {
          open = open.slice(0, size)
        },
        async seek(to: number) {
          at = to
        },
        async write(chunk: Uint8Array) {
          if (disk.refuses !== undefined) throw new DOMException('no', disk.refuses)
          const text = new TextDecoder().decode(chunk)
          open = open.slice(0, at) + text + open.slice(at + text.length)
          at += text.length
        },
        async close() {
          disk.bytes = open
        },
        async abort() {
          open = ''
        },
      }
    },
  }
  return { disk, handle: handle as unknown as FileSystemFileHandle }
}

describe('a download', () => {
  // [R192] In part (a browser without file targets downloads more than 1 GB by itself, as it does what S3 serves, and tells
  // pages nothing of its progress; the record says so): into the chosen file, or staged and handed out whole.
  test('[R192] is completed when its last byte has been written, and not before', async () => {
    const server = new Server()
    const { engine, view, got, out, ends } = page(server)
    await engine.open(await freshStore())
    await engine.addDownload(newTask, '方案.bin')
    await got(0)
    server.feed(4)
    await got(4)
    expect(view()).toMatchObject({ status: 'doing', kind: 'running', progress: 400, totalSize: 10 })
    server.feed(10)
    await got(10)
    expect([view()?.status, out, ends]).toEqual(['doing', [], []])
    server.end()
    await until(() => expect(out).toEqual([{ name: '方案.bin', text: '0123456789' }]))
    await until(() => expect(view()).toMatchObject({ status: 'completed', progress: 1000, successFileCount: 1 }))
    expect(ends).toEqual(['completed'])
  })

  test('[R192] rests and goes on where it stopped, of the same content alone', async () => {
    const server = new Server()
    const { engine, view, got, asked, out } = page(server)
    await engine.open(await freshStore())
    const taskId = await engine.addDownload(newTask, '方案.bin')
    await got(0)
    server.feed(4)
    await got(4)
    engine.pause(taskId)
    await until(() => expect(view()).toMatchObject({ status: 'pause', through: 4, progress: 400 }))
    engine.restart(taskId)
    await asked(2)
    server.feed(6)
    await got(6)
    engine.pause(taskId)
    // Another user submits a new version in the meantime.
    server.content = 'abcdefghij'
    server.etag = '"b"'
    engine.restart(taskId)
    await asked(3)
    server.feed(10)
    server.end()
    await until(() => expect(out).toEqual([{ name: '方案.bin', text: 'abcdefghij' }]))
    expect(server.asked).toEqual([undefined, 'bytes=4-', 'bytes=6-'])
  })

  test('[R192] goes on in the next page with what the one before has kept', async () => {
    const store = await freshStore()
    const server = new Server()
    const first = page(server)
    await first.engine.open(store)
    const taskId = await first.engine.addDownload(newTask, '方案.bin')
    await first.got(0)
    server.feed(7)
    await first.got(7)
    first.engine.pause(taskId)
    await until(async () => expect((await store.task(taskId)).contents.size).toBe(1))
    first.engine.close()

    const next = page(server)
    await next.engine.open(store)
    await next.engine.adopt(await next.engine.unfinished())
    await until(() => expect(next.view()).toMatchObject({ status: 'pause', through: 7 }))
    next.engine.restart(taskId)
    await next.asked(2)
    server.feed(10)
    server.end()
    await until(() => expect(next.out).toEqual([{ name: '方案.bin', text: '0123456789' }]))
    expect(server.asked).toEqual([undefined, 'bytes=7-'])
  })

  test('[R192] waits for the way when it breaks off, also when less came than was promised', async () => {
    const server = new Server()
    const { engine, got, asked, out, isDown, up, view } = page(server)
    await engine.open(memoryStore())
    await engine.addDownload(newTask, '方案.bin')
    await got(0)
    server.feed(3)
    await got(3)
    server.cut()
    await until(() => expect(isDown()).toBe(true))
    await until(() => expect(view()?.kind).toBe('connectionError'))
    up()
    await asked(2)
    server.feed(5)
    server.end()
    await until(() => expect(isDown()).toBe(true))
    up()
    await asked(3)
    server.feed(10)
    server.end()
    await until(() => expect(out).toEqual([{ name: '方案.bin', text: '0123456789' }]))
    expect(server.asked).toEqual([undefined, 'bytes=3-', 'bytes=5-'])
  })

  test('[R195] that breaks off again and again before its first byte is the fault of the server', async () => {
    const server = new Server()
    const { engine, asked, isDown, up, view } = page(server)
    await engine.open(memoryStore())
    await engine.addDownload(newTask, '方案.bin')
    for (let n = 1; n <= 5; n++) {
      await asked(n)
      server.cut()
      if (n < 5) await until(() => expect(isDown()).toBe(true))
      up()
    }
    await until(() => expect(view()).toMatchObject({ status: 'completed', errorFileCount: 1, kind: 'serverError' }))
  })

  // [R195] A failed download says why, by the server's code or by the disk's error.
  test.each<[status: number, result: number, error: TransferError, kind: string]>([
    [403, codes.noPermission.code, 'noPermission', 'noAccess'],
    [404, codes.notFound.code, 'notFound', 'noAccess'],
    [500, codes.serverException.code, 'serverException', 'serverError'],
  ])('[R195] refused with %i and %i says %s, and is tried again', async (status, result, error, kind) => {
    const server = new Server()
    server.refuse = { status, result }
    const { engine, view, asked, out } = page(server)
    await engine.open(await freshStore())
    const taskId = await engine.addDownload(newTask, '方案.bin')
    await until(() => expect(view()).toMatchObject({ status: 'completed', kind, successFileCount: 0 }))
    expect(view()?.errorFiles).toEqual([{ name: '方案.bin', error }])
    server.refuse = undefined
    await engine.restartFailed(taskId)
    await asked(2)
    server.feed(10)
    server.end()
    await until(() => expect(out).toHaveLength(1))
    await until(() => expect(view()).toMatchObject({ successFileCount: 1, errorFileCount: 0, errorFiles: [] }))
  })

  test('[R192] of which nobody knows the length shows its bytes, and begins anew', async () => {
    const server = new Server()
    server.etag = undefined
    const { engine, view, got, asked, out } = page(server)
    await engine.open(await freshStore())
    const taskId = await engine.addDownload({ ...newTask, totalSize: 0 }, '方案.zip')
    await got(0)
    server.feed(4)
    await got(4)
    expect(view()).toMatchObject({ totalSize: 0, progress: 0, through: 4, eta: undefined })
    engine.pause(taskId)
    await until(() => expect(view()?.status).toBe('pause'))
    engine.restart(taskId)
    await asked(2)
    server.feed(10)
    server.end()
    await until(() => expect(out).toEqual([{ name: '方案.bin', text: '0123456789' }]))
    expect(server.asked).toEqual([undefined, undefined])
    await until(() => expect(view()).toMatchObject({ totalSize: 10, status: 'completed' }))
  })

  test('[R192] whose every byte is there already is complete', async () => {
    const store = await freshStore()
    const server = new Server()
    const { engine, got, asked, out } = page(server)
    await engine.open(store)
    const taskId = await engine.addDownload(newTask, '方案.bin')
    await got(0)
    server.feed(10)
    await got(10)
    engine.pause(taskId)
    engine.restart(taskId)
    await asked(2)
    await until(() => expect(out).toEqual([{ name: '方案.bin', text: '0123456789' }]))
  })

  test('[R192] that is cancelled leaves nothing, and what was handed out goes with the next page', async () => {
    const store = await freshStore()
    const server = new Server()
    const { engine, got, asked, out, view } = page(server)
    await engine.open(store)
    const taskId = await engine.addDownload(newTask, '方案.bin')
    await got(0)
    server.feed(7)
    await got(7)
    engine.pause(taskId)
    await until(async () => expect((await store.task(taskId)).contents.size).toBe(1))
    engine.interrupt(taskId)
    await until(() => expect(view()).toBeUndefined())
    await until(async () => expect((await store.task(taskId)).contents.size).toBe(0))

    const second = await engine.addDownload(newTask, '方案.bin')
    await asked(2)
    server.feed(5)
    await got(5)
    engine.pause(second)
    await until(async () => expect((await store.task(second)).contents.size).toBe(1))
    engine.restart(second)
    await asked(3)
    server.feed(10)
    server.end()
    await until(() => expect(out).toHaveLength(1))
    await until(async () => expect((await store.list())[0]?.status).toBe('completed'))
    const next = page(server)
    await next.engine.open(store)
    expect((await store.task(second)).contents.size).toBe(0)
  })
})

describe('a download into a file that was chosen', () => {
  const chosen = { ...newTask, localPath: '方案.bin' }

  test('[R192] writes there, keeps what it has where it rests, and asks again where it must', async () => {
    const store = { ...memoryStore(), handles: async () => [handle] }
    const { disk, handle } = diskFile('方案.bin')
    const server = new Server()
    const { engine, got, view, asked, out } = page(server)
    await engine.open(store)
    const taskId = await engine.addDownload(chosen, '方案.bin', handle)
    await got(0)
    server.feed(6)
    await got(6)
    engine.pause(taskId)
    await until(() => expect(disk.bytes).toBe('012345'))
    disk.allowed = false
    engine.restart(taskId)
    // The server is not contacted if the file cannot be written.
    await until(() => expect(disk.asked).toBe(1))
    await until(() => expect(view()?.kind).toBe('paused'))
    expect(server.asked).toHaveLength(1)
    disk.allowed = true
    engine.restart(taskId)
    await asked(2)
    server.feed(10)
    server.end()
    await until(() => expect(view()?.status).toBe('completed'))
    expect([disk.bytes, out, server.asked]).toEqual(['0123456789', [], [undefined, 'bytes=6-']])
  })

  test.each<[name: string, error: TransferError]>([
    ['QuotaExceededError', 'diskFull'],
    ['NoModificationAllowedError', 'fileChanged'],
    ['InvalidStateError', 'unwritable'],
  ])('[R195] that meets a %s says %s', async (name, error) => {
    const { disk, handle } = diskFile('方案.bin')
    disk.refuses = name
    const server = new Server()
    const { engine, got, view } = page(server)
    await engine.open(memoryStore())
    await engine.addDownload(chosen, '方案.bin', handle)
    await got(0)
    server.feed(6)
    await until(() => expect(view()?.errorFiles).toEqual([{ name: '方案.bin', error }]))
    expect(disk.bytes).toBe('')
  })
})

test('[R192] what lies elsewhere, where a page may not follow, the browser fetches, and the record says so', async () => {
  const server = new Server()
  const { engine, handed, view, out } = page(server, { fetch: () => Promise.reject(new TransferFailure('elsewhere')) })
  await engine.open(memoryStore())
  await engine.addDownload(newTask, '方案.bin')
  await until(() => expect(view()).toMatchObject({ status: 'completed', handedOver: true }))
  expect([handed, out]).toEqual([[source], []])
})

test('[R192] several downloads at once are as many as were chosen', async () => {
  const server = new Server()
  const { engine, asked } = page(server)
  await engine.open(memoryStore())
  engine.atOnce = 2
  for (let n = 0; n < 4; n++) await engine.addDownload(newTask, `${n}.bin`)
  for (const n of [2, 3]) {
    await asked(n)
    server.feed(10)
    server.end()
  }
  await asked(4)
  expect(server.mostOpen).toBe(2)
})
