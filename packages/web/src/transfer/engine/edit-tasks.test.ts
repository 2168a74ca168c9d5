// The server communication of editing runs in the transfer engine ([R198]).
import { expect, test, vi } from 'vitest'
import type { EditTools } from './edit-tasks.ts'
import { TransferEngine } from './engine.ts'
import type { Incoming } from './receive-file.ts'
import { type TransferError, TransferFailure } from './states.ts'
import { memoryStore } from './store.ts'
import type { UploadApi } from './upload-api.ts'

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const words = (content: Uint8Array): string => new TextDecoder().decode(content)
const file = { fileId: 5, fileName: '方案.md' }

/** A server with one file. The test delays its answers. */
function world() {
  const versions = ['一']
  const done: string[] = []
  /** The outcome of the next request: it is refused, lost, or its answer is lost. */
  const fate: (TransferError | 'answerLost')[] = []
  let held: Promise<void> | undefined
  let release = (): void => undefined
  let isDown = false
  let told = (): void => undefined
  /** Delayed callbacks, which the test runs. */
  const moments: (() => void)[] = []
  const again: number[] = []

  const through = async (what: string, signal?: AbortSignal): Promise<void> => {
    done.push(what)
    const next = fate.shift()
    if (next !== undefined && next !== 'answerLost') throw new TransferFailure(next, `the server: ${next}`)
    if (held !== undefined) {
      await Promise.race([
        held,
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new TransferFailure('withdrawn')), { once: true }),
        ),
      ])
    }
  }
  const edit: EditTools = {
    lock: async () => {
      await through('lock')
      return { version: versions.length }
    },
    unlock: () => through('unlock'),
    addressOf: (_, version) => String(version),
    async fetch(address, goOn, signal): Promise<Incoming> {
      const isCut = fate[0] === 'answerLost'
      await through(goOn === undefined ? `read ${address}` : `read ${address} from ${goOn.from}`, signal)
      const content = bytes(versions[Number(address) - 1] ?? '')
      const from = goOn?.from ?? 0
      return {
        ...{ from, total: content.length, etag: `"${address}"`, name: undefined },
        chunks: (async function* () {
          yield content.slice(from, isCut ? from + 1 : undefined)
          if (isCut) throw new TransferFailure('network')
        })(),
      }
    },
    async submit({ version }, content, { signal, onProgress }) {
      const isLost = fate[0] === 'answerLost'
      onProgress(1)
      await through(`submit ${version}`, signal)
      if (version !== versions.length) throw new TransferFailure('fileConflict')
      versions.push(await content.text())
      if (isLost) throw new TransferFailure('network')
      return { version: versions.length }
    },
    newest: async () => ({ version: versions.length, fileSize: bytes(versions.at(-1) ?? '').length }),
  }
  const engine = new TransferEngine({
    tools: {
      ...{ wire: {} as UploadApi, edit, fetch: () => Promise.reject(new Error('asked')) },
      hasher: { hash: async () => '', proof: async () => '' },
      ...{ saveBlob: () => undefined, startBrowserDownload: async () => undefined },
    },
    connection: (onChange) => {
      told = onChange
      return {
        isDown: () => isDown,
        lost: () => {
          isDown = true
        },
        ...{ up: async () => undefined, look: () => undefined, close: () => undefined },
      }
    },
    now: () => 0,
    later: (run, ms) => void (ms === 1500 ? moments.push(run) : setTimeout(run)),
    onEnd: () => undefined,
    retryEdit: (fileId) => again.push(fileId),
  })
  return {
    ...{ engine, edits: engine.edits, versions, done, fate, again },
    shown: () =>
      engine.snapshot().tasks.map(({ taskId, operation, status, kind }) => [taskId, operation, status, kind]),
    moment: () => {
      for (const run of moments.splice(0)) run()
    },
    hold: () => {
      held = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => {
      held = undefined
      release()
    },
    cut: () => {
      isDown = true
      told()
    },
    up: () => {
      isDown = false
      told()
    },
  }
}

const until = (holds: () => unknown): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBeTruthy(), { timeout: 120_000, interval: 5 })

// [R198] In the page all seven operations are tasks of the one transfer engine: editing is listed where it is slow or
// fails, pauses, resumes, waits for the network, and never submits twice.
test('[R198] lock, edit-download, submit and unlock are done by the engine; what is over in a moment is not listed', async () => {
  const { engine, edits, done, versions, shown } = world()
  await engine.open(memoryStore())
  expect(await edits.lock(file)).toEqual({ version: 1 })
  expect(words(await edits.read(file, 1))).toBe('一')
  expect(await edits.submit({ ...file, version: 1, content: bytes('一二') })).toEqual({ version: 2 })
  await edits.unlock(file)
  expect([done, versions]).toEqual([
    ['lock', 'read 1', 'submit 1', 'unlock'],
    ['一', '一二'],
  ])
  await new Promise((resolve) => setTimeout(resolve))
  expect([shown(), engine.own]).toEqual([[], []])
})

