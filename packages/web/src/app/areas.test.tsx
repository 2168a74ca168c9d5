// @vitest-environment happy-dom
import { defaultSetting, type ItemChange } from '@cloudoc/contract'
import { capabilityNames, type Power } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { faultsOf } from '../../test/area-faults.ts'
import { fakeApi } from '../../test/fake-api.ts'
import * as parking from '../../test/parking/area.tsx'
import { cleanUp, click, element, render, screenText, until } from '../../test/render.tsx'
import { type Area, actionsIn, areas, pushHandlers, refetchAll } from '../core/area/area.ts'
import { shortcutGroups } from '../core/area/shortcuts.ts'
import { t } from '../core/i18n/i18n.ts'
import { actionOfKeys, pressOf } from '../core/menu/action.ts'
import { sessionStore } from '../core/session/session.ts'
import { toastStore } from '../core/toast/toast.ts'
import { windowNames } from '../core/windows/index.ts'
import { type ItemAction, menuOf } from '../items/actions/item-action.tsx'
import { sampleItem } from '../items/item/sample-item.ts'
import type * as Areas from './areas.ts'
import { loadSignedIn } from './join-areas.ts'
import { Pages } from './routes.tsx'
import { prepare } from './start.ts'

// The entry of an area in app/areas.ts.
vi.mock('./areas.ts', async (original) => ({
  ...(await original<typeof Areas>()),
  parking: () => import('../../test/parking/area.tsx'),
}))

/** The lists whose actions are collected. */
const modules = [
  'files',
  'tree',
  'recycle',
  'interest',
  'shared',
  'search',
  'favorite',
  'recent',
  'tag',
  'shown',
  'previewer',
]
const change = { fId: 12, fName: '车库', fType: 2 } as ItemChange

