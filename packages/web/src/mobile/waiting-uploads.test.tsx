// @vitest-environment happy-dom
// What waits on the phone is said until the server has it.
import { afterEach, expect, test, vi } from 'vitest'
import { act, cleanUp, render, screenText } from '../../test/render.tsx'
import { setLocale } from '../core/i18n/i18n.ts'
import type { TransferSnapshot } from '../transfer/engine/engine.ts'
import type { TaskView } from '../transfer/engine/live-task.ts'
import { transfers } from '../transfer/tasks/transfers.ts'
import { WaitingUploads } from './waiting-uploads.tsx'

afterEach(async () => {
  await cleanUp()
  await act(() => setLocale('zh'))
  vi.restoreAllMocks()
})

/** An upload under way with files left, of which none needs anything. */
const upload = (part: Partial<TaskView>): TaskView => {
  const counts = { left: 0, clashes: 0, missing: 0, errorFileCount: 0 }
  return { ...counts, type: 'upload', status: 'doing', isOnlineEdit: false, ...part } as unknown as TaskView
}

/** Shows the lines for some transfers, and returns what changes them. */
async function shown(tasks: readonly TaskView[]): Promise<(tasks: readonly TaskView[]) => Promise<void>> {
  let snapshot: TransferSnapshot = { tasks, offline: false }
  const listeners = new Set<() => void>()
  vi.spyOn(transfers, 'snapshot').mockImplementation(() => snapshot)
  vi.spyOn(transfers, 'subscribe').mockImplementation((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  })
  await render(<WaitingUploads />)
  return (later) =>
    act(async () => {
      snapshot = { tasks: later, offline: false }
      for (const listener of listeners) listener()
    })
}

const lines = (): (string | null)[][] =>
  [...document.querySelectorAll('a')].map((line) => [
    line.querySelector('[role="status"]')?.textContent ?? null,
    line.getAttribute('href'),
  ])
const toTransfers = '/m/page/transfer/doing'

test('the files that wait are counted over all uploads, running or paused, until the server has them', async () => {
  const change = await shown([upload({ left: 3 }), upload({ left: 2, status: 'pause' })])
  expect(lines()).toEqual([['5 个文件在这部手机上等待上传', toTransfers]])
  await change([upload({ left: 1 }), upload({ status: 'completed' })])
  expect(lines()).toEqual([['1 个文件在这部手机上等待上传', toTransfers]])
  await act(() => setLocale('en'))
  expect(lines()).toEqual([['1 file on this phone is waiting to be uploaded', toTransfers]])
  await change([upload({ status: 'completed' })])
  expect(screenText()).toBe('')
})

test('an upload that needs the user is said in a line of its own, whatever it needs', async () => {
  const change = await shown([
    upload({ left: 2, missing: 1 }),
    upload({ left: 1, clashes: 1, status: 'pause' }),
    upload({ status: 'completed', errorFileCount: 1 }),
  ])
  expect(lines()).toEqual([
    ['3 个文件在这部手机上等待上传', toTransfers],
    ['3 个上传需要你处理', toTransfers],
  ])
  await change([upload({ status: 'completed', errorFileCount: 1 })])
  expect(lines()).toEqual([['1 个上传需要你处理', toTransfers]])
})

test('downloads, and what the editor of a page submits, are not waiting uploads', async () => {
  await shown([
    upload({ type: 'download', left: 4, errorFileCount: 1 }),
    upload({ isOnlineEdit: true, left: 1, missing: 1 }),
  ])
  expect(lines()).toEqual([])
})
