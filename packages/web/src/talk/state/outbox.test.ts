// @vitest-environment happy-dom
// The outgoing queue: uploads that fail, those that go on where they were, and what a page that was loaded again sends.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused, unreachable } from '../../../test/fake-api.ts'
import type { uploadToChat } from './upload.ts'

const upload = vi.hoisted(() => vi.fn<typeof uploadToChat>())
vi.mock('./upload.ts', () => ({ uploadToChat: upload }))
/** The files that the browser has stored; it may refuse. */
const browser = vi.hoisted(() => ({ files: new Map<string, File>(), refuses: false }))
vi.mock('./outgoing-files.ts', () => ({
  storeFile: async (_: number, uuid: string, content: File) => {
    if (!browser.refuses) browser.files.set(uuid, content)
  },
  storedFile: async (_: number, uuid: string) => browser.files.get(uuid),
  removeFile: async (_: number, uuid: string) => void browser.files.delete(uuid),
  removeOtherFiles: async (_: number, uuids: ReadonlySet<string>) => {
    for (const uuid of browser.files.keys()) if (!uuids.has(uuid)) browser.files.delete(uuid)
  },
}))

const file = (bytes = 'bytes'): File => new File([bytes], '图纸.bin')
const text = (value: string) => ({ type: 'text', value }) as const

/** A page as it is loaded: it knows what the browser has stored, and nothing else. */
async function load() {
  vi.resetModules()
  const outbox = await import('./outbox.ts')
  const { connectionStore } = await import('../../core/push/connection.ts')
  const { toastStore } = await import('../../core/toast/toast.ts')
  const { TransferFailure } = await import('../../transfer/engine/states.ts')
  const { withTexts } = await import('../page-texts.ts')
  await withTexts(() => Promise.resolve())
  connectionStore.setState({ channel: 'online', reached: true })
  const list = () => outbox.outboxStore.getState().list
  return { ...outbox, list, first: () => list()[0], toasts: () => toastStore.getState().toasts, TransferFailure }
}

beforeEach(() => {
  localStorage.clear()
  browser.files.clear()
  browser.refuses = false
  upload.mockReset()
})
afterEach(() => vi.unstubAllGlobals())

it('[R303] an upload that fails shows IM出错了, and goes on where it was when it is sent again', async () => {
  const page = await load()
  fakeApi({ imUploadAbort: {} })
  upload.mockImplementationOnce(async (_upload, _begun, { record }) => {
    record({ uploadId: 'begun', sha256: 'hash' })
    throw new page.TransferFailure('http')
  })
  page.sendMessage(7, { type: 'file', value: '' }, { content: file() })
  await vi.waitFor(() => expect(page.first()).toMatchObject({ send: 'ERR', begun: { uploadId: 'begun' } }))
  expect(page.toasts().map(({ text: said }) => said)).toContain('IM出错了')
  upload.mockImplementationOnce(() => new Promise(() => undefined))
  page.resend(page.first()?.uuid ?? '')
  await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
  expect(upload.mock.calls[1]?.[1]).toEqual({ uploadId: 'begun', sha256: 'hash' })
  page.discard(page.first()?.uuid ?? '')
  expect(page.list()).toEqual([])
  expect(upload.mock.calls[1]?.[2].signal.aborted).toBe(true)
})

/** A server that notes in which order messages are stored. */
function sending() {
  const stored: string[] = []
  fakeApi({
    imSend: (input: Record<string, unknown>) => {
      const { value, fileId } = input as { value: string; fileId?: number }
      stored.push(value || `file ${fileId}`)
      const number = stored.length
      return { ...input, id: number, number, changed: number, quote: 0 } as never
    },
  })
  return stored
}

