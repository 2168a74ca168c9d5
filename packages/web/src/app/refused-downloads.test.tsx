// @vitest-environment happy-dom
// From each refused download or link its application is one click away, with the items filled in ([R145], [R251]).
import { OperationBit, Right, rightsGroup } from '@cloudoc/domain'
import { useEffect } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, refused } from '../../test/fake-api.ts'
import { act, button, cleanUp, click, render, screenText, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { actionsIn } from '../core/area/area.ts'
import { setLocale } from '../core/i18n/i18n.ts'
import type { MenuEntry } from '../core/menu/menu.ts'
import { connectionStore } from '../core/push/connection.ts'
import { windowStore } from '../core/windows/index.ts'
import { takeVersion } from '../drive/property/version-operations.ts'
import type { ActionContext } from '../items/actions/actions.ts'
import { type ItemAction, menuOf, verdictOf } from '../items/actions/item-action.tsx'
import { notifyRefusal } from '../items/actions/refusals.ts'
import { useActionContext } from '../items/actions/use-action-context.ts'
import { sampleItem } from '../items/item/sample-item.ts'
import type { TaskView } from '../transfer/engine/live-task.ts'
import { TaskStrips } from '../transfer/screens/task-parts.tsx'
import { downloadItems } from '../transfer/tasks/menu.tsx'
import { loadSignedIn } from './join-areas.ts'

const look = Right.display | Right.preview
const seen = sampleItem({ fId: 1, fName: '只能看.txt', rights: look })
const bound = sampleItem({
  ...{ fId: 2, fName: '要申请.txt', rights: rightsGroup.download },
  operations: OperationBit.downloadByApplication,
})
const free = sampleItem({ fId: 3, fName: '随便下.txt', rights: rightsGroup.download })
const granted = sampleItem({
  ...bound,
  fId: 4,
  fName: '已批准.txt',
  operations: OperationBit.downloadByApplication | OperationBit.downloadGranted,
})

let context: ActionContext
function Reads({ onRead }: { readonly onRead: (read: ActionContext) => void }) {
  const read = useActionContext()
  useEffect(() => onRead(read), [read, onRead])
  return <p>page</p>
}
const keep = (read: ActionContext): void => {
  context = read
}
beforeAll(loadSignedIn)
beforeEach(async () => {
  void setLocale('zh')
  signInAs(9)
  connectionStore.setState({ reached: true })
  fakeApi({ getApplyTerms: refused('badRequest') })
  await render(<Reads onRead={keep} />)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

/** The names of the items that the window of applications was opened with. */
const applied = (window = 'cloudoc-apply-download'): unknown[] =>
  windowStore
    .getState()
    .open.filter(({ name }) => name === window)
    .map(({ props }) => (props as { items: { fName: string }[] }).items.map(({ fName }) => fName))

const entriesOf = (items: readonly (typeof seen)[]) => {
  const able = {
    actions: actionsIn<ItemAction>('files'),
    items,
    verdict: (action: ItemAction) => verdictOf(action, { items, count: items.length, folder: undefined, context }),
    run: (action: ItemAction) =>
      void action.run({ items, withAll: (all) => void all(items), folder: undefined, by: 'menu', page: undefined }),
  }
  const entries: MenuEntry[] = menuOf(able, 'items')
  return (id: string) => entries.find((entry) => !('separator' in entry) && entry.id === id)
}

test.each([
  ['one that may only be seen', [seen], ['只能看.txt']],
  ['one that a rule binds', [bound], ['要申请.txt']],
  ['several', [seen, bound], ['只能看.txt', '要申请.txt']],
  ['several of which some are free', [free, bound, seen], ['要申请.txt', '只能看.txt']],
  ['several of which one is granted', [granted, seen], ['只能看.txt']],
])('in the menu of %s, in place of the download', async (_, items, wanted) => {
  const entry = entriesOf(items)
  expect(entry('download')).toBeUndefined()
  const apply = entry('apply-download')
  await act(async () => void (apply !== undefined && 'run' in apply && apply.run?.()))
  expect(applied()).toEqual([wanted])
})

test('links to several are applied for where one of them needs it', async () => {
  const own = { rights: rightsGroup.full }
  const open = sampleItem({ fId: 6, fName: '可外链.txt', ...own })
  const closed = sampleItem({ fId: 7, fName: '外链要申请.txt', ...own, operations: OperationBit.linkByApplication })
  const apply = entriesOf([open, closed])('apply-link')
  await act(async () => void (apply !== undefined && 'run' in apply && apply.run?.()))
  expect(applied('cloudoc-apply-link')).toEqual([['外链要申请.txt']])
  expect(entriesOf([open, open])('apply-link')).toBeUndefined()
})

test('not where all may be downloaded', () => {
  const entry = entriesOf([free, granted])
  expect([entry('download') === undefined, entry('apply-download') === undefined]).toEqual([false, true])
})

test('from the shortcut, with the whole selection', async () => {
  const [items, all] = [
    [free, bound],
    [free, bound, seen],
  ]
  const { reason } = verdictOf(downloadItems, { items, count: 3, folder: undefined, context })
  const withAll = (run: (all: readonly (typeof seen)[]) => unknown): void => void run(all)
  await act(async () =>
    notifyRefusal({
      action: downloadItems,
      reason: reason ?? 'notFound',
      items,
      withAll,
      selectOne: () => undefined,
      context,
    }),
  )
  await click(button('申请下载'))
  expect(applied()).toEqual([['要申请.txt', '只能看.txt']])
})

test('from an old version that may be neither downloaded nor looked at', async () => {
  const named = sampleItem({ fId: 5, fName: '名称.txt', rights: Right.display })
  await act(async () => takeVersion(named, { version: 1, fileSize: 3 } as Parameters<typeof takeVersion>[1], context))
  expect(screenText()).toContain('不能下载：没有权限')
  await click(button('申请下载'))
  expect(applied()).toEqual([['名称.txt']])
})

test('from a transfer that the server refused', async () => {
  const items = new Map([bound, seen].map((item) => [`s0f${item.fId}`, item]))
  fakeApi({
    getApplyTerms: refused('badRequest'),
    getFileItemInfo: ({ itemIdStr }) => items.get(String(itemIdStr)) ?? refused('notFound'),
  })
  const source = { address: '/DownloadMultiFile', fileIdArray: [2, 1, 404], folderIdArray: [] }
  const task = {
    ...{ taskId: 1, type: 'download', status: 'completed', kind: 'noAccess', clashes: 0, missing: 0, source },
    ...{ totalFileCount: 1, errorFileCount: 1, errorFiles: [{ name: '要申请.txt', error: 'noPermission' }] },
  } as unknown as TaskView
  await cleanUp()
  await render(<TaskStrips task={task} />)
  await until(() => screenText().includes('申请下载'))
  await click(button('申请下载…'))
  expect(applied()).toEqual([['要申请.txt', '只能看.txt']])
})
