// @vitest-environment happy-dom
// A copy that takes long, as its person sees it.
import type { BatchAnswer } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { until } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { sampleItem } from '../item/sample-item.ts'
import { copy } from './operations.ts'

const folder = sampleItem({ fType: 2, fId: 7, fName: '十万份', parentFolderId: 2 })
const texts = (): string[] => toastStore.getState().toasts.map(({ text }) => text)

let answer: PromiseWithResolvers<BatchAnswer>
const slow = () => {
  answer = Promise.withResolvers()
  return fakeApi({
    fileOrFolderCopy: () => answer.promise,
    getCopyProgress: { copied: 3000 },
    cancelCopy: {},
  })
}
const outcome = (code: keyof typeof codes): BatchAnswer => [
  { id: 'f-7', fType: 2, name: '十万份', result: codes[code].code, msg: '', fId: 90 },
]

beforeAll(loadSignedIn)
beforeEach(() => toastStore.setState({ toasts: [] }))
afterEach(() => vi.unstubAllGlobals())

test('says how far it is, and no more of that when it is done', async () => {
  slow()
  const done = copy([folder], { fId: 3, fName: '归档' })
  await until(() => texts().includes('正在将 十万份 复制到 归档：已完成 3,000 项'))
  answer.resolve(outcome('success'))
  await done
  expect(texts()).toEqual(['已将 十万份 复制到 归档'])
})

test('is called off, and says that nothing is left of it', async () => {
  const server = slow()
  const done = copy([folder], { fId: 3, fName: '归档' })
  await until(() => texts().some((text) => text.startsWith('正在将')))
  toastStore.getState().toasts[0]?.action?.run()
  await until(() => server.inputsOf('cancelCopy').length === 1)
  const [{ copyId } = {}] = server.inputsOf('fileOrFolderCopy')
  expect(server.inputsOf('cancelCopy')).toEqual([{ copyId }])
  answer.resolve(outcome('uploadInterrupted'))
  await done
  expect(texts()).toEqual(['已取消复制 十万份，没有留下不完整的副本'])
})

test('that was over before it was called off is there, and says so', async () => {
  slow()
  const done = copy([folder], { fId: 3, fName: '归档' })
  await until(() => texts().some((text) => text.startsWith('正在将')))
  toastStore.getState().toasts[0]?.action?.run()
  answer.resolve(outcome('success'))
  await done
  expect(texts()).toEqual(['已将 十万份 复制到 归档'])
})
