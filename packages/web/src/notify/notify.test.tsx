// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
// Renders the centre against a fake server.
import type * as Contract from '@cloudoc/contract'
import { noticeGroups, pushes } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeApi, fakeApi, unreachable } from '../../test/fake-api.ts'
import { act, button, cleanUp, click, element, render, screenText, until } from '../../test/render.tsx'
import { loadSignedIn } from '../app/join-areas.ts'
import { type Area, joinArea, pushHandlers } from '../core/area/area.ts'
import { setLocale } from '../core/i18n/i18n.ts'
import {
  centreStore,
  type Group,
  ignore,
  loadNotices,
  type StoredNotice,
  startCentre,
} from '../core/notices/notice-centre.ts'
import { isQuietTime, setNoticePreferences } from '../core/notices/notice-preferences.ts'
import { setLocalFlag } from '../core/session/local-state.ts'
import { accountRecords } from '../core/storage/account-records.ts'
import { windowStore } from '../core/windows/index.ts'
import { Bell } from './bell.tsx'
import { NoticeListPage } from './notice-list-page.tsx'
import { followCentre, panelStore } from './panel-state.ts'

const share = (n: number, more: object = {}) => ({
  serverId: 0,
  remindId: n,
  operatorName: '王敏',
  targetName: '林夏',
  shareType: 0 as const,
  docName: `合同${n}.docx`,
  fId: n,
  fileId: n,
  folderId: 0,
  parentId: 0,
  operate: 11,
  createTime: n,
  ...more,
})
const kept = (n: number, more: Partial<StoredNotice> = {}): StoredNotice => ({
  remindId: n,
  group: 'authorization',
  key: String(n),
  pushType: pushes.shareRemind.type,
  data: share(n),
  time: Date.now(),
  read: false,
  ...more,
})

const answered = ({ data, ...notice }: StoredNotice) => ({ ...notice, message: JSON.stringify(data) })

/** The unread notices on the server. */
let groups: Group[] = []
let server: FakeApi
let stops: (() => void)[] = []
/** Each test uses a new account, so that the browser has no stored data for it. */
let account = 700
const total = (): number => groups.reduce((sum, one) => sum + one.total, 0)
const unread = (...list: StoredNotice[]): void => {
  groups = [...Map.groupBy(list, (one) => one.group)].map(([group, own]) => ({ group, total: own.length, list: own }))
}

const listUnread = () => ({
  total: total(),
  upTo: Math.max(0, ...groups.flatMap(({ list }) => list.map(({ remindId }) => remindId))),
  groups: groups.map((one) => ({ ...one, list: one.list.slice(0, 20).map(answered) })),
})

// The push of a feature that exists only in this test: of equal states only the first notice is shown, and only the
// main server may send it.
vi.mock('@cloudoc/contract', async (importOriginal) => {
  const contract = await importOriginal<typeof Contract>()
  const { z } = await import('zod')
  const madeNotice = contract.push({
    summary: 'test',
    type: 9001,
    delivery: 'confirmed',
    notice: {
      group: 'audit',
      key: ({ state }) => String(state),
      merge: 'later',
      firstOf: ({ state }) => String(state),
      fromMain: true,
      sentence: ({ state }) => ({ zh: 'state {state}', en: 'state {state}', values: { state } }),
    },
    payload: z.strictObject({ serverId: z.int(), remindId: z.int(), state: z.int() }),
  })
  return { ...contract, pushes: { ...contract.pushes, madeNotice } }
})
const madeArea = {
  texts: { zh: {}, en: {} },
  notices: { madeNotice: { icon: () => null } },
} as unknown as Area

beforeAll(async () => {
  await loadSignedIn()
  joinArea(madeArea)
})
beforeEach(() => {
  localStorage.clear()
  setNoticePreferences({ quiet: false, sound: false, desktop: false })
  setLocalFlag('fileChangeNotice', true)
  groups = []
  account += 1
  server = fakeApi({
    getNotices: listUnread,
    ignoreNotices: ({ remindIds, groups: named, all }) => {
      const isRead = (one: StoredNotice): boolean =>
        all === true || (named as string[])?.includes(one.group) || (remindIds as number[])?.includes(one.remindId)
      unread(...groups.flatMap(({ list }) => list.filter((one) => !isRead(one))))
      return { count: 1, ignoredAt: 7 }
    },
    restoreNotices: { count: 1 },
    getNoticeList: ({ keyword = '', group, before, unread: only }) => {
      const list = groups
        .filter((one) => group === undefined || one.group === group)
        .flatMap((one) => one.list)
        .filter(({ data, remindId, read }) => {
          const isBefore = before === undefined || remindId < Number(before)
          return JSON.stringify(data).includes(String(keyword)) && isBefore && (only !== 'true' || !read)
        })
      return { list: list.slice(0, 60).map(answered), hasMore: list.length > 60 }
    },
  })
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await cleanUp()
  await setLocale('zh')
  vi.unstubAllGlobals()
})

