// @vitest-environment happy-dom
// Whose turn it is, at the screen: what is chosen while somebody edits, who is told, and what their answer sends.
import { ItemStatusBit, MultiEdit, Right, rightsGroup } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, element, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { windowStore } from '../../core/windows/index.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { editMenu } from '../menu.tsx'
import { openToEdit } from '../opening/open-to-edit.ts'
import { registerEditor } from '../shared/open-editors.ts'
import { onFileUnlocked, onUnlockApplied } from './lock-queue.ts'

beforeAll(loadSignedIn)
beforeEach(async () => {
  void setLocale('zh')
  signInAs(7)
  await render(<p>page</p>)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// Removes the isolation marks around names.
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')
const held = sampleItem({
  ...{ fId: 5, fName: '报价.csv', editorId: 8, editorName: '陈晓', rights: Right.full, version: 3 },
  itemStatus: ItemStatusBit.editAlone,
})
const asked = {
  serverId: 0,
  fileId: 5,
  fileName: '报价.csv',
  userId: 9,
  userName: '李思远',
  message: '客户等着',
  applyTime: 1,
}
const turn = {
  serverId: 0,
  fileId: 5,
  fileName: '报价.csv',
  version: 4,
  userId: 7,
  userName: 'me',
  lockTime: 1,
  keptUntil: 2,
}
const heard = { fileUnlocked: () => onFileUnlocked(turn), unlockApplied: () => onUnlockApplied(asked) }
/** The dialog stays open, so its result is not awaited. */
const push = (name: keyof typeof heard) => act(async () => void heard[name]())

// [R171] While somebody edits, another person reads, waits in the lock queue, or asks for the file.
// [R171] A lock request carries a reason, shown where it is answered; the request shows who has been editing and since
// when.
it.each([
  [2, '空闲时轮到我', 'fileEditWait', '前面还有 2 人'],
  [3, '请 陈晓 让我编辑', 'fileRequestUnlock', '已请 陈晓 让出'],
] as const)(
  '[R171] a file that somebody edits is asked about, which leads to %i: %s',
  async (place, choice, call, words) => {
    const server = fakeApi({
      getFileInfo: held,
      fileEditWait: { before: 2 },
      getFileLock: { editorId: 8, editorName: '陈晓', lockTime: 1 },
      fileRequestUnlock: { editorId: 8, editorName: '陈晓', lockTime: 1 },
    })
    void openToEdit({ serverId: 0, fId: 5 })
    await until(() => plain(screenText()).includes(choice) && screenText().includes('报价.csv'))
    await click(element(`[role=radiogroup] label:nth-child(${place}) input`))
    await until(() => screenText().includes('开始编辑'))
    if (call === 'fileRequestUnlock') await type('留言给 陈晓（可选）', '我改一下 G 列')
    await click(button('确定'))
    await until(() => screenText().includes(words))
    const message = call === 'fileRequestUnlock' ? { message: '我改一下 G 列' } : {}
    expect(server.inputsOf(call)).toEqual([{ fileId: '5', ...message }])
  },
)

// [R317] The turn in the lock queue is notified unless it is already over, and opens the latest version.
it('[R180] [R317] whose turn it is opens the newest version or leaves it to the next; one that is over by now is not told of', async () => {
  const server = fakeApi({ getFileInfo: { ...held, editorId: 7 }, fileEditUnlock: {} })
  await push('fileUnlocked')
  await until(() => screenText().includes('文件已为你锁定'))
  expect(screenText()).toContain('第 4 版')
  await click(button('让给下一位'))
  await until(() => server.inputsOf('fileEditUnlock').length === 1)
  fakeApi({ getFileInfo: held })
  await push('fileUnlocked')
  expect(windowStore.getState().open).toEqual([])
})

// [R084] A request for a file that is not open in this page is answered in a window; the other dialogs are listed at their
// features.
// [R179] The editor saves and releases the file, or declines, and the requester is notified.
it('[R084] [R179] [R318] who edits it is asked in the editor, and else in a window, whose answer is sent', async () => {
  const told: object[] = []
  const end = registerEditor(5, { lockLost: () => undefined, saveCopy: () => undefined, asked: (by) => told.push(by) })
  await push('unlockApplied')
  await until(() => told.length === 1)
  expect([told, windowStore.getState().open]).toMatchObject([
    [{ fileId: 5, userId: 9, userName: '李思远', message: '客户等着' }],
    [],
  ])
  end()
  const server = fakeApi({ answerUnlockRequest: {} })
  await push('unlockApplied')
  await until(() => screenText().includes('李思远 想编辑这个文件'))
  expect(screenText()).toContain('客户等着')
  await click(button('拒绝'))
  await until(() => screenText().includes('已告诉 李思远 暂时不能交出'))
  expect(server.inputsOf('answerUnlockRequest')).toEqual([{ fileId: 5, userId: 9, approved: false }])
  fakeApi({ answerUnlockRequest: refused('notFound') })
  await push('unlockApplied')
  await until(() => screenText().includes('李思远 想编辑这个文件'))
  await click(button('交出'))
  await until(() => screenText().includes('这个请求已经失效'))
})

// [R173] A person waiting in the editor for a lost lock is notified when saving is possible again.
it('[R173] [R180] whoever waits in the editor for a lock that they lost is told there that they can save again', async () => {
  fakeApi({ getFileInfo: { ...held, editorId: 7 } })
  const end = registerEditor(5, { lockLost: () => undefined, saveCopy: () => undefined, asked: () => undefined })
  await push('fileUnlocked')
  await until(() => screenText().includes('文件已为你锁定，现在可以保存'))
  expect(windowStore.getState().open).toEqual([])
  end()
})

// [R171] A file that the person edits elsewhere is edited here after ending the other lock from here.
it('[R171] what one edits elsewhere oneself is edited here once that is ended, which who was there is told', async () => {
  let isEnded = false
  // A text that is not written together.
  sessionStore.setState(({ session }) => ({
    session: session && {
      ...session,
      serverSetting: {
        ...session.serverSetting,
        setting: { ...session.serverSetting.setting, multi_edit_type: MultiEdit.off },
      },
    },
  }))
  const mine = { ...held, editorId: 7, editorName: 'me', fName: '报价.md' }
  const server = fakeApi({
    getFileInfo: () => (isEnded ? { ...mine, editorId: -1, itemStatus: 0 } : mine),
    fileEditLock: () =>
      isEnded ? { editorId: 7, editorName: 'me', lockTime: 1, expiresAt: 2, version: 3 } : refused('fileLocked'),
    forceUnlockFiles: () => {
      isEnded = true
      return [{ id: '5', name: '报价.md', fId: 5, fType: 1, result: -1, msg: '' }]
    },
  })
  void openToEdit({ serverId: 0, fId: 5 })
  await until(() => plain(screenText()).includes('你正在别处编辑'))
  await click(button('在这里编辑'))
  await until(() => windowStore.getState().open.some(({ name }) => name === 'cloudoc-edit-text'))
  expect(server.inputsOf('forceUnlockFiles')).toEqual([{ fileIdArray: [5], all: false }])
})

// [R172] The edit key leads to reading with the reason where editing is off or MODIFY is missing.
it.each([
  ['with editing off', Right.full, false, '在线编辑已关闭'],
  ['without MODIFY', rightsGroup.download, true, '没有修改权限'],
])('[R172] the key of editing comes to reading with the reason, %s', async (_, rights, online, words) => {
  fakeApi({ getFileInfo: { ...held, editorId: -1, itemStatus: 0, rights } })
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, setting: { ...session.setting, online_edit: online } },
  }))
  const edit = editMenu.find(({ id }) => id === 'edit')
  expect(edit?.refused?.(held, 'tooMany')).toBeUndefined()
  await edit?.refused?.(held, 'noPermission')?.()
  const opened = windowStore.getState().open.at(-1)
  expect([opened?.name, opened?.props]).toMatchObject([
    'cloudoc-edit-table',
    { readOnly: expect.stringContaining(words) as string },
  ])
})
