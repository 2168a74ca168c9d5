// @vitest-environment happy-dom
import { codes } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { downloadAsPdfs } from './pdf-downloads.ts'
import { transfers } from './transfers.ts'

beforeEach(() => {
  vi.useFakeTimers()
  toastStore.setState({ toasts: [] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const [contract, plan, broken] = [
  sampleItem({ fId: 7, fName: '合同.docx', extName: 'docx' }),
  sampleItem({ fId: 8, fName: '计划.v2.xlsx', extName: 'xlsx' }),
  sampleItem({ fId: 9, fName: '坏.ppt', extName: 'ppt' }),
]
const made = { result: codes.success.code, msg: '', percent: 100 }
const making = { result: codes.converting.code, msg: '', percent: 40 }
const texts = (): string[] => toastStore.getState().toasts.map(({ text }) => text)

test('[R145] each PDF is fetched under its own name once it is made, and what could not be made is told', async () => {
  const answers = [
    [
      { fileId: 7, ...made },
      { fileId: 8, ...making },
      { fileId: 9, result: codes.conversionFailed.code, msg: '转换失败', percent: 0 },
    ],
    [{ fileId: 8, ...made }],
  ]
  const { sent } = fakeApi({ preparePdfs: () => ({ list: answers.shift() ?? [] }) })
  const added = vi.spyOn(transfers, 'addDownload').mockResolvedValue(1)
  const all = downloadAsPdfs([contract, plan, broken])
  await vi.waitFor(() => expect(texts()).toEqual(['正在生成 PDF，已完成 2 / 3 个']))
  expect(added.mock.calls.map(([, name]) => name)).toEqual(['合同.pdf'])
  await vi.advanceTimersByTimeAsync(1000)
  await all
  expect(added.mock.calls.map(([{ source }, name]) => [name, source?.address.split('?')[0]])).toEqual([
    ['合同.pdf', '/services2/preview/downloadPdf/7'],
    ['计划.v2.pdf', '/services2/preview/downloadPdf/8'],
  ])
  expect(sent.flatMap(({ name, input }) => (name === 'preparePdfs' ? [input] : []))).toEqual([
    { fileIdArray: [7, 8, 9], start: true },
    { fileIdArray: [8], start: false },
  ])
  expect(texts()).toEqual(['“坏.ppt”没有生成 PDF：转换失败'])
})

test('[R145] a run that is cancelled asks no more and fetches nothing', async () => {
  const { sent } = fakeApi({ preparePdfs: () => ({ list: [{ fileId: 7, ...making }] }) })
  const added = vi.spyOn(transfers, 'addDownload').mockResolvedValue(1)
  const all = downloadAsPdfs([contract])
  await vi.waitFor(() => expect(texts()).toEqual(['正在生成 PDF，40%']))
  toastStore.getState().toasts[0]?.action?.run()
  await all
  expect([added.mock.calls.length, sent.filter(({ name }) => name === 'preparePdfs').length, texts()]).toEqual([
    0,
    1,
    [],
  ])
})