// [R193] An edit task in the page carries `isOnlineEdit`.
test('[R193] [R198] what takes longer is listed, rests and goes on, and is over when it is handed in', async () => {
  const { engine, edits, versions, shown, moment, hold, release } = world()
  hold()
  const ways: string[] = []
  const handing = edits.submit(
    { ...file, version: 1, content: bytes('一二') },
    { onConnection: (way) => ways.push(way) },
  )
  moment()
  await until(() => shown().length > 0)
  expect([shown(), engine.isBusy]).toEqual([[[1, 'submit', 'doing', 'running']], true])
  expect(engine.snapshot().tasks[0]).toMatchObject({
    isOnlineEdit: true,
    description: '方案.md',
    source: { fileIdArray: [5] },
  })
  engine.pause(1)
  await until(() => ways.at(-1) === 'rests')
  expect(versions).toHaveLength(1)
  release()
  edits.goOn(file.fileId)
  expect(await handing).toEqual({ version: 2 })
  await until(() => shown()[0]?.[2] === 'completed')
  expect([shown(), ways]).toEqual([[[1, 'submit', 'completed', 'running']], ['runs', 'rests', 'runs']])
})

test('[R198] it waits for the way to come back; only who asks for a lock is told at once', async () => {
  const { edits, done, versions, cut, up } = world()
  cut()
  const ways: string[] = []
  const handing = edits.submit(
    { ...file, version: 1, content: bytes('一二') },
    { onConnection: (way) => ways.push(way) },
  )
  await expect(edits.lock(file)).rejects.toMatchObject({ code: 'network' })
  const unlocking = edits.unlock(file)
  expect([ways, done]).toEqual([['away'], []])
  up()
  expect(await handing).toEqual({ version: 2 })
  await unlocking
  expect([versions, done]).toEqual([
    ['一', '一二'],
    ['submit 1', 'unlock'],
  ])
})

test('[R174] [R198] a submit whose answer was lost finds its own version, and is no conflict with itself', async () => {
  const { edits, fate, versions, up, done } = world()
  fate.push('answerLost')
  const handing = edits.submit({ ...file, version: 1, content: bytes('一二') })
  await until(() => versions.length === 2)
  up()
  expect(await handing).toEqual({ version: 2 })
  expect([versions, done]).toEqual([
    ['一', '一二'],
    ['submit 1', 'submit 1', 'read 2'],
  ])
  // The same length, but different content.
  versions.push('一三')
  await expect(edits.submit({ ...file, version: 2, content: bytes('一四') })).rejects.toMatchObject({
    code: 'fileConflict',
  })
})

test('[R195] [R198] what fails is listed as one of the kinds, until the file is edited again, by its editor', async () => {
  const { engine, edits, fate, versions, shown, again } = world()
  versions.push('别人的')
  await expect(edits.submit({ ...file, version: 1, content: bytes('我') })).rejects.toMatchObject({
    code: 'fileConflict',
  })
  await until(() => shown().length > 0)
  expect(shown()).toEqual([[1, 'submit', 'completed', 'editConflict']])
  await engine.restartFailed(1)
  expect(again).toEqual([file.fileId])
  await until(() => shown().length === 0)

  fate.push('noEditLock')
  const refused = edits.submit({ ...file, version: 2, content: bytes('我') })
  await expect(refused).rejects.toMatchObject({ code: 'noEditLock', said: 'the server: noEditLock' })
  await until(() => shown().length > 0)
  expect(shown()[0]?.slice(1)).toEqual(['submit', 'completed', 'fileInUse'])
  await edits.submit({ ...file, version: 2, content: bytes('我') })
  await until(() => shown().length === 0)
  // The caller of a lock reports the refusal itself, so it is not listed.
  fate.push('fileLocked')
  await expect(edits.lock(file)).rejects.toMatchObject({ code: 'fileLocked' })
  await new Promise((resolve) => setTimeout(resolve))
  expect(shown()).toEqual([])
})

test('[R198] what was read before the way was lost is not read again', async () => {
  const { edits, fate, versions, done, up } = world()
  versions[0] = 'abc'
  fate.push('answerLost')
  const reading = edits.read(file, 1)
  await until(() => done.length === 1)
  await new Promise((resolve) => setTimeout(resolve))
  up()
  expect(words(await reading)).toBe('abc')
  expect(done).toEqual(['read 1', 'read 1 from 1'])
})

test('[R198] called off, by its editor or in the list, nothing more is handed in and nothing of it is listed', async () => {
  const { engine, edits, versions, shown, moment, hold, release, done } = world()
  hold()
  const gone = new AbortController()
  const first = edits.submit({ ...file, version: 1, content: bytes('一') }, { signal: gone.signal })
  const second = edits.submit({ ...file, fileId: 6, version: 1, content: bytes('二') })
  moment()
  await until(() => shown().length === 2)
  gone.abort()
  engine.interrupt(2)
  await expect(first).rejects.toMatchObject({ code: 'withdrawn' })
  await expect(second).rejects.toMatchObject({ code: 'withdrawn' })
  release()
  await until(() => shown().length === 0)
  expect([versions, done]).toEqual([['一'], ['submit 1', 'submit 1']])
})

test('[R198] a lock that is on its way back is taken again after it, and one that never left is kept', async () => {
  const { edits, done, cut, up, hold, release } = world()
  hold()
  const going = edits.unlock(file)
  const taken = edits.lock(file)
  await new Promise((resolve) => setTimeout(resolve))
  expect(done).toEqual(['unlock'])
  release()
  await Promise.all([going, taken])
  cut()
  const waiting = edits.unlock(file)
  await expect(edits.lock(file)).rejects.toMatchObject({ code: 'network' })
  await expect(waiting).rejects.toMatchObject({ code: 'withdrawn' })
  up()
  await edits.lock(file)
  expect(done).toEqual(['unlock', 'lock', 'lock'])
})
