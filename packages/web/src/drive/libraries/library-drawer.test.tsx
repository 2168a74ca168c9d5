// @vitest-environment happy-dom
// The details of a library, as its administrator changes them.
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, element, press, render, screenText, type, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { LibraryDrawer } from './library-drawer.tsx'
import { type LibraryInfo, useLibraries } from './library-queries.ts'

beforeAll(loadSignedIn)
beforeEach(async () => {
  await setLocale('zh')
  signInAs(1, '林夏')
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const library: LibraryInfo = {
  libraryId: 4,
  kind: 'project',
  name: '市场资料',
  groupId: 5,
  groupName: '市场中心',
  ownerId: 0,
  ownerName: '',
  managers: [],
  quota: 0,
  used: 0,
  keptVersions: null,
  keptDays: null,
  binDays: null,
  fileLimit: 0,
  readOnly: false,
  entries: [],
  createTime: 1,
  closeTime: 0,
}

function Drawer(): ReactNode {
  const found = useLibraries({ state: 'all', keyword: '' }).data?.pages[0]?.list[0]
  return found && <LibraryDrawer library={found} onClose={() => undefined} />
}

it('compares with what the server answered after a save, not with what was typed', async () => {
  let saved = library
  const server = fakeApi({
    getLibraries: () => ({ list: [saved], total: 1, personal: { count: 0, used: 0 } }),
    searchItem2: { list: [{ type: 'user', id: 7, name: '王敏', groupName: '市场中心' }] },
    changeLibrary: () => {
      // The server stores the name without spaces, and names a manager by the account.
      saved = { ...saved, name: '市场资料库', managers: [{ userId: 7, accountName: '王敏（wangmin）' }] }
      return {}
    },
  })
  await render(<Drawer />)
  await until(() => screenText().includes('市场资料'))
  await type('名称', ' 市场资料库 ')
  await act(async () => element('[role=combobox][aria-label=管理员]').focus())
  await type('管理员', '王敏')
  await until(() => document.querySelector('[role=option]') !== null)
  await press('ArrowDown')
  await press('Enter')
  expect(screenText()).toContain('2 处修改未保存')
  await click(button('保存'))
  await until(() => server.inputsOf('changeLibrary').length === 1)
  expect(server.inputsOf('changeLibrary')).toEqual([{ libraryId: 4, name: '市场资料库', managerIds: [7] }])
  await until(() => !screenText().includes('未保存'))
  expect((element('input[aria-label=名称]') as HTMLInputElement).value).toBe('市场资料库')
  expect(screenText()).toContain('王敏（wangmin）')
})

it('empties a typed limit when the changes are discarded', async () => {
  fakeApi({ getLibraries: { list: [library], total: 1, personal: { count: 0, used: 0 } } })
  await render(<Drawer />)
  await until(() => screenText().includes('市场资料'))
  await type('配额', '20')
  expect(screenText()).toContain('1 处修改未保存')
  await click(button('放弃'))
  expect((element('input[aria-label=配额]') as HTMLInputElement).value).toBe('')
})
