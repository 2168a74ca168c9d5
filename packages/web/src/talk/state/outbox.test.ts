// @vitest-environment happy-dom
// The outgoing queue: uploads that fail, and those that go on where they were.
import { beforeEach, expect, it, vi } from 'vitest'
import { connectionStore } from '../../core/push/connection.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { TransferFailure } from '../../transfer/engine/states.ts'
import { withTexts } from '../page-texts.ts'
import { discard, outboxStore, resend, sendMessage } from './outbox.ts'
import type { uploadToChat } from './upload.ts'

const upload = vi.hoisted(() => vi.fn<typeof uploadToChat>())
vi.mock('./upload.ts', () => ({ uploadToChat: upload }))

const file = (): File => new File(['bytes'], '图纸.bin')
const first = () => outboxStore.getState().list[0]

beforeEach(async () => {
  await withTexts(() => Promise.resolve())
  outboxStore.setState({ list: [] })
  connectionStore.setState({ channel: 'online', reached: true })
})

it('[R303] an upload that fails shows IM出错了, and goes on where it was when it is sent again', async () => {
  upload.mockImplementationOnce(async (_upload, _begun, { record }) => {
    record({ uploadId: 'begun', sha256: 'hash' })
    throw new TransferFailure('http')
  })
  sendMessage(7, { type: 'file', value: '' }, { content: file() })
  await vi.waitFor(() => expect(first()).toMatchObject({ send: 'ERR', begun: { uploadId: 'begun' } }))
  expect(toastStore.getState().toasts.map(({ text }) => text)).toContain('IM出错了')
  upload.mockImplementationOnce(() => new Promise(() => undefined))
  resend(first()?.uuid ?? '')
  await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
  expect(upload.mock.calls[1]?.[1]).toEqual({ uploadId: 'begun', sha256: 'hash' })
  discard(first()?.uuid ?? '')
  expect(outboxStore.getState().list).toEqual([])
  expect(upload.mock.calls[1]?.[2].signal.aborted).toBe(true)
})