/** Writes a text, a file and two texts; the page ends while the file is uploaded. */
async function leaveUnsent(): Promise<readonly string[]> {
  const page = await load()
  const stored = sending()
  upload.mockImplementation(() => new Promise(() => undefined))
  page.sendMessage(7, text('一'))
  page.sendMessage(7, { type: 'img', value: '' }, { content: file(), width: 3, height: 2 })
  page.sendMessage(7, text('二'))
  page.sendMessage(7, text('三'))
  await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(1))
  expect(stored).toEqual(['一'])
  return page.list().map(({ uuid }) => uuid)
}

// [R295] What was queued is sent in its order after the page was loaded again, files included.
it('[R295] after the page was loaded again, a file is uploaded and the texts behind it follow, each once', async () => {
  const uuids = await leaveUnsent()
  const page = await load()
  const stored = sending()
  upload.mockImplementation(async () => 41)
  const stop = page.followOutbox()
  expect(page.list().map(({ uuid }) => uuid)).toEqual(uuids)
  await vi.waitFor(() => expect(page.list()).toEqual([]))
  expect(stored).toEqual(['file 41', '二', '三'])
  expect(upload.mock.calls.at(-1)?.[0]).toMatchObject({ picture: true, width: 3, height: 2, conversationId: 7 })
  expect(await upload.mock.calls.at(-1)?.[0].content.text()).toBe('bytes')
  // Nothing stays in the browser.
  expect([browser.files.size, localStorage.length]).toEqual([0, 0])
  stop()
})

it('[R295] a message whose request is lost while there is a connection is sent once more; no failure is stored before', async () => {
  vi.useFakeTimers()
  try {
    const page = await load()
    const server = fakeApi({ imSend: unreachable })
    page.sendMessage(7, text('一'))
    await vi.advanceTimersByTimeAsync(999)
    expect(page.first()?.send).toBe('ING')
    expect([server.inputsOf('imSend').length, JSON.stringify(localStorage).includes('ERR')]).toEqual([1, false])
    const stored = sending()
    await vi.advanceTimersByTimeAsync(1)
    await vi.waitFor(() => expect(page.list()).toEqual([]))
    expect(stored).toEqual(['一'])
  } finally {
    vi.useRealTimers()
  }
})

it('a file that the browser could not keep is chosen again; the texts behind it wait', async () => {
  browser.refuses = true
  await leaveUnsent()
  const page = await load()
  const stored = sending()
  upload.mockClear()
  upload.mockImplementation(async () => 42)
  const stop = page.followOutbox()
  await vi.waitFor(() => expect(page.first()).toMatchObject({ send: 'ERR', isLost: true, reason: '文件需要重新选择' }))
  expect(page.list().map(({ send }) => send)).toEqual(['ERR', 'WAIT', 'WAIT'])
  expect([stored, upload.mock.calls.length]).toEqual([[], 0])
  page.sendWithFile(page.first()?.uuid ?? '', file('again'))
  await vi.waitFor(() => expect(page.list()).toEqual([]))
  expect(stored).toEqual(['file 42', '二', '三'])
  stop()
})

it('an upload that had begun goes on with the same file only', async () => {
  const page = await load()
  sending()
  upload.mockImplementationOnce(async (_upload, _begun, { record }) => {
    record({ uploadId: 'begun', sha256: 'hash' })
    throw new page.TransferFailure('http')
  })
  page.sendMessage(7, { type: 'file', value: '' }, { content: file() })
  await vi.waitFor(() => expect(page.first()?.send).toBe('ERR'))
  upload.mockImplementation(() => new Promise(() => undefined))
  page.sendWithFile(page.first()?.uuid ?? '', file())
  await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
  expect(upload.mock.calls[1]?.[1]).toEqual({ uploadId: 'begun', sha256: 'hash' })

  const next = await load()
  upload.mockReset()
  upload.mockImplementation(() => new Promise(() => undefined))
  const stop = next.followOutbox()
  await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(1))
  expect(upload.mock.calls[0]?.[1]).toEqual({ uploadId: 'begun', sha256: 'hash' })
  stop()
})

