/*
 * Crash test: the tab, the server or the network fails at fifty moments while the user types. Text typed more than two
 * seconds before is in the draft, is offered again, and is saved exactly once.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError, type FailureCode } from '../../core/call/api.ts'
import { EditTasks, type EditTools } from '../../transfer/engine/edit-tasks.ts'
import { TransferFailure } from '../../transfer/engine/states.ts'
import { type EditSession, startEditSession } from './edit-session.ts'

const failure = (code: FailureCode): CallError =>
  new CallError('submitFile', { code, number: 0, message: code, quiet: false })
const file = { fileId: 5, fileName: '方案.md' }

/** A seeded random generator (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Types, saves now and then, and crashes at a random moment. */
async function moment(seed: number): Promise<void> {
  const random = randomOf(seed)
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from))
  const dies = (['tab', 'server', 'network'] as const)[seed % 3] ?? 'tab'
  /** The state that survives the page. */
  const versions = ['开始 ']
  let draft: { readonly text: string; readonly version: number } | undefined
  let isReached = true
  let offered = 0

  const open = () => {
    const page = { text: versions.at(-1) ?? '', isThere: true }
    // A browser executes writes in order while the page exists.
    let written = Promise.resolve()
    const inTurn = (write: () => void): Promise<void> =>
      (written = written.then(() => after(between(1, 200))).then(() => (page.isThere ? write() : undefined)))
    let isDown = false
    const tools: EditTools = {
      lock: async () => (isReached ? { version: versions.length } : Promise.reject(failure('network'))),
      unlock: async () => undefined,
      addressOf: (_, version) => String(version),
      async fetch(address) {
        if (!isReached) throw new TransferFailure('network')
        const content = new TextEncoder().encode(versions[Number(address) - 1])
        const chunks = (async function* () {
          yield content
        })()
        return { from: 0, total: content.length, etag: address, name: undefined, chunks }
      },
      async submit({ version }, content) {
        await after(between(20, 400))
        // Either the request or its response was lost.
        const isLost = !isReached && random() < 0.5
        if (!isReached && !isLost) throw new TransferFailure('network')
        if (version !== versions.length) throw new TransferFailure('fileConflict')
        versions.push(await content.text())
        await after(between(20, 200))
        if (isLost || !isReached) throw new TransferFailure('network')
        return { version: versions.length }
      },
      newest: async () => ({
        version: versions.length,
        fileSize: new TextEncoder().encode(versions.at(-1)).length,
      }),
    }
    const tasks = new EditTasks({
      tools,
      connection: () => ({
        isDown: () => isDown,
        lost() {
          if (isDown) return
          isDown = true
          const look = setInterval(() => {
            if (!isReached) return
            clearInterval(look)
            isDown = false
            tasks.lineChanged()
          }, 1000)
        },
        ...{ up: async () => undefined, look: () => undefined, close: () => undefined },
      }),
      now: () => Date.now(),
      later: (run, ms) => setTimeout(run, ms),
      ...{ changed: () => undefined, begins: () => undefined, ended: () => undefined },
      add: async (task) => ({ ...task, taskId: 1 }),
    })
    const editing: EditSession = startEditSession(versions.length, {
      content: { draft: () => page.text, bytes: () => new TextEncoder().encode(page.text) },
      submit: (version, content, madeOf, way) =>
        tasks.submit({ ...file, version, content, madeOf }, way).catch((error: unknown) => {
          throw error instanceof TransferFailure ? failure(error.code as FailureCode) : error
        }),
      resume: () => tasks.goOn(file.fileId),
      lock: () => tasks.lock(file),
      async keepDraft(text, version) {
        await inTurn(() => (draft = { text, version }))
        return true
      },
      dropDraft: () => inTurn(() => (draft = undefined)),
      recordAutosave: async () => undefined,
      record: () => undefined,
      askConflict: async () => ({ overwrite: versions.length }),
      askLockLost: async () => undefined,
      saveAs: () => undefined,
      now: () => Date.now(),
    })
    // As the editor frame does.
    if (draft !== undefined && draft.text !== page.text) {
      offered += 1
      page.text = draft.text
      editing.restore(draft.version)
      editing.changed()
    } else draft = undefined
    return { page, editing }
  }

  let { page, editing } = open()
  const typed: { readonly word: string; readonly at: number }[] = []
  const type = (): void => {
    const word = `词${typed.length} `
    page.text += word
    typed.push({ word, at: Date.now() })
    editing.changed()
  }
  const until = Date.now() + between(500, 30_000)
  while (Date.now() < until) {
    type()
    if (random() < 0.15) void editing.save()
    await vi.advanceTimersByTimeAsync(between(50, 2500))
  }
  if (dies !== 'tab') {
    isReached = false
    for (let n = between(1, 8); n > 0; n--) {
      type()
      if (random() < 0.3) void editing.save()
      await vi.advanceTimersByTimeAsync(between(50, 2500))
    }
  }
  // Either the page with its pending work is gone, or (half of the time) the page survives until the server or network
  // is back.
  const isGone = dies === 'tab' || random() < 0.5
  const goneAt = Date.now()
  if (isGone) {
    page.isThere = false
    editing.end()
    await vi.advanceTimersByTimeAsync(5000)
    isReached = true
    ;({ page, editing } = open())
  } else isReached = true
  const kept = typed.filter(({ at }) => !isGone || at <= goneAt - 2000)
  for (const { word } of kept) expect(page.text.split(word)).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1000)
  const saving = editing.save()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await saving).toBe(true)
  const newest = versions.at(-1) ?? ''
  for (const { word } of kept) expect(newest.split(word)).toHaveLength(2)
  for (const { word } of typed) expect(newest.split(word).length).toBeLessThanOrEqual(2)
  // After the server has the edit, the draft is not offered again.
  const before = offered
  editing.end()
  open().editing.end()
  expect([offered, draft]).toEqual([before, undefined])
}

// [R174] A tab, a server or a network that dies at any of fifty moments while somebody types: content typed two seconds
// earlier is offered, and never duplicated.
test.each(Array.from({ length: 50 }, (_, n) => n))(
  '[R174] [R198] moment %i: what was typed two seconds before is offered, and stands once in what is handed in',
  (seed) => moment(seed),
)