/** Simulates a sign-in and renders the bell. */
async function signIn(): Promise<void> {
  stops = [startCentre(account), followCentre(account)]
  await render(<Bell />, '/doc/folder/files')
  await until(() => centreStore.getState().known)
}
const badge = (): string => document.querySelector('.nt-badge')?.textContent ?? ''
const titles = (): string[] => [...document.querySelectorAll('.nt-entry .nt-title')].map((one) => one.textContent ?? '')
const withoutNew = (title: string): string => title.replace('新：', '')
const open = async (): Promise<void> => {
  await click(element('.nt-bell'))
  await until(() => document.querySelector('.nt-panel') !== null)
}

describe('the panel', () => {
  // [R088] The notice panel: the group with the newest notice first, 忽略全部, 应用设置, close; in every skin and in English.
  it('has groups, entries and numbers, three of a group at first, and asks for older ones [R088] [R089] [R090]', async () => {
    unread(...Array.from({ length: 25 }, (_, n) => kept(100 - n)), kept(1, { group: 'email' }))
    await signIn()
    expect(badge()).toBe('26')
    expect(document.querySelector('.nt-panel')).toBeNull()
    await open()
    expect(document.querySelectorAll('.nt-entry')).toHaveLength(4)
    expect(titles()[0]).toContain('王敏 给了你“合同100.docx”的权限')
    expect(screenText()).toContain('26 条，21 条新到')
    expect(screenText()).toContain('还有 22 条')
    await click(button('还有 22 条'))
    expect(document.querySelectorAll('.nt-entry')).toHaveLength(21)
    await click(button('还有 5 条'))
    await until(() => document.querySelectorAll('.nt-entry').length === 26)
    expect(server.inputsOf('getNoticeList')[0]).toMatchObject({ group: 'authorization', unread: 'true', before: '81' })
  })

  // [R395] 应用设置 opens the window of settings, and the folder of an entry opens at its item.
  it('leads to the settings of notices and to the folder of an item [R395]', async () => {
    const changed = {
      serverId: 0,
      fType: 1,
      fId: 9,
      fName: '报价.xlsx',
      parentFolderId: 3,
      operateType: 3,
      operateTime: 1,
    }
    unread(kept(9, { group: 'fileChange', pushType: 6, data: { ...share(9), ...changed } }))
    stops = [startCentre(account), followCentre(account)]
    const Place = () => {
      const { pathname, search } = useLocation()
      return <output>{`${pathname}${search}`}</output>
    }
    await render(
      <>
        <Bell />
        <Place />
      </>,
      '/doc/folder/urge',
    )
    await until(() => centreStore.getState().known)
    await open()
    await click(button('应用设置'))
    expect(windowStore.getState().open.map(({ name }) => name)).toEqual(['cloudoc-setting'])
    windowStore.setState({ open: [] })
    await click(element('[aria-label="打开文件夹"]'))
    await until(() => element('output').textContent.startsWith('/doc/folder/files'))
    expect(decodeURIComponent(element('output').textContent)).toContain('s0f-3')
  })

  // [R096] The panel opens when a notice arrives that this browser has not shown before, and hides at zero.
  it('shows by itself when something comes, without taking the keyboard, and hides at zero [R089] [R096]', async () => {
    await signIn()
    element('.nt-bell').focus()
    pushHandlers().shareRemind(share(3), undefined)
    unread(kept(3))
    await until(() => document.querySelector('.nt-panel') !== null)
    expect(badge()).toBe('1')
    expect(document.activeElement).toBe(element('.nt-bell'))
    await click(button('忽略'))
    await until(() => document.querySelector('.nt-panel') === null)
    expect(badge()).toBe('')
    expect(server.inputsOf('ignoreNotices')[0]).toMatchObject({ remindIds: [3] })
  })

  // [R096] The panel follows the count 100 ms after the last change. One that opened by itself and is not used becomes a
  // line in the corner after 6 s, and has its size again when the next notice arrives or the line is clicked.
  it('shows 100 ms after the last of several notices [R096]', async () => {
    await signIn()
    vi.useFakeTimers()
    try {
      pushHandlers().shareRemind(share(3), undefined)
      await act(() => vi.advanceTimersByTimeAsync(60))
      pushHandlers().shareRemind(share(4), undefined)
      unread(kept(3), kept(4))
      await act(() => vi.advanceTimersByTimeAsync(60))
      expect(document.querySelector('.nt-panel')).toBeNull()
      await act(() => vi.advanceTimersByTimeAsync(2000))
      expect(document.querySelector('.nt-panel')).not.toBeNull()
      const isSmall = () => element('.nt-panel').classList.contains('is-small')
      expect(isSmall()).toBe(false)
      await act(() => vi.advanceTimersByTimeAsync(6000))
      expect([isSmall(), element('.nt-more').textContent]).toEqual([true, '通知 · 2 条，2 条新到'])
      expect(document.querySelector('.nt-entry')).toBeNull()
      pushHandlers().shareRemind(share(5), undefined)
      unread(kept(3), kept(4), kept(5))
      await act(() => vi.advanceTimersByTimeAsync(2000))
      expect([isSmall(), document.querySelectorAll('.nt-entry').length]).toEqual([false, 3])
      await act(() => vi.advanceTimersByTimeAsync(6000))
      await act(async () => element('.nt-more').click())
      expect(isSmall()).toBe(false)
      // A panel that the user opened keeps its size.
      await act(() => vi.advanceTimersByTimeAsync(20_000))
      expect(isSmall()).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not open by itself over filters or a window, nor while somebody types [R096]', async () => {
    await signIn()
    vi.useFakeTimers()
    try {
      const arrives = async (remindId: number): Promise<Element | null> => {
        pushHandlers().shareRemind(share(remindId), undefined)
        unread(kept(remindId))
        await act(() => vi.advanceTimersByTimeAsync(2000))
        return document.querySelector('.nt-panel')
      }
      const filters = document.createElement('div')
      filters.className = 'k-filters'
      const dialog = document.createElement('div')
      dialog.role = 'dialog'
      const field = document.createElement('input')
      for (const [n, open] of [filters, dialog, field].entries()) {
        document.body.append(open)
        open.focus()
        expect([open.outerHTML, await arrives(3 + n)]).toEqual([open.outerHTML, null])
        open.remove()
      }
      expect(await arrives(9)).not.toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not come again for what this browser was told of when the page is loaded again [R096]', async () => {
    await signIn()
    pushHandlers().shareRemind(share(3), undefined)
    unread(kept(3))
    await until(() => document.querySelector('.nt-panel') !== null)
    for (const stop of stops.splice(0)) stop()
    await until(() => document.querySelector('.nt-panel') === null)
    // The notice is unread, so the next page receives its push before loading the list.
    stops = [startCentre(account), followCentre(account)]
    pushHandlers().shareRemind(share(3), undefined)
    await until(() => badge() === '1' && centreStore.getState().known)
    expect(document.querySelector('.nt-panel')).toBeNull()
    pushHandlers().shareRemind(share(4), undefined)
    await until(() => document.querySelector('.nt-panel') !== null)
  })

  it('that comes at the moment of a click on the bell stays, and the next click closes it [R096]', async () => {
    await signIn()
    pushHandlers().shareRemind(share(3), undefined)
    unread(kept(3))
    await until(() => document.querySelector('.nt-panel') !== null)
    await click(element('.nt-bell'))
    expect(document.querySelector('.nt-panel')).not.toBeNull()
    await click(element('.nt-bell'))
    await until(() => document.querySelector('.nt-panel') === null)
  })

  // [R097] Ignoring all marks all notices as read on every machine, and can be undone for 5 s.
  it('ignores all, and undoes that [R097]', async () => {
    unread(kept(1), kept(2, { group: 'email' }))
    await signIn()
    await open()
    await click(button('忽略全部'))
    expect(badge()).toBe('')
    await until(() => screenText().includes('已忽略 2 条通知'))
    expect(server.inputsOf('ignoreNotices')[0]).toMatchObject({ all: true, upTo: 2 })
    // An answer requested before the undo arrives later and is not shown.
    let answer = (): void => undefined
    const before = server.inputsOf('getNotices').length
    server.now({
      getNotices: () => new Promise((resolve) => (answer = () => resolve({ total: 0, upTo: 2, groups: [] }))),
      restoreNotices: () => {
        unread(kept(1))
        return { count: 1 }
      },
    })
    await until(() => server.inputsOf('getNotices').length > before)
    await click(button('撤销'))
    server.now({ getNotices: listUnread })
    answer()
    await until(() => badge() === '1')
    expect(server.inputsOf('restoreNotices')).toEqual([{ ignoredAt: 7 }])
  })

  it('of somebody who has signed out asks nothing, so that whoever comes next begins with their own', async () => {
    vi.useFakeTimers()
    try {
      startCentre(7)()
      await vi.advanceTimersByTimeAsync(2000)
    } finally {
      vi.useRealTimers()
    }
    expect(server.inputsOf('getNotices')).toEqual([])
    expect(centreStore.getState().known).toBe(false)
  })

  it('opened by hand with nothing in it says so, and closes with Escape', async () => {
    await signIn()
    await open()
    expect(screenText()).toContain('没有未读通知')
    const panel = element('.nt-panel')
    expect(document.activeElement).toBe(panel)
    panel.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    await until(() => document.querySelector('.nt-panel') === null)
    expect(document.activeElement).toBe(element('.nt-bell'))
  })

  it('is worked with the keyboard: arrows from entry to entry, Delete ignores', async () => {
    unread(kept(2), kept(1))
    await signIn()
    await open()
    const press = (key: string): boolean =>
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    press('ArrowDown')
    press('ArrowDown')
    expect(document.activeElement?.closest('.nt-entry')?.getAttribute('data-remind')).toBe('1')
    press('Delete')
    await until(() => server.inputsOf('ignoreNotices').length === 1)
    expect(server.inputsOf('ignoreNotices')[0]).toMatchObject({ remindIds: [1] })
  })

  it('follows what was read on another machine, and keeps what came while it asked', async () => {
    unread(kept(1), kept(2))
    await signIn()
    unread(kept(2))
    pushHandlers().noticesRead({}, undefined)
    await until(() => badge() === '1')
    pushHandlers().shareRemind(share(3), undefined)
    loadNotices()
    await until(() => badge() === '2')
    // The server's answer does not contain it yet, and leaves newer notices in the list.
    await until(() => server.inputsOf('getNotices').length >= 3)
    expect(badge()).toBe('2')
    // A notice delivered again after it was read is not new.
    pushHandlers().shareRemind(share(1), undefined)
    await until(() => server.inputsOf('getNotices').length >= 3)
    expect(badge()).toBe('2')
  })

  it('draws a burst of 500 beside a thousand once a frame at most, and speaks both languages', async () => {
    groups = [{ group: 'authorization', total: 999, list: Array.from({ length: 20 }, (_, n) => kept(999 - n)) }]
    await signIn()
    await open()
    // The test controls the animation frames, and the server answers after everything has been drawn.
    let answer = (): void => undefined
    server.now({ getNotices: () => new Promise((resolve) => (answer = () => resolve(listUnread()))) })
    const frames: FrameRequestCallback[] = []
    vi.stubGlobal('requestAnimationFrame', (work: FrameRequestCallback) => frames.push(work))
    let drawn = 0
    stops.push(centreStore.subscribe(() => (drawn += 1)))
    for (const first of [1000, 1250]) {
      const before = drawn
      for (let n = first; n < first + 250; n += 1) pushHandlers().shareRemind(share(n), undefined)
      expect([frames.length, drawn]).toEqual([1, before])
      await act(async () => frames.splice(0).forEach((work) => work(0)))
      expect(drawn).toBe(before + 1)
    }
    expect(titles()).toHaveLength(3)
    expect(centreStore.getState().total).toBe(1000)
    answer()
    server.now({ getNotices: listUnread })
    await setLocale('en')
    await until(() => screenText().includes('Ignore all'))
    expect(titles()[0]).toContain('shared “合同1499.docx” with you')
  })

  it('of which only the first is shown read those behind it when it is clicked, and no later ones', async () => {
    const one = (n: number, state: 1 | 5): StoredNotice => {
      const data = { serverId: 0, remindId: n, state }
      return kept(n, { group: 'audit', key: String(n), pushType: 9001, data })
    }
    unread(one(4, 5), one(3, 1), one(2, 5), one(1, 5))
    await signIn()
    await open()
    expect(titles()).toHaveLength(2)
    // Before the server has answered.
    let answer = (): void => undefined
    server.now({ ignoreNotices: () => new Promise((resolve) => (answer = () => resolve({ count: 3, ignoredAt: 7 }))) })
    await click(element('[data-remind="4"] .nt-text'))
    expect(titles().map(withoutNew)).toEqual(['state 1'])
    expect(badge()).toBe('1')
    unread(one(3, 1))
    answer()
    await until(() => server.inputsOf('getNotices').length === 2)
  })

  // [R094] Downloads by one person are merged into one notice with their number.
  // [R108] A notice of downloads states their number.
  it('says of downloads how many there were, of each person once [R094] [R108]', async () => {
    await signIn()
    const near = {
      ...{ serverId: 0, accountId: 4, account: 'cx', accountName: '陈晓', groupName: '渠道部', time: 1, limit: 20 },
      ...{ remindId: 7, count: 18, state: 'near' as const },
    }
    pushHandlers().downloadAudit(near, undefined)
    await until(() => badge() === '1')
    pushHandlers().downloadAudit({ ...near, remindId: 8, accountId: 5, accountName: '林夏' }, undefined)
    pushHandlers().downloadAudit({ ...near, remindId: 9, count: 20, state: 'reached' }, undefined)
    await until(() => badge() === '2' && titles().length === 2)
    expect(titles().map(withoutNew)).toEqual([
      '陈晓 今天下载了 20 次，达到限额 20',
      '林夏 今天下载了 18 次，接近限额 20',
    ])
  })

  it('says how an application for a link stands, once, and leads to it [R105]', async () => {
    await signIn()
    const asked = {
      ...{ serverId: 0, applicationId: 3, operateType: 2 as const, applicationTitle: '报价.xlsx', fType: 1 as const },
      ...{ applicationTitleType: 1 as const, itemCount: 1, handlerUserName: '', createTime: 1, fId: 5, userId: 9 },
      ...{ userName: '陈晓', externalId: 4, answer: '' },
    }
    pushHandlers().operateApplication({ ...asked, remindId: 7, nodeState: 1 }, undefined)
    await until(() => badge() === '1' && titles().map(withoutNew).join() === '陈晓 申请《报价.xlsx》的外链')
    pushHandlers().operateApplication({ ...asked, remindId: 10, nodeState: 1, reminder: true }, undefined)
    await until(() => titles().map(withoutNew)[0] === '陈晓 申请的《报价.xlsx》外链还在等你审批')
    pushHandlers().operateApplication({ ...asked, remindId: 11, nodeState: 1, late: true }, undefined)
    await until(() => titles().map(withoutNew)[0] === '你为《报价.xlsx》申请的外链已到期限，还没有人审批')
    const decided = { ...asked, handlerUserName: '赵安', answer: '不能外发' }
    pushHandlers().operateApplication({ ...decided, remindId: 8, nodeState: 4 }, undefined)
    await until(() => titles().map(withoutNew)[0] === '《报价.xlsx》的外链没有通过审批')
    expect(screenText()).toContain('赵安：不能外发')
    const revoked = { ...decided, nodeState: 8, reason: 'revoked', answer: '' } as const
    pushHandlers().operateApplication({ ...revoked, remindId: 9 }, undefined)
    await until(() => titles().map(withoutNew)[0] === '《报价.xlsx》的外链审批被撤销，链接已失效')
    const { notice } = pushes.operateApplication
    expect(notice.path?.(revoked)).toBe('/doc/folder/security/apply-link-creation?applicationId=3')
    expect(notice.path?.({ ...asked, nodeState: 1 })).toBe('/doc/folder/security/apply-link-review?applicationId=3')
    expect(notice.path?.({ ...asked, nodeState: 1, late: true })).toBe(
      '/doc/folder/security/apply-link-creation?applicationId=3',
    )
  })

  // [R217] A reminder is worded as one, and so is an overdue request.
  it('says of a request for rights that it waits still, and to who asked that it is late [R217]', async () => {
    await signIn()
    const wanted = {
      ...{ serverId: 0, authorizationId: 3, userId: 9, userName: '陈晓', fType: 1 as const, fId: 5 },
      ...{ fName: '报价.xlsx', right: rightsGroup.download, createTime: 1 },
    }
    pushHandlers().authorizationApply({ ...wanted, remindId: 7 }, undefined)
    await until(() => /^陈晓 申请 .*报价\.xlsx/.test(titles().map(withoutNew)[0] ?? ''))
    pushHandlers().authorizationApply({ ...wanted, remindId: 8, reminder: true }, undefined)
    await until(() => /^陈晓 对 .*的权限申请还在等你处理/.test(titles().map(withoutNew)[0] ?? ''))
    pushHandlers().authorizationReply({ ...wanted, remindId: 9, result: 3, handleTime: 2 }, undefined)
    await until(() => /已到期限，还没有人处理/.test(titles().map(withoutNew).join()))
    expect(document.querySelector('[role=dialog] .message-box')).toBeNull()
  })

  // [R102] Messages of file exchange are accepted from the main server only.
  it('[R102] of which only those of the main server count are taken from no other server, as those of exchanges', async () => {
    expect(pushes.fileExchange.notice.fromMain).toBe(true)
    await signIn()
    const take = pushHandlers() as unknown as Record<string, (payload: object, context: undefined) => void>
    take.madeNotice?.({ serverId: 2, remindId: 7, state: 1 }, undefined)
    take.madeNotice?.({ serverId: 0, remindId: 8, state: 1 }, undefined)
    await until(() => badge() === '1')
    expect(centreStore.getState().groups.flatMap(({ list }) => list.map(({ remindId }) => remindId))).toEqual([8])
  })

  // [R099] The notice of a submission by a program shows for 3 seconds, whether it arrives live or is loaded.
  it('lets go by itself of what was handed in, also of what it found there [R099] [R250]', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const data = { serverId: 0, fType: 1, fId: 9, fName: '报价.xlsx', parentFolderId: 3, version: 2, time: 1 }
    const { type } = pushes.fileSubmitted
    unread(kept(1), kept(2, { group: 'fileSubmit', pushType: type, data: { ...data, remindId: 2 } }))
    await signIn()
    await open()
    expect(titles().map(withoutNew)).toContain('“报价.xlsx”已提交')
    const due = timers.mock.calls.filter(([, after]) => after === 3000)
    timers.mockRestore()
    expect(due).toHaveLength(1)
    await act(async () => due[0]?.[0]())
    await until(() => titles().length === 1)
    expect(server.inputsOf('ignoreNotices')).toEqual([{ remindIds: [2] }])
  })

  it('holds a thousand notices in each of fourteen groups with one screenful drawn', async () => {
    groups = noticeGroups.map((group, g) => ({
      group,
      total: 1000,
      list: Array.from({ length: 20 }, (_, n) => kept((g + 1) * 10_000 - n, { group })),
    }))
    await signIn()
    await open()
    await until(() => document.querySelectorAll('.nt-entry').length === 42)
    expect(badge()).toBe('99+')
  })
})

describe('changes of followed files in this browser', () => {
  const change = (n: number) => ({
    serverId: 0,
    remindId: n,
    pushType: 6,
    fId: n,
    fType: 1 as const,
    fName: `报价${n}.xlsx`,
    fileId: n,
    folderId: 0,
    parentFolderId: 3,
    parentId: 3,
    parentFolderName: '渠道',
    operate: 8,
    operateType: 3,
    operateTime: n,
    operatorId: 9,
    operatorName: '陈晓',
  })
  const changed = (...ns: number[]): void =>
    unread(...ns.map((n) => kept(n, { group: 'fileChange', key: `1 ${n}`, pushType: 6, data: change(n) })))
  const rows = async () =>
    (await accountRecords(account).fileChanges()).map(({ remindId, read }) => `${remindId} ${read}`)
  const reload = async (): Promise<void> => {
    for (const stop of stops.splice(0)) stop()
    await cleanUp()
    stops = [startCentre(account), followCentre(account)]
    await render(<Bell />, '/doc/folder/files')
  }

  // [R354] The latest 100 changes of followed files, each unread until read singly or all at once, on any machine.
  it('are kept with all that they say, unread until they are read singly or all at once, here or elsewhere [R354]', async () => {
    await signIn()
    pushHandlers().followChange(change(1), undefined)
    changed(3, 2, 1)
    await expect.poll(rows).toEqual(['3 false', '2 false', '1 false'])
    const { serverId: _, operate: __, fileId: ___, folderId: ____, parentId: _____, remindId, ...said } = change(1)
    expect((await accountRecords(account).fileChanges())[2]).toEqual({ ...said, remindId: '1', read: false })
    await until(() => titles().length === 3)
    await click(button('忽略'))
    await expect.poll(rows).toEqual(['3 true', '2 false', '1 false'])
    // On another device one more was read, and the first was restored.
    changed(3, 1)
    pushHandlers().noticesRead({}, undefined)
    await expect.poll(rows).toEqual(['3 false', '2 true', '1 false'])
    await click(button('忽略全部'))
    await expect.poll(rows).toEqual(['3 true', '2 true', '1 true'])
    await until(() => server.inputsOf('ignoreNotices').length === 2)
  })

  // [R095] Of several changes of one file the latest is shown; a read notice stays read after a reload, also when the
  // server could not be reached.
  it('stand there after a reload before the server has answered, and what was read while it could not be told stays read [R095]', async () => {
    changed(2, 1)
    await signIn()
    await expect.poll(rows).toEqual(['2 false', '1 false'])
    server.now({ getNotices: unreachable, ignoreNotices: unreachable })
    await reload()
    await until(() => badge() === '2')
    expect(centreStore.getState().known).toBe(false)
    await ignore({ remindIds: [2] }).catch(() => undefined)
    await expect.poll(rows).toEqual(['2 true', '1 false'])
    let told: unknown
    server.now({
      getNotices: listUnread,
      ignoreNotices: ({ remindIds }) => {
        told = remindIds
        changed(1)
        return { count: 1, ignoredAt: 8 }
      },
    })
    await reload()
    await until(() => centreStore.getState().known)
    expect(badge()).toBe('1')
    await until(() => told !== undefined)
    expect(told).toEqual([2])
    expect(await rows()).toEqual(['2 true', '1 false'])
  })

  // [R107] File changes are notified unless turned off, in this window or another one.
  it('are none where nobody wants to hear of them, by a click here or in another window [R107]', async () => {
    changed(2, 1)
    await signIn()
    setLocalFlag('fileChangeNotice', false)
    await until(() => badge() === '')
    localStorage.setItem('fileChangeNotice', 'anything else')
    window.dispatchEvent(new StorageEvent('storage', { key: 'fileChangeNotice' }))
    await until(() => badge() === '2')
  })
})

describe('quiet hours', () => {
  const at = (time: string): Date => new Date(`2026-11-20T${time}:00`)
  it('are from one time to another, over midnight too', () => {
    const night = { desktop: false, sound: false, quiet: true, quietFrom: 22 * 60, quietTo: 8 * 60 }
    const times = ['21:59', '22:00', '03:00', '07:59', '08:00']
    expect(times.map((time) => isQuietTime(night, at(time)))).toEqual([false, true, true, true, false])
    const noon = { ...night, quietFrom: 12 * 60, quietTo: 13 * 60 }
    expect(['11:59', '12:00', '13:00'].map((time) => isQuietTime(noon, at(time)))).toEqual([false, true, false])
    expect(isQuietTime({ ...night, quiet: false }, at('23:00'))).toBe(false)
  })

  it('count what comes and show nothing by themselves', async () => {
    setNoticePreferences({ quiet: true, quietFrom: 0, quietTo: 24 * 60 })
    await signIn()
    pushHandlers().shareRemind(share(1), undefined)
    unread(kept(1))
    await until(() => badge() === '1')
    expect(panelStore.getState().open).toBe(false)
  })
})

describe('the page of the history', () => {
  // [R058] /notify/list: all notices, read and unread, can be searched.
  it('has what was read as well, can be searched, and says when there is nothing [R058]', async () => {
    await render(<NoticeListPage />, '/notify/list')
    await until(() => screenText().includes('还没有通知'))
    await cleanUp()
    unread(kept(2), kept(1, { read: true }))
    await render(<NoticeListPage />, '/notify/list?keyword=合同1')
    await until(() => titles().length === 1)
    expect(titles()[0]).toContain('合同1.docx')
    await cleanUp()
    await render(<NoticeListPage />, '/notify/list?keyword=发票')
    await until(() => screenText().includes('没有符合条件的通知'))
    await click(button('显示全部'))
    await until(() => titles().length === 2)
    expect(document.querySelectorAll('.nt-entry.is-read')).toHaveLength(1)
  })
})
