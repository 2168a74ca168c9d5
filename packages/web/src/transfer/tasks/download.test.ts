// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { signInAs } from '../../../test/session.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { registerWindows, windowStore } from '../../core/windows/index.ts'
import { transferredItemsStore } from '../../items/item/local-copies.tsx'
import { sampleItem } from '../../items/item/sample-item.ts'
import type { TaskView } from '../engine/live-task.ts'
import { download, downloadCompressed, exportFolders } from './download.ts'
import { markTransferred, transfers } from './transfers.ts'

const large = 3 * 1024 ** 3
let went: string[] = []
beforeEach(() => {
  went = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    went.push(this.href)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function begun() {
  const added = vi.spyOn(transfers, 'addDownload').mockResolvedValue(1)
  const handedOver = vi.spyOn(transfers, 'addHandedOver').mockResolvedValue(undefined)
  return { added, handedOver }
}

/** The requests, except those for the remaining downloads of the day. */
const sentBy = ({ sent }: ReturnType<typeof fakeApi>) =>
  sent.flatMap(({ name, input }) => (name === 'getDownloadToday' ? [] : [[name, input['fileIdArray']]]))

test('[R128] [R192] [R203] files, zips, smaller PDFs and exported folders are fetched by the page, and no ticket is asked for', async () => {
  const server = fakeApi({})
  const { added } = begun()
  const pdf = sampleItem({ fId: 7, fName: '合同.pdf', extName: 'pdf', fileSize: 9 })
  await download([pdf])
  await downloadCompressed(pdf)
  await download([pdf, sampleItem({ fId: 8, fType: 2, fName: '附件' })])
  await exportFolders([7, 8].map((fId) => sampleItem({ fId, fType: 2 })))
  const tasks = added.mock.calls.map(([task]) => task)
  const address =
    /\/DownloadServlet\?|downloadCompression\/7|DownloadMultiFile\?files=fi_7(?:,|%2C)fo_8|exportFolder2\/7(?:,|%2C)8/
  for (const { source } of tasks) expect(source?.address).toMatch(address)
  expect(tasks.map(({ totalSize, source }) => [totalSize, source?.fileIdArray, source?.folderIdArray])).toEqual([
    [9, [7], []],
    // Their length is not known in advance.
    [0, [7], []],
    [0, [7], [8]],
    [0, [], [7, 8]],
  ])
  expect([sentBy(server), went]).toEqual([[], []])
})

test('[R133] what is fetched or submitted at the moment is known to be loading, on its server', () => {
  const source = { address: '', fileIdArray: [7], folderIdArray: [8] }
  const doing = { status: 'doing', source } as unknown as TaskView
  const rests: TaskView = { ...doing, status: 'pause', source: { ...source, fileIdArray: [9] } }
  const linked: TaskView = { ...doing, source: { ...source, serverId: 2 } }
  markTransferred([doing, rests, linked, { ...doing, handedOver: true, source: { ...source, fileIdArray: [10] } }])
  expect([...transferredItemsStore.getState()]).toEqual(['f7', 'd8', 's2f7', 's2d8'])
  markTransferred([{ ...doing, status: 'completed' }])
  expect(transferredItemsStore.getState().size).toBe(0)
})

test('[R281] who packs restricted documents that are not theirs to change is told that the copies bear a watermark', async () => {
  fakeApi({})
  begun()
  signInAs(9)
  const gives = (download_watermark: boolean): void =>
    sessionStore.setState(({ session }) => ({
      session: session && { ...session, setting: { ...session.setting, download_watermark } },
    }))
  gives(true)
  const restricted = sampleItem({ fId: 7, docFlag: 1, rights: 14 })
  await download([restricted, sampleItem({ fId: 8, rights: 14 })])
  expect(toastStore.getState().toasts.map(({ text }) => text)).toEqual(['drive.transfer.packedMarked'])
  toastStore.setState({ toasts: [] })
  // The notice also appears if the user may change the restricted item but not another one. It does not appear if the
  // user may change all items, or if the server adds no watermarks.
  await download([sampleItem({ ...restricted, rights: 510 }), sampleItem({ fId: 8, rights: 14 })])
  expect(toastStore.getState().toasts).toHaveLength(1)
  toastStore.setState({ toasts: [] })
  await download([sampleItem({ ...restricted, rights: 510 }), sampleItem({ fId: 8, rights: 510 })])
  gives(false)
  await download([restricted, sampleItem({ fId: 8, rights: 14 })])
  expect(toastStore.getState().toasts).toEqual([])
})

test('[R192] of a large file the person is asked where to; whoever thinks better of it begins nothing', async () => {
  fakeApi({})
  const { added, handedOver } = begun()
  const file = sampleItem({ fId: 7, fName: '影像.mp4', fileSize: large })
  const handle = { name: '影像 (1).mp4' } as FileSystemFileHandle
  vi.stubGlobal('showSaveFilePicker', async () => handle)
  await download([file])
  expect(added.mock.calls[0]).toMatchObject([{ localPath: '影像 (1).mp4' }, '影像.mp4', handle])
  vi.stubGlobal('showSaveFilePicker', () => Promise.reject(new DOMException('', 'AbortError')))
  await download([file])
  expect([added.mock.calls.length, handedOver.mock.calls.length]).toEqual([1, 0])
})

test('[R192] what this browser cannot hold it fetches by itself, by a ticket for just that', async () => {
  const server = fakeApi({ createDownloadTicket: { ticket: 't1', expiresAt: 1 } })
  const { added, handedOver } = begun()
  await download([sampleItem({ fId: 7, fName: '影像.mp4', fileSize: large })])
  expect(added).not.toHaveBeenCalled()
  expect(sentBy(server)).toEqual([['createDownloadTicket', [7]]])
  expect(went[0]).toMatch(/\/DownloadServlet\?.*access_token=t1$/)
  expect(handedOver.mock.calls[0]?.[0]).toMatchObject({ type: 'download', totalSize: large })
})

test('[R284] where the downloads of the day are used up that is said before anything begins', async () => {
  fakeApi({ getDownloadToday: { count: 20, limit: 20, more: 0, until: 1 } })
  registerWindows({ 'cloudoc-download-limit': { size: { width: 550, height: 'auto' } } })
  const { added } = begun()
  void download([sampleItem({ fId: 7, fName: '合同.pdf', fileSize: 9 })])
  await expect.poll(() => windowStore.getState().open.map(({ name }) => name)).toEqual(['cloudoc-download-limit'])
  expect(added).not.toHaveBeenCalled()
})
