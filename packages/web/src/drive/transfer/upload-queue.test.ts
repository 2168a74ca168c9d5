import { describe, expect, test } from 'vitest'
import { type NewUpload, type Send, UploadFailure, UploadQueue, type UploadTask } from './upload-queue.ts'

const upload = (name: string, fields: Partial<NewUpload> = {}): NewUpload => ({
  file: new File(['0123456789'], name),
  name,
  folderId: 1,
  folderName: '华东大区',
  conflict: 'refuse',
  ...fields,
})

/** A server whose answers the test gives, one by one. */
function pendingServer() {
  const open = new Map<
    string,
    { done: (fileId: number) => void; fail: (error: unknown) => void; progress: (sent: number) => void }
  >()
  const send: Send = (task, progress, signal) =>
    new Promise((resolve, reject) => {
      open.set(task.name, { done: (fileId) => resolve({ fileId }), fail: reject, progress })
      signal.addEventListener('abort', () => {
        open.delete(task.name)
        reject(new DOMException('aborted', 'AbortError'))
      })
    })
  return { open, send }
}

function queueOver(send: Send, onBatchDone: (tasks: readonly UploadTask[]) => void = () => undefined): UploadQueue {
  return new UploadQueue({ send, atOnce: 3, later: (run) => run(), now: () => 0, onBatchDone })
}

const settled = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve())))

describe('the queue of uploads', () => {
  test('three files go at once, and the next begins when one is done [R198]', async () => {
    const server = pendingServer()
    const queue = queueOver(server.send)
    queue.add(['a', 'b', 'c', 'd'].map((name) => upload(name)))
    expect([...server.open.keys()]).toEqual(['a', 'b', 'c'])
    server.open.get('b')?.done(7)
    await settled()
    expect([...server.open.keys()]).toContain('d')
    expect(queue.snapshot()).toMatchObject({ done: 1, sending: 3, waiting: 0, bytes: 40 })
    expect(queue.snapshot().tasks[1]).toMatchObject({ state: 'done', fileId: 7, sent: 10 })
  })

  test('a failed file keeps its reason, lets the others go on, and can be sent again', async () => {
    const server = pendingServer()
    const queue = queueOver(server.send)
    queue.add([upload('a'), upload('b')])
    server.open.get('a')?.fail(new UploadFailure('userSizeExceeded'))
    server.open.get('b')?.fail(new TypeError('connection lost'))
    await settled()
    expect(queue.snapshot().tasks.map((task) => task.error)).toEqual(['userSizeExceeded', 'network'])
    queue.retryFailed()
    expect(queue.snapshot()).toMatchObject({ failed: 0, sending: 2 })
    server.open.get('a')?.done(1)
    server.open.get('b')?.done(2)
    await settled()
    expect(queue.snapshot().done).toBe(2)
  })

  test('a file taken back while it is sent stops at once and makes room', async () => {
    const server = pendingServer()
    const queue = queueOver(server.send)
    queue.add(['a', 'b', 'c', 'd', 'e'].map((name) => upload(name)))
    queue.cancel(1)
    queue.cancel(5)
    await settled()
    expect(server.open.has('a')).toBe(false)
    expect(queue.snapshot().tasks.map((task) => task.state)).toEqual([
      'cancelled',
      'sending',
      'sending',
      'sending',
      'cancelled',
    ])
  })

  test('a name refused before sending fails without a call', () => {
    const server = pendingServer()
    const queue = queueOver(server.send)
    queue.add([upload('con', { error: 'illegalName' })])
    expect(server.open.size).toBe(0)
    expect(queue.snapshot()).toMatchObject({ failed: 1 })
  })

  test('a batch is announced once, when its last file has come to rest', async () => {
    const server = pendingServer()
    const batches: string[][] = []
    const queue = queueOver(server.send, (tasks) => batches.push(tasks.map((task) => task.state)))
    queue.add([upload('a'), upload('b'), upload('c')])
    queue.add([upload('x')])
    server.open.get('a')?.done(1)
    server.open.get('b')?.fail(new UploadFailure('alreadyExists'))
    await settled()
    expect(batches).toEqual([])
    queue.cancel(3)
    await settled()
    expect(batches).toEqual([['done', 'failed', 'cancelled']])
  })

  test('progress never goes back, and 2,000 files tell the page once', async () => {
    let frames: (() => void)[] = []
    const server = pendingServer()
    const queue = new UploadQueue({ send: server.send, atOnce: 3, later: (run) => frames.push(run), now: () => 0 })
    let heard = 0
    queue.subscribe(() => heard++)
    queue.add(Array.from({ length: 2000 }, (_, n) => upload(String(n))))
    server.open.get('0')?.progress(6)
    server.open.get('0')?.progress(4)
    for (const run of frames) run()
    frames = []
    expect(heard).toBe(1)
    expect(queue.snapshot().bytesSent).toBe(6)
  })
})