beforeAll(async () => {
  prepare()
  await Promise.all([loadSignedIn(), import('./layout/shell.tsx')])
})
beforeEach(() => {
  parking.log.length = 0
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

describe('an area that is a folder and a line', () => {
  /** Simulates a sign-in with these powers; the page then loads the session. */
  function signInWith(powers: Power[]): void {
    sessionStore.setState({ session: undefined, ended: false })
    document.cookie = 'cloudoc_account=7; Path=/; Max-Age=60'
    const account = { userId: 7, accountId: 7, account: 'linxia', accountName: '林夏', groupId: 1, groupName: '' }
    const setting = { ...defaultSetting.setting, use_websocket: false }
    fakeApi({
      getMyAccountInfo: {
        ...account,
        secretLevel: 0,
        level: 0,
        gender: 1,
        avatar: '',
        isAdmin: false,
        mustChangePassword: false,
        needsSecondFactor: false,
      },
      getServerSetting: JSON.stringify({ ...defaultSetting, setting }),
      getUserPermissionInfo: {
        isAdmin: false,
        isGuest: false,
        secretLevel: 0,
        powers,
        capabilities: [...capabilityNames],
      },
      getRootFolderSetting: { list: [] },
      getUseSpaceSizeInfo: { used: 0, total: 0 },
    })
  }

  it('has its page, its place in the rail, and a beginning and an end', async () => {
    signInWith([])
    await render(<Pages />, '/doc/folder/transfer/doing')
    await until(() => document.querySelector('.shell-rail') !== null)
    expect(document.querySelector('.shell-rail a[href="/doc/admin"]')).toBeNull()
    await click(element('.shell-rail a[href="/doc/folder/parking"]'))
    await until(() => screenText().includes('eleven spaces'))
    expect(element('.shell-rail .active').textContent).toBe('P!停车')
    expect(parking.log).toEqual(['start 7'])
    await cleanUp()
    expect(parking.log).toEqual(['start 7', 'end 7'])
  })

  it('has its pages in the administration, opened by who has their power and locked for the others', async () => {
    signInWith(['system'])
    await render(<Pages />, '/doc/folder/transfer/doing')
    await until(() => document.querySelector('.shell-rail') !== null)
    await click(element('.shell-rail a[href="/doc/admin"]'))
    await until(() => document.querySelector('.ad-nav') !== null)
    await click(element('.ad-nav a[href="/doc/admin/parking-system"]'))
    await until(() => screenText().includes('spaces of system'))
    const locked = [...document.querySelectorAll<HTMLElement>('.ad-nav [aria-disabled]')]
    expect(locked.map(({ dataset }) => dataset['tip'])).toContain('由审计管理员负责')
    await cleanUp()
    await render(<Pages />, '/doc/admin/parking-audit')
    await until(() => screenText().includes('这个页面由审计管理员负责'))
    expect(element('.k-state-ways a').getAttribute('href')).toMatch(/^\/doc\/admin\/./)
    await cleanUp()
    signInWith([])
    await render(<Pages />, '/doc/admin/parking-system')
    await until(() => screenText().includes('没有这个管理页面'))
    expect(element('.k-state-ways a').getAttribute('href')).toBe('/doc/folder/files')
  })

  it('stands in the menu of the files among the others, answers its keys, is in the help, and opens its window', async () => {
    const actions = actionsIn<ItemAction>('files')
    const item = sampleItem({ fId: 1 })
    const allowed = { show: true, enabled: true, reason: undefined }
    const run = (action: ItemAction): void =>
      void action.run({ items: [item], withAll: () => undefined, folder: undefined, by: 'menu', page: undefined })
    const entries = menuOf({ actions, items: [item], verdict: () => allowed, run: (action) => run(action) }, 'items')
    const ids = entries.flatMap((entry) => ('id' in entry ? [entry.id] : []))
    expect(ids.slice(ids.indexOf('cut'), ids.indexOf('move') + 1)).toEqual(['cut', 'copy', 'copyLink', 'book', 'move'])
    expect(shortcutGroups().flatMap(([, list]) => list)).toContainEqual([['Alt+B'], 'parking.book'])
    expect(windowNames()).toContain('parking-book')
    const action = actionOfKeys(actions, pressOf('Alt+B'))
    await render(<p>page</p>)
    if (action !== undefined) run(action)
    await until(() => screenText().includes('which space for 1.docx?') && screenText().includes('停车'))
  })

  it('hears pushes beside the other areas, says what it has to say once, and fetches again', async () => {
    await render(<p>page</p>)
    pushHandlers().fileChange({ ...change, fType: 1 }, undefined)
    expect(parking.log).toEqual(['file 12'])
    pushHandlers().folderChange(change, undefined)
    pushHandlers().folderChange(change, undefined)
    await until(() => screenText().includes('车库 12 is full'))
    expect(toastStore.getState().toasts).toHaveLength(1)
    refetchAll()
    expect(parking.log.at(-1)).toBe('refetch')
  })
})

describe('what an area forgets', () => {
  it('is nothing in those that there are', async () => {
    expect(areas().length).toBeGreaterThan(3)
    await expect(faultsOf(areas(), modules)).resolves.toEqual([])
    expect(t('app.files')).toBe('文件')
  })

  const forgets = (what: Partial<Area>): Promise<string[]> =>
    faultsOf([...areas().filter((area) => area !== parking), { ...parking, ...what }], modules)
  const [book] = parking.menu
  it.each<[string, Partial<Area>, string]>([
    ['a language', { texts: { zh: parking.texts.zh, en: {} } }, 'parking.book is not said in both languages'],
    ['whose a text is', { texts: { zh: { 'app.files': 'a' }, en: {} } }, 'app.files is a text of two areas'],
    ['whose a window is', { windows: { previewer: {} } }, 'previewer is a window of two areas'],
    ['a sample', { windows: { 'parking-book': {} } }, 'parking-book is no window with a sample'],
    [
      'which keys are taken',
      { menu: [{ ...book, keys: ['Ctrl+C'] } as ItemAction] },
      'are the keys of two actions of files',
    ],
    ['which names are taken', { menu: [{ ...book, id: 'copy' } as ItemAction] }, 'copy is two actions of files'],
    [
      'which lists there are',
      { menu: [{ ...book, modules: ['garage'] } as ItemAction] },
      'book is offered in a list that is none',
    ],
    ['a page', { routes: [] }, '/doc/folder/parking stands in the rail and leads nowhere'],
    [
      'which addresses are taken',
      { routes: [{ path: 'files', page: () => null }] },
      '/doc/folder/files is the address of two pages',
    ],
    [
      'which addresses of the administration are taken',
      { adminPages: async () => (await parking.adminPages()).map((page) => ({ ...page, page: 'access' })) },
      '/doc/admin/access is the address of two pages',
    ],
  ])('is found: %s', async (_what, forgotten, fault) => {
    expect((await forgets(forgotten)).join('\n')).toContain(fault)
  })
})
