// @vitest-environment happy-dom
// Whose turn it is, at the screen: what is chosen while somebody edits, who is told, and what their answer sends.
import { ItemStatusBit, Right } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join.ts'
import { pushHandlers } from '../../core/area/area.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { windowStore } from '../../core/windows/index.ts'
import { sampleItem } from '../item/sample-item.ts'
import { openToEdit } from './open.ts'
import { editorOpened } from './open-editors.ts'

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

const held = sampleItem({
  ...{ fId: 5, fName: '报价.csv', editorId: 8, editorName: '陈晓', rights: Right.full, version: 3 },
  itemStatus: ItemStatusBit.editAlone,
})
const asked = { serverId: 0, fileId: 5, fileName: '报价.csv', userId: 9, userName: '李思远', applyTime: 1 }
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
const push = (name: 'fileUnlocked' | 'unlockApplied', payload: object) =>
  act(async () => (pushHandlers()[name] as (told: object, context: undefined) => void)(payload, undefined))

it.each([
  ['空闲时轮到我', 'fileEditWait', '前面还有 2 人'],
  ['请对方让我编辑', 'fileRequestUnlock', '已请 陈晓 让出'],
] as const)('[R171] a file that somebody edits is asked about, which leads to %s', async (choice, call, words) => {
  const server = fakeApi({
    getFileInfo: held,
    fileEditWait: { before: 2 },
    fileRequestUnlock: { editorId: 8, editorName: '陈晓', lockTime: 1 },
  })
  void openToEdit(5)
  await until(() => screenText().includes('陈晓 正在编辑“报价.csv”'))
  await click(button(choice))
  await until(() => screenText().includes(words))
  expect(server.inputsOf(call)).toHaveLength(1)
})

it('[R180] [R317] whose turn it is opens the newest version or leaves it to the next; one that is over by now is not told of', async () => {
  const server = fakeApi({ getFileInfo: { ...held, editorId: 7 }, fileEditUnlock: {} })
  await push('fileUnlocked', turn)
  await until(() => screenText().includes('文件已为你锁定'))
  expect(screenText()).toContain('第 4 版')
  await click(button('让给下一位'))
  await until(() => server.inputsOf('fileEditUnlock').length === 1)
  fakeApi({ getFileInfo: held })
  await push('fileUnlocked', turn)
  expect(windowStore.getState().open).toEqual([])
})

it('[R179] [R318] who edits it is asked in the editor, and else in a window, whose answer is sent', async () => {
  const heard: object[] = []
  const end = editorOpened(5, { lockLost: () => undefined, saveCopy: () => undefined, asked: (by) => heard.push(by) })
  await push('unlockApplied', asked)
  expect([heard, windowStore.getState().open]).toMatchObject([[{ fileId: 5, userId: 9, userName: '李思远' }], []])
  end()
  const server = fakeApi({ answerUnlockRequest: {} })
  await push('unlockApplied', asked)
  await until(() => screenText().includes('李思远 想编辑这个文件'))
  await click(button('拒绝'))
  await until(() => screenText().includes('已告诉 李思远 暂时不能交出'))
  expect(server.inputsOf('answerUnlockRequest')).toEqual([{ fileId: 5, userId: 9, approved: false }])
  fakeApi({ answerUnlockRequest: refused('notFound') })
  await push('unlockApplied', asked)
  await until(() => screenText().includes('李思远 想编辑这个文件'))
  await click(button('交出'))
  await until(() => screenText().includes('这个请求已经失效'))
})
