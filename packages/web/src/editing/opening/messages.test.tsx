// @vitest-environment happy-dom
// What is said of a file that does not open for editing, or not as wished, in both languages ([R185]).
import { ItemStatusBit, Right } from '@cloudoc/domain'
import { afterEach, beforeAll, it, vi } from 'vitest'
import { fakeApi, refused, unreachable } from '../../../test/fake-api.ts'
import { cleanUp, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { windowStore } from '../../core/windows/index.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { TransferFailure } from '../../transfer/engine/states.ts'
import { transfers } from '../../transfer/tasks/transfers.ts'
import { askConflict } from '../conflict/ask-conflict.ts'
import { openToEdit } from './open-to-edit.ts'

interface Case {
  readonly name?: string
  readonly rights?: number
  readonly status?: number
  readonly editorId?: number
  readonly setting?: {
    readonly online_edit?: boolean
    readonly local_edit?: boolean
    readonly multi_edit_type?: number
  }
  readonly platform?: string
  readonly answer?: Parameters<typeof fakeApi>[0]
  /** Of the lock. */
  readonly refusal?: TransferFailure
  readonly open?: () => unknown
  readonly zh: string
  readonly en: string
}

const canRead = Right.display + Right.preview + Right.download
const item = ({ name = '纪要.md', rights = Right.full, status = 0, editorId = 0 }: Case) =>
  sampleItem({
    ...{ fId: 5, fType: 1, fName: name, extName: name.split('.').at(-1) ?? '', version: 3, rights },
    ...{ itemStatus: status, editorId, editorName: editorId > 0 ? '周敏' : '' },
  })

/** The nine messages of the row, by what they say. */
const cases: Record<string, Case> = {
  'cannot lock the file': {
    name: '预算.csv',
    refusal: new TransferFailure('fileLocked'),
    zh: '文件已被锁定',
    en: 'file locked',
  },
  'a new version exists on the cloud': {
    open: () => void askConflict({ serverId: 0, fId: 5 }, 2, new TextEncoder().encode('我的')),
    zh: '文件在你编辑时有了新版本',
    en: 'The file got a new version while you were editing',
  },
  'the format is not supported for editing by several': {
    name: '图纸.dwg',
    status: ItemStatusBit.editMulti,
    zh: '这个格式不支持多人编辑，以只读打开',
    en: 'This format cannot be edited together; opened read-only',
  },
  'no edit rights': {
    rights: canRead,
    zh: '没有修改权限，以只读打开',
    en: 'You may not change this file; opened read-only',
  },
  'online edit is off': {
    setting: { online_edit: false },
    zh: '在线编辑已关闭，以只读打开',
    en: 'Editing in the page is off; opened read-only',
  },
  'the plugin is missing': {
    name: '图纸.dwg',
    setting: { local_edit: true },
    zh: '没有找到编辑控件',
    en: 'the edit control was not found',
  },
  'the operating system is not supported': {
    name: '图纸.dwg',
    setting: { local_edit: true },
    platform: 'iPhone',
    zh: '不支持这台设备的操作系统',
    en: 'The operating system of this device is not supported',
  },
  'open error': {
    answer: { getFileInfo: unreachable },
    zh: '无法连接到网络',
    en: 'Can not connect to Internet',
  },
  'the file does not exist': {
    answer: { getFileInfo: refused('notFound') },
    zh: '不存在或已被删除',
    en: 'Not found',
  },
}

/** What the page says, with the reason that an editor is opened with. */
const said = (): string => {
  const reasons = windowStore
    .getState()
    .open.map(({ props }) => (props as { readonly readOnly?: string }).readOnly ?? '')
  return [screenText(), ...reasons].join('\n')
}

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

// [R185] Each of the nine messages is shown, in Chinese and in English.
it.each(
  Object.entries(cases).flatMap(([what, of]) => [
    [what, 'zh', of],
    [what, 'en', of],
  ]) as [string, 'zh' | 'en', Case][],
)('[R185] %s: %s', async (_, locale, one) => {
  await setLocale(locale)
  signInAs(7)
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, setting: { ...session.setting, online_edit: true, ...one.setting } },
  }))
  if (one.platform !== undefined) vi.spyOn(navigator, 'platform', 'get').mockReturnValue(one.platform)
  class NobodyAnswers {
    onerror: (() => void) | undefined
    constructor() {
      queueMicrotask(() => this.onerror?.())
    }
    close(): void {}
  }
  vi.stubGlobal('WebSocket', NobodyAnswers)
  fakeApi({ getFileInfo: item(one), getEditControlVersion: { version: '1.4.0', address: '' }, ...one.answer })
  if (one.refusal !== undefined) vi.spyOn(transfers.edits, 'lock').mockRejectedValue(one.refusal)
  await render(<p>page</p>)
  void (one.open ?? (() => openToEdit({ serverId: 0, fId: 5 })))()
  await until(() => said().includes(one[locale]))
})
