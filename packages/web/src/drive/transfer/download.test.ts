// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { sampleItem } from '../item/sample-item.ts'
import { download, downloadCompressed, exportFolders } from './download.ts'
import { transfers } from './transfers.ts'

afterEach(() => vi.restoreAllMocks())

test('[R203] a compressed download goes the way of every download: by a ticket for just that file, then the browser', async () => {
  const server = fakeApi({ createDownloadTicket: { ticket: 't1', expiresAt: 1 } })
  const handedOver = vi.spyOn(transfers, 'addHandedOver').mockResolvedValue(undefined)
  const went: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    went.push(this.href)
  })
  const pdf = sampleItem({ fId: 7, fName: '合同.pdf', extName: 'pdf', fileSize: 9 })
  await downloadCompressed(pdf)
  await download([pdf])
  expect(server.sent.map(({ name, input }) => [name, input['fileIdArray']])).toEqual([
    ['createDownloadTicket', [7]],
    ['createDownloadTicket', [7]],
  ])
  expect(went[0]).toMatch(/\/services2\/compression\/downloadCompression\/7\?.*access_token=t1$/)
  expect(went[1]).toMatch(/\/DownloadServlet\?.*access_token=t1$/)
  const [[first], [second]] = handedOver.mock.calls as [[unknown], [unknown]]
  expect(first).toEqual(second)
})

test('[R128] folders are exported by a ticket for just them', async () => {
  const server = fakeApi({ createDownloadTicket: { ticket: 't1', expiresAt: 1 } })
  vi.spyOn(transfers, 'addHandedOver').mockResolvedValue(undefined)
  const went: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    went.push(this.href)
  })
  await exportFolders([7, 8].map((fId) => sampleItem({ fId, fType: 2 })))
  expect(server.sent[0]?.input['folderIdArray']).toEqual([7, 8])
  expect(went[0]).toMatch(/\/exportFolder2\/7(,|%2C)8\?.*access_token=t1$/)
})
