// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { OperateType } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused, unreachable } from '../../../test/fake-api.ts'
import { signInAs } from '../../../test/session.ts'
import { CallError } from '../../core/call/api.ts'
import { forgetAllOfflineCopies, offlineFiles, storeOfflineCopy } from '../../core/storage/offline-copies.ts'
import { offlineCopiesChanged, startOfflineCopies } from './offline-copies.ts'
import { offlineCopyInstead, saveOfflineCopy } from './save-copies.ts'

const content = new TextEncoder().encode('one')
const address = {
  url: '/content',
  previewKey: '5-1',
  form: 'original',
  secure: false,
  watermark: null,
  keep: true,
  wantsPicture: false,
} as const
const file = { serverId: 0, fId: 5, fName: 'a.txt', fileSize: 3 }
const ids = async (): Promise<number[]> => (await offlineFiles(7)).map(({ fileId }) => fileId)
const away = new CallError('getDocumentPreviewURL', { code: 'network', number: 0, message: '', quiet: true })

/** Fakes the content responses, and `/healthz`. */
function contents(isThere = true) {
  const fetched = vi.fn<(url: string) => Promise<Response>>(async (url) => {
    if (url === '/healthz' && !isThere) throw new TypeError('fetch failed')
    return new Response(content, { headers: { 'content-type': 'text/plain' } })
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}

async function keepOne(fileId: number): Promise<void> {
  const now = Date.now()
  const about = {
    fileId,
    version: 1,
    name: 'a.txt',
    fileSize: 3,
    form: 'original',
    type: 'text/plain',
    size: 3,
  } as const
  await storeOfflineCopy(7, { ...about, keptAt: now, seenAt: now, allowedAt: now }, content.buffer, 1000)
}

beforeEach(async () => {
  signInAs(7)
  await forgetAllOfflineCopies(7)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('[R067] what the server lets be kept is kept once; what it does not is forgotten', async () => {
  const fetched = contents()
  await saveOfflineCopy(file, address)
  await saveOfflineCopy(file, address)
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(await offlineFiles(7)).toMatchObject([{ fileId: 5, version: 1, name: 'a.txt', size: 3 }])
  await saveOfflineCopy(file, { ...address, previewKey: '5-2' })
  expect(await offlineFiles(7)).toMatchObject([{ fileId: 5, version: 2 }])
  await saveOfflineCopy(file, { ...address, previewKey: '5-2', keep: false })
  expect(await ids()).toEqual([])
  await saveOfflineCopy({ ...file, fileSize: 30 * 1024 ** 2 }, address)
  expect([await ids(), fetched.mock.calls.length], 'too large').toEqual([[], 2])
})

it('[R067] is shown instead while the server is away, and goes when it refuses', async () => {
  await keepOne(5)
  contents(false)
  expect(await (await offlineCopyInstead(file, away))?.content.text()).toBe('one')
  contents()
  expect(await offlineCopyInstead(file, undefined), 'the server is there').toBeUndefined()
  const gone = new CallError('getDocumentPreviewURL', { code: 'notFound', number: -3, message: '', quiet: true })
  expect(await offlineCopyInstead(file, gone)).toBeUndefined()
  expect(await ids()).toEqual([])
})

// [R067] Offline copies are stored per account and removed with the account, with the right, with the file, or after
// thirty days without contact to the server.
it('[R067] goes with a push that it was deleted, and when the server, asked again, names it no more', async () => {
  await keepOne(5)
  await keepOne(6)
  await keepOne(7)
  offlineCopiesChanged({ serverId: 0, fId: 7, fType: 1, operateType: OperateType.delete })
  await expect.poll(ids).toEqual([6, 5])
  const server = fakeApi({ getKeepableFiles: { fileIds: [6], current: [] } })
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const stop = startOfflineCopies(7)
  await expect.poll(ids).toEqual([6])
  expect(server.inputsOf('getKeepableFiles')[0]?.['kept']).toHaveLength(2)
  server.now({ getKeepableFiles: unreachable })
  offlineCopiesChanged({ serverId: 0, fId: 1, fType: 2, operateType: OperateType.rights })
  await expect.poll(() => server.inputsOf('getKeepableFiles').length).toBe(2)
  expect(await ids(), 'nobody said anything').toEqual([6])
  server.now({ getKeepableFiles: refused('notFound') })
  offlineCopiesChanged({ serverId: 0, fId: 1, fType: 2, operateType: OperateType.rights })
  await expect.poll(ids).toEqual([])
  stop()
})
