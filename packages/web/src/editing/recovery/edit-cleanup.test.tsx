// @vitest-environment happy-dom
// Cleanup of edits that a closed page has left: icons of the state, the reminder, waiting people and open edit records.
import 'fake-indexeddb/auto'
import { EditState } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { setLocalFlag } from '../../core/session/local-state.ts'
import { accountRecords, type EditRecord } from '../../core/storage/account-records.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { windowStore } from '../../core/windows/index.ts'
import { ConflictChip, copyStatusLabel, IconStack, transferredItemsStore } from '../../items/item/local-copies.tsx'
import { sampleItem } from '../../items/item/sample-item.ts'
import { onUnlockApplied } from '../lock-queue/lock-queue.ts'
import { claimFile } from '../shared/open-editors.ts'
import { startEditCleanup } from './edit-cleanup.ts'

let userId = 700
let end: (() => void) | undefined
const records = () => accountRecords(userId)
const edit = (fileId: number, fields: Partial<EditRecord> = {}): EditRecord => ({
  ...{ fileId, fileName: '计划.md', folderId: 1, folderName: '共用', localPath: `draft:${fileId}` },
  ...{ version: 3, state: EditState.submitted, closed: false, createTime: fileId },
  ...fields,
})
const leave = async (fileId: number): Promise<void> => {
  await records().storeEdit(edit(fileId, { state: EditState.changed }))
  await draftsOf(userId).keep({ fileId, fileName: '计划.md', version: 3, text: '没交的', changedAt: 1 })
}

