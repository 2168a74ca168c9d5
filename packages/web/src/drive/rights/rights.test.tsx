// @vitest-environment happy-dom
// Rights on the screen: several items at once, what a change takes, and why something is refused.
import { type CodeName, codes, ItemStatusBit, Right, rightsGroup } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, fakeApi, refused } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, element, press, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { openWindow, windowStore } from '../../core/windows/index.ts'
import { redoLast, undoLast } from '../../items/actions/undo.ts'
import { itemRecord } from '../../items/item/item-record.ts'
import { FolderTree } from '../tree/folder-tree.tsx'

beforeAll(loadSignedIn)
beforeEach(async () => {
  void setLocale('zh')
  signInAs(7)
  connectionStore.setState({ reached: true })
  await render(<p>page</p>)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const { preview, download, edit } = rightsGroup
const entry = (subjectId: number, subjectName: string, rights: number, kind: 'independent' | 'inherited') => ({
  ...{ subjectType: 'user' as const, subjectId, subjectName, rights, kind, expireTime: null, people: 1 },
  source: { folderId: 3, fName: '渠道' },
})
const managed = (fId: number, fName: string) => ({ serverId: 0, fId, fType: 1 as const, fName })
interface Wanted {
  readonly fileId: number
  readonly inherit: boolean
  readonly entries: readonly { readonly subjectId: number; readonly rights: number }[]
}
const inShort = ({ fileId, inherit, entries }: Wanted) => [
  fileId,
  inherit,
  entries.map(({ subjectId, rights }) => `${subjectId} ${rights}`),
]
const previewed = (server: FakeApi) => server.inputsOf('previewShareList').map((one) => inShort(one as never))
const saved = (server: FakeApi) =>
  server.inputsOf('setShareLists').map(({ lists }) => (lists as readonly Wanted[]).map(inShort))
/** Returns an answer for each item. The change ids are derived from the item ids. */
const answersFor = (items: unknown, refuses: (fileId: number) => CodeName | undefined = () => undefined) =>
  (items as readonly { readonly fileId: number }[]).map(({ fileId }) => {
    const code = refuses(fileId)
    const one = { id: `f${fileId}`, fType: 1 as const, name: '' }
    return code === undefined
      ? { ...one, result: -1, msg: '', changeId: fileId * 10 }
      : { ...one, result: codes[code].code, msg: codes[code].zh }
  })
const choose = async (label: string, ...keys: string[]): Promise<void> => {
  await act(async () => element(`[role=combobox][aria-label="${label}"]`).focus())
  for (const key of ['ArrowDown', ...keys, 'Enter']) await press(key)
}
const row = (words: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>('tbody tr')].find((one) => one.textContent.includes(words))
  if (found === undefined) throw new Error(`no row says ${words}: ${screenText()}`)
  return found
}

describe('the rights on several items', () => {
  const effect = { gains: 0, loses: 0, hidden: 0, same: 1, list: [], overridden: [] }
  const lists = {
    1: { inherit: true, restricted: false, entries: [entry(21, '陈晓', preview, 'independent')] },
    2: {
      inherit: true,
      restricted: false,
      entries: [entry(21, '陈晓', edit, 'inherited'), entry(22, '韩梅', preview, 'inherited')],
    },
  }
  let server: FakeApi
  beforeEach(async () => {
    server = fakeApi({
      getShareList: ({ fileId }) => (Number(fileId) === 3 ? refused('noPermission') : lists[Number(fileId) as 1 | 2]),
      previewShareList: effect,
      setShareLists: ({ lists: wanted }) => answersFor(wanted, (fileId) => (fileId === 2 ? 'noPermission' : undefined)),
    })
    const items = [managed(1, '报价.xlsx'), managed(2, '合同.docx'), managed(3, '底价.xlsx')]
    void openWindow('cloudoc-permission', { item: managed(1, '报价.xlsx'), items })
    await until(() => screenText().includes('陈晓'))
  })

  // [R208] The rights on several items are changed in one window, with an answer for each item.
  it('are changed in one window: what is touched on each, what is not stays as it is there, and each has its answer [R208]', async () => {
    expect(row('陈晓').textContent).toMatch(/2 \/ 2 项.*各不相同/)
    expect(row('韩梅').textContent).toContain('1 / 2 项')
    expect(screenText()).toContain('不能管理 底价.xlsx 的权限')
    await choose('陈晓 的权限', 'ArrowDown', 'ArrowDown')
    expect(row('陈晓').textContent).toContain('下载')
    await click(button('保存'))
    await until(() => screenText().includes('已修改 1 项的权限'))
    const wanted = [
      [1, true, [`21 ${download}`]],
      [2, true, [`21 ${download}`]],
    ]
    expect([previewed(server).slice(0, 2), saved(server)]).toEqual([wanted, [wanted]])
    expect(row('报价.xlsx').textContent).toContain('已保存')
    expect(row('合同.docx').textContent).toMatch(/权限/)
    // Saved items are not saved again.
    server.now({ setShareLists: ({ lists: again }) => answersFor(again) })
    await until(() => !button('保存').disabled)
    await click(button('保存'))
    await until(() => document.querySelector('.dr-rights') === null)
    expect(saved(server).slice(1)).toEqual([wanted.slice(1)])
  })

  it('are taken back together, and done again, by one undo; what was changed since is named [R208]', async () => {
    server.now({
      setShareLists: ({ lists: wanted }) => answersFor(wanted),
      undoShareChanges: ({ undone }) => answersFor(undone, (fileId) => (fileId === 2 ? 'alreadyExists' : undefined)),
    })
    await choose('陈晓 的权限', 'ArrowDown', 'ArrowDown')
    await click(button('保存'))
    await until(() => document.querySelector('.dr-rights') === null)
    undoLast()
    await until(() => screenText().includes('之后又改过，请在权限列表里修改'))
    expect(screenText()).toContain('合同.docx')
    const undone = () => server.inputsOf('undoShareChanges').map((one) => one['undone'])
    expect(undone()).toEqual([
      [
        { fileId: 1, changeId: 10 },
        { fileId: 2, changeId: 20 },
      ],
    ])
    await until(() => toastStore.getState().toasts.some(({ text }) => text === '已撤销 1 项的权限修改'))
    redoLast()
    await until(() => undone().length === 2)
    expect(undone()[1]).toEqual([{ fileId: 1, changeId: 10 }])
  })

  it('say what removing takes, item by item, and ask of whoever hides them from many [R208]', async () => {
    server.now({
      previewShareList: ({ fileId }) => (fileId === 2 ? { ...effect, loses: 40, hidden: 40, same: 0 } : effect),
      setShareLists: ({ lists: wanted }) => answersFor(wanted),
    })
    await click(button('移除 韩梅'))
    await until(() => screenText().includes('它在 1 项上来自上级文件夹'))
    await click(button('移除并停止继承'))
    await until(() => screenText().includes('1 项有修改'))
    await click(button('保存'))
    await until(() => screenText().includes('其中一项将有 40 人看不到'))
    expect(row('合同.docx').textContent).toContain('失去 40 人')
    expect(row('报价.xlsx').textContent).toContain('没有改动')
    expect([button('保存').disabled, saved(server)]).toEqual([true, []])
    await click(element('.k-checkbox input, input[type=checkbox]'))
    await click(button('保存'))
    await until(() => document.querySelector('.dr-rights') === null)
    expect(saved(server)).toEqual([[[2, false, [`21 ${edit}`]]]])
  })
})

it('whoever takes the access of forty people is told who they are and says that they know [R208]', async () => {
  const list = Array.from({ length: 40 }, (_, n) => ({
    ...{ userId: n + 50, accountName: `职员${n}`, groupName: '四十人部' },
    ...{ before: download, after: 0 },
  }))
  const server = fakeApi({
    getShareList: { inherit: true, restricted: false, entries: [entry(21, '四十人部', download, 'independent')] },
    previewShareList: { gains: 0, loses: 40, hidden: 40, same: 0, list, overridden: [] },
    setShareList: {},
  })
  void openWindow('cloudoc-permission', { item: managed(1, '四十人的.xlsx') })
  await until(() => screenText().includes('四十人部'))
  await click(button('移除 四十人部'))
  await click(button('保存'))
  await until(() => screenText().includes('40 人将看不到它'))
  expect(screenText()).toContain('失去 40 人 · 获得 0 人 · 不变 0 人')
  expect(screenText()).toContain('职员39')
  expect(button('保存').disabled).toBe(true)
  await click(element('input[type=checkbox]'))
  await click(button('保存'))
  await until(() => document.querySelector('.dr-rights') === null)
  expect(server.inputsOf('setShareList')).toHaveLength(1)
})

describe('an entry of the list', () => {
  const none = { gains: 0, loses: 0, hidden: 0, same: 1, list: [], overridden: [{ userId: 21, by: '外聘' }] }
  const denied = { ...entry(31, '外聘', Right.deny, 'independent'), subjectType: 'group' as const }

  // [R208] An entry overridden by a deny of a department or role is marked in the window.
  it('says that it has no effect where a department of theirs is denied [R208]', async () => {
    const entries = [entry(21, '陈晓', edit, 'independent'), entry(22, '韩梅', edit, 'independent'), denied]
    fakeApi({ getShareList: { inherit: true, restricted: false, entries }, previewShareList: none })
    void openWindow('cloudoc-permission', { item: managed(1, '报价.xlsx') })
    await until(() => screenText().includes('不起作用：“外聘”被禁止访问'))
    expect(row('陈晓').textContent).toContain('不起作用')
    expect(row('韩梅').textContent).not.toContain('不起作用')
  })

  // [R208] [R235] The right to change secret levels is given and shown in the window where secret levels are on.
  it('has the right to change secret levels as a single right, where secret levels are on [R208] [R235]', async () => {
    const server = fakeApi({
      getShareList: { inherit: true, restricted: false, entries: [entry(21, '陈晓', edit, 'independent')] },
      previewShareList: { ...none, overridden: [] },
      setShareList: {},
    })
    const { session } = sessionStore.getState()
    if (session === undefined) throw new Error('nobody is signed in')
    const box = (): HTMLInputElement | undefined =>
      [...document.querySelectorAll('label')].find((one) => one.textContent === '修改密级')?.querySelector('input') ??
      undefined
    void openWindow('cloudoc-permission', { item: managed(1, '报价.xlsx') })
    await until(() => screenText().includes('陈晓'))
    await click(row('陈晓'))
    const switchLevels = (secret_manage: boolean) =>
      act(async () =>
        sessionStore.setState({ session: { ...session, setting: { ...session.setting, secret_manage } } }),
      )
    await switchLevels(false)
    expect(box()).toBeUndefined()
    await switchLevels(true)
    const shown = box()
    if (shown === undefined) throw new Error('the right is not in the window')
    expect(shown.checked).toBe(false)
    await click(shown)
    await until(() => !button('保存').disabled)
    await click(button('保存'))
    await until(() => document.querySelector('.dr-rights') === null)
    const [saved] = server.inputsOf('setShareList') as unknown as { entries: { rights: number }[] }[]
    expect(saved?.entries[0]?.rights).toBe(edit | Right.secretLevel)
  })

  // [R140] An entry expires at a freely chosen moment, set in the windows of permissions and of sharing.
  it('ends at a moment that is named, which is still to come [R140]', async () => {
    const server = fakeApi({
      getShareList: { inherit: true, restricted: false, entries: [entry(21, '陈晓', edit, 'independent')] },
      previewShareList: { ...none, overridden: [] },
      setShareList: {},
    })
    void openWindow('cloudoc-permission', { item: managed(1, '报价.xlsx') })
    await until(() => screenText().includes('陈晓'))
    await choose('陈晓 的到期时间', 'End')
    await until(() => document.querySelector('[aria-label=到期时间]') !== null)
    await type('到期时间', '2020-01-01T18:00')
    expect(button('确定').disabled).toBe(true)
    expect(screenText()).toContain('请选择以后的时间')
    await type('到期时间', '2099-12-31T18:00')
    await click(button('确定'))
    await until(() => !button('保存').disabled)
    await click(button('保存'))
    await until(() => document.querySelector('.dr-rights') === null)
    const [saved] = server.inputsOf('setShareList') as unknown as { entries: { expireTime: number }[] }[]
    expect(saved?.entries[0]?.expireTime).toBe(new Date('2099-12-31T18:00').getTime())
  })
})

describe('why', () => {
  const held = { ...entry(7, '苏读者', preview, 'independent'), step: 'entry' as const }
  const { noPermission, secretLevel, fileLocked, readOnlyFolder, restrictedDocument } = codes
  // The answers of the server.
  const answers = [
    ['没有给的', [held], [['download', 'right download', noPermission.code]], /合并为 预览/],
    ['到期了的', [{ ...held, step: 'expired' as const, expireTime: 1 }], [], /已到期，不再计入/],
    ['有密级的', [held], [['preview', 'secret level', secretLevel.code]], /密级不足/],
    ['受限的', [held], [['download', 'not a restricted document', restrictedDocument.code]], /另受限制.*受限文档/],
    ['在编辑的', [held], [['rename', 'not edited by somebody else', fileLocked.code]], /文件已被锁定/],
    ['只读的', [held], [['rename', 'not a read-only folder', readOnlyFolder.code]], /只读文件夹/],
  ] as const

  // [R208] A refusal names the entry or state that causes it, whom to ask, and offers a request.
  it.each(answers)('is said of what is refused, with whom to ask: %s [R208]', async (fName, steps, limits, words) => {
    fakeApi({
      getRightsReasons: {
        ...{ userId: 7, accountName: '苏读者', rights: preview, steps: [...steps] },
        limits: limits.map(([action, fact, result]) => ({ action, fact, result })),
        grants: [],
      },
      getItemManagers: { list: [{ userId: 9, accountName: '何经理' }] },
    } as never)
    void openWindow('drive-why', {
      item: managed(5, fName),
      refused: { action: 'drive.menu.download', reason: 'noPermission' },
    })
    await until(() => screenText().includes('需要更多权限，可以联系 何经理'))
    expect(screenText()).toMatch(words)
    expect(screenText()).toContain('不能下载：')
    expect(button('申请授权…').disabled).toBe(false)
  })

  // From the grant of another person one reaches its application, if one may read it.
  it('leads from the grants of another person to their applications [R251]', async () => {
    const grant = { version: 1, onlyVersion: false, count: 3, used: 1, endTime: Date.now() + 86_400_000 }
    fakeApi({
      getRightsReasons: {
        ...{ userId: 7, accountName: '苏读者', rights: preview, steps: [], limits: [] },
        grants: [
          { ...grant, applicationId: 41, mayOpen: true },
          { ...grant, applicationId: 42, mayOpen: false },
        ],
      },
      getItemManagers: { list: [] },
    })
    void openWindow('drive-why', { item: managed(5, '合同.docx'), userId: 7 })
    await until(() => screenText().includes('共 3 次，已用 1 次'))
    const open = [...document.querySelectorAll('button')].filter((one) => one.textContent === '查看申请')
    expect(open).toHaveLength(1)
    await click(open[0] as HTMLElement)
    expect(windowStore.getState().open.at(-1)).toMatchObject({
      ...{ name: 'cloudoc-apply-download-detail', props: { applicationId: 41 } },
    })
  })

  // [R143] A folder in the tree has its menu; a disabled entry says why.
  it('is what an entry says that cannot be chosen, in the menu of a folder in the tree too [R143]', async () => {
    const library = {
      fId: 1,
      fName: '林夏',
      nameSort: '林夏',
      kind: 'company',
      itemIdStr: 's0f-1',
      rights: edit,
    } as const
    const folder = itemRecord({
      ...{ fId: 1, fName: '林夏', fType: 2, parentFolderId: 30, rights: edit },
      itemStatus: ItemStatusBit.folderReadOnly,
    })
    fakeApi({
      getRootFolderSetting: { list: [library] } as never,
      getFoldersWithSubfolders: { folderIds: [] },
      getFolderInfo: folder,
      getRightsReasons: { userId: 7, accountName: '林夏', rights: edit, steps: [], limits: [], grants: [] },
      getItemManagers: { list: [] },
    })
    await cleanUp()
    await render(<FolderTree current={undefined} onGo={() => undefined} menus />)
    await until(() => document.querySelector('[role=treeitem]') !== null)
    await act(async () => {
      const at = { bubbles: true, cancelable: true, clientX: 30, clientY: 40 }
      element('[role=treeitem]').dispatchEvent(new MouseEvent('contextmenu', at))
    })
    await until(() => document.querySelector('[role=menu]') !== null)
    const entries = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
    expect(entries.map(({ dataset }) => dataset['label'])).toEqual(expect.arrayContaining(['下载', '复制', '移动到…']))
    const removing = element('[role=menuitem][data-id=delete]')
    expect(removing.getAttribute('aria-disabled')).toBe('true')
    await click(removing)
    await until(() => screenText().includes('不能删除：'))
    expect(document.querySelector('[role=menu]')).toBeNull()
    await until(() => screenText().includes('你对“林夏”的权限'))
  })
})