// Of what is typed in several conversations, with sends that fail before or after they were stored: everything is stored
// once, in the conversation that it was written in, in the order in which it was written.
it('random acts leave nothing in a wrong place, doubled or out of order', async () => {
  const page = await load()
  upload.mockImplementation(async ({ conversationId }) => conversationId)
  const [conversations, acts] = [5, 600]
  const stored = new Map<number, Map<string, string>>()
  let seed = 20_261_129
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  fakeApi({
    imSend: (input: Record<string, unknown>) => {
      const { conversationId, uuid, value, fileId } = input as {
        conversationId: number
        uuid: string
        value: string
        fileId?: number
      }
      const luck = random(6)
      if (luck === 0) return refused('serverException')
      const chat = stored.get(conversationId) ?? new Map<string, string>()
      stored.set(conversationId, chat)
      // Sent again it is the same message.
      if (!chat.has(uuid)) chat.set(uuid, fileId === undefined ? value : `file of ${fileId}`)
      if (luck === 1) return refused('serverException')
      const number = [...chat.keys()].indexOf(uuid) + 1
      return { ...input, id: number, number, changed: number, quote: 0 } as never
    },
  })
  const written = new Map<number, { uuid: string; text: string }[]>()
  const dropped = new Set<string>()
  /** Every queue is empty, or held by a message that has failed. */
  const settled = () =>
    vi.waitFor(
      () => {
        const firsts = new Map(
          page
            .list()
            .toReversed()
            .map((one) => [one.conversationId, one.send]),
        )
        expect([...firsts.values()].every((send) => send === 'ERR')).toBe(true)
      },
      { timeout: 30_000 },
    )
  const resendAll = (): void => {
    for (const { uuid, send } of page.list()) if (send === 'ERR') page.resend(uuid)
  }
  for (let n = 0; n < acts; n += 1) {
    const conversationId = 1 + random(conversations)
    const failed = page.list().find((one) => one.conversationId === conversationId && one.send === 'ERR')
    const what = random(8)
    if (failed !== undefined && what < 3) page.resend(failed.uuid)
    else if (failed !== undefined && what === 3) {
      dropped.add(failed.uuid)
      page.discard(failed.uuid)
    } else {
      const known = new Set(page.list().map(({ uuid }) => uuid))
      if (what === 4) page.sendMessage(conversationId, { type: 'file', value: '' }, { content: file() })
      else page.sendMessage(conversationId, text(`${conversationId} ${n}`))
      const uuid = page.list().find((one) => !known.has(one.uuid))?.uuid ?? ''
      const all = written.get(conversationId) ?? []
      written.set(conversationId, all)
      all.push({ uuid, text: what === 4 ? `file of ${conversationId}` : `${conversationId} ${n}` })
    }
    if (n % 20 > 0) continue
    await settled()
    resendAll()
  }
  for (; page.list().length > 0; resendAll()) await settled()
  for (const [conversationId, all] of written) {
    const chat = [...(stored.get(conversationId) ?? [])]
    // What was given up may have arrived before.
    const expected = all.filter(({ uuid }) => !dropped.has(uuid) || stored.get(conversationId)?.has(uuid) === true)
    expect(chat).toEqual(expected.map(({ uuid, text: said }) => [uuid, said]))
  }
}, 300_000)

it('messages of another tab stay stored when this tab has sent its own', async () => {
  const page = await load()
  fakeApi({ imSend: refused('noPermission') })
  page.sendMessage(7, text('失败的'))
  await vi.waitFor(() => expect(page.first()?.send).toBe('ERR'))
  const other = await load()
  sending()
  other.sendMessage(8, text('另一页'))
  await vi.waitFor(() => expect(other.list()).toEqual([]))
  const kept = JSON.parse(localStorage.getItem('im__outbox.0') ?? '[]') as { message: { value: string } }[]
  expect(kept.map(({ message }) => message.value)).toEqual(['失败的'])
})