beforeAll(loadSignedIn)
beforeEach(() => {
  void setLocale('zh')
  signInAs(++userId)
})
afterEach(async () => {
  end?.()
  await cleanUp()
  setLocalFlag('fileStorageNotice', true)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const icon = (fId: number, version: number) => (
  <IconStack item={sampleItem({ fId, fType: 1, version })}>
    <i>icon</i>
  </IconStack>
)
const title = () => document.querySelector('.dr-icon-stack')?.getAttribute('title') ?? ''

// [R129] The file icon shows how the local copy of edited content relates to the server's version (2 to 5); an unknown
// status is reported as an error.
it('[R129] [R176] the icon of a file says how what was edited here stands to it, by its records, in whichever tab they change', async () => {
  await records().storeEdit(edit(5))
  end = startEditCleanup(userId)
  await render(icon(5, 3))
  await until(() => title() === '在这个浏览器里编辑过，没有未提交的改动')
  await render(icon(5, 4))
  expect(title()).toBe('在这个浏览器里编辑过，服务器上有更新的版本')
  await render(icon(5, 2))
  expect(title()).toBe('在这个浏览器里编辑的版本比服务器上的新')
  expect(document.querySelector('.dr-copy-sign')).toBeNull()
  await act(() => records().storeEdit(edit(5, { state: EditState.changed })))
  await until(() => title() === '有改动没有提交，保留在这个浏览器里')
  expect(document.querySelector('.dr-copy-sign')).not.toBeNull()
  await render(icon(6, 1))
  expect(title()).toBe('')
})

// [R133] The status has its 31 documented bits: the server sets those of an item, the client those that it alone knows,
// conflict (a local change on an older version) and loading (a transfer under way).
it('[R133] a change on an older version than the server’s is a conflict, and a transfer under way is shown', async () => {
  await records().storeEdit(edit(5, { state: EditState.changed }))
  end = startEditCleanup(userId)
  const both = (version: number) => (
    <>
      {icon(5, version)}
      <ConflictChip item={sampleItem({ fId: 5, fType: 1, version })} />
    </>
  )
  await render(both(3))
  await until(() => document.querySelector('.dr-copy-sign') !== null)
  expect([screenText().includes('有冲突'), document.querySelector('.is-conflict')]).toEqual([false, null])
  // Somebody else has submitted a version meanwhile.
  await render(both(4))
  expect(screenText()).toContain('有冲突')
  expect(title()).toContain('服务器上已有更新的版本')
  expect(document.querySelector('.dr-loading-sign')).toBeNull()
  await act(async () => transferredItemsStore.setState(new Set(['f5']), true))
  expect(document.querySelector('.dr-loading-sign')?.getAttribute('aria-label')).toBe('正在传输')
  await act(async () => transferredItemsStore.setState(new Set(), true))
  expect(document.querySelector('.dr-loading-sign')).toBeNull()
})

it('[R129] a status that this client does not know is said to whoever looks into it', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect([copyStatusLabel(1), copyStatusLabel(9)]).toEqual(['', ''])
  expect(said).toHaveBeenCalledExactlyOnceWith('a file has a status that this client does not know', 9)
})

// [R173] The reminder of unsubmitted changes, on by default.
it('[R173] who left words that were not submitted is reminded, unless they want not to be', async () => {
  await leave(5)
  await leave(6)
  const leaveFile = await claimFile(userId, 6)
  await render(<p>page</p>)
  end = startEditCleanup(userId)
  await until(() => screenText().includes('有 1 个文件的改动还没提交'))
  await click(button('查看'))
  expect(windowStore.getState().open.map(({ name }) => name)).toEqual(['cloudoc-recent-edit'])
  end()
  await cleanUp()
  leaveFile?.()
  setLocalFlag('fileStorageNotice', false)
  await render(<p>page</p>)
  const server = fakeApi({ getFileInfo: sampleItem({ fId: 9, editorId: 8 }) })
  await records().storeUnlockRequest({ fileId: 9, fileName: '乙.md', pushType: 14, userId: 8, userName: '王敏' })
  end = startEditCleanup(userId)
  await until(() => server.inputsOf('getFileInfo').length === 1)
  expect(screenText()).not.toContain('还没提交')
})

// [R355] A request for a file (push 14) is stored until answered, and shown again on the next page while the person
// still holds the file.
it('[R355] who asked for a file and was not answered is shown again on the next page, until they are', async () => {
  fakeApi({ getFileInfo: sampleItem({ fId: 5, editorId: userId }), answerUnlockRequest: {} })
  await render(<p>page</p>)
  const asked = { fileId: 5, fileName: '计划.md', userId: 9, userName: '李思远' }
  await act(async () => void onUnlockApplied(asked))
  await until(() => screenText().includes('李思远 想编辑这个文件'))
  expect(await records().unlockRequests()).toEqual([{ ...asked, pushType: 14 }])
  await cleanUp()
  await render(<p>page</p>)
  end = startEditCleanup(userId)
  await until(() => screenText().includes('李思远 想编辑这个文件'))
  await click(button('拒绝'))
  await until(() => screenText().includes('已告诉 李思远 暂时不能交出'))
  expect(await records().unlockRequests()).toEqual([])
})

it('[R355] what is not this person’s to give any more is asked by nobody', async () => {
  await records().storeUnlockRequest({ fileId: 5, fileName: '计划.md', pushType: 14, userId: 9, userName: '李思远' })
  fakeApi({ getFileInfo: sampleItem({ fId: 5, editorId: -1 }) })
  await render(<p>page</p>)
  end = startEditCleanup(userId)
  await expect.poll(() => records().unlockRequests()).toEqual([])
  expect(windowStore.getState().open).toEqual([])
})

// [R356] Records left open by a crash are closed on the next page, and discarded ones are removed unless edited again.
it('[R356] what died open is closed, what is open stays; what was given up is cleared away, unless it is edited again', async () => {
  for (const fileId of [5, 6, 7, 8]) await leave(fileId)
  const leaveFile = await claimFile(userId, 6)
  for (const fileId of [7, 8]) await records().deleteEdit(`draft:${fileId}`)
  await leave(8)
  end = startEditCleanup(userId)
  await expect.poll(() => records().recycledCopies()).toEqual([])
  const closed = async () => Object.fromEntries((await records().edits()).map((one) => [one.fileId, one.closed]))
  expect(await closed()).toEqual({ 5: true, 6: false, 8: true })
  await expect.poll(() => draftsOf(userId).of(7)).toBeUndefined()
  expect((await draftsOf(userId).of(8))?.text).toBe('没交的')
  leaveFile?.()
})

// [R318] Accepting a request without an open editor deletes the edit record, unless it has unsubmitted changes.
it('a lock that is handed over in the window takes the edit record with it, except an unsubmitted one [R318]', async () => {
  const asking = { userId: 9, userName: '李思远' }
  const unlockApplied = (fileId: number) => onUnlockApplied({ ...asking, fileId, fileName: '计划.md' })
  const left = async () => (await records().edits()).map(({ fileId }) => fileId).toSorted((a, b) => a - b)
  fakeApi({ answerUnlockRequest: {} })
  await render(<p>page</p>)
  for (const fileId of [11, 13]) await records().storeEdit(edit(fileId, { closed: true }))
  await records().storeEdit(edit(12, { state: EditState.changed, closed: true }))
  for (const [fileId, answer] of [
    [11, '交出'],
    [12, '交出'],
    [13, '拒绝'],
  ] as const) {
    let done = Promise.resolve()
    await act(async () => void (done = unlockApplied(fileId)))
    await until(() => screenText().includes('李思远 想编辑这个文件'))
    await click(button(answer))
    await act(() => done)
    await until(() => document.querySelector('[role=dialog]') === null)
  }
  expect(await left()).toEqual([12, 13])
  for (const fileId of [12, 13]) await records().deleteEdit(`draft:${fileId}`)
})
