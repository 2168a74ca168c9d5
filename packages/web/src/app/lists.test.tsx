// @vitest-environment happy-dom
// Lists that differ in what they hold have the same manners: keys that work in one work in all.
import type { Authorization, DownloadApplication } from '@cloudoc/contract'
import { LinkStatus, linkRights, rightsGroup } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fakeApi } from '../../test/fake-api.ts'
import { act, cleanUp, element, press, render, screenText, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { CreationList, ReviewList } from '../approvals/authorization/request-list.tsx'
import { DownloadReviews } from '../approvals/downloads/download-list.tsx'
import { closeMenu, menuStore } from '../core/menu/menu.ts'
import { FavoriteView } from '../drive/favorites/favorite-view.tsx'
import { WatchChanges, WatchDownloads } from '../drive/follow/follow-view.tsx'
import { RecentChange, RecentHistory, RecentLocked, RecentSubmit } from '../drive/recent/recent-view.tsx'
import { SharedByMe, SharedWithMe } from '../drive/rights/shared-view.tsx'
import { TagView } from '../drive/tags/tag-view.tsx'
import { sampleItem } from '../items/item/sample-item.ts'
import { forgetDrive } from '../items/lists/lists.ts'
import { LinksForMe, LinksMade } from '../sharing/links/link-pages.tsx'
import { loadSignedIn } from './join-areas.ts'

const names = ['alpha.txt', 'beta.txt', 'gamma.txt'] as const
const items = names.map((fName, n) => sampleItem({ fId: n + 1, fName, modifyTime: 9000 - n }))
const pageWith = <M extends object>(more: M) => ({
  list: items.map((item) => ({ ...item, ...more })),
  total: items.length,
})
const change = { changeFrom: 0, changeCount: 1, changeComment: '', changeRestored: 0, isNew: false }
const shared = { shareTime: 1, shareNames: ['陈晓'], expireTime: null }
const links = names.map((fName, n) => ({
  ...{ externalId: n + 1, fType: 1 as const, fId: n + 1, fName, extName: 'txt', greeting: '', note: '', creatorId: 7 },
  ...{ creatorName: '陈晓', createTime: 1, rights: linkRights.preview, hasPassword: false, startTime: 1, endTime: 0 },
  ...{ visitLimit: 0, downloadLimit: 0, visits: 0, downloads: 0, people: [], mails: [], isNamed: true },
  ...{ status: LinkStatus.active, reason: 'active' as const, mayManage: true, linkToken: 'abc', password: '' },
  ...{ notify: false, watermark: false, watermarkTemplateId: 0, item: null },
}))
const requests = names.map(
  (fName, n): Authorization => ({
    ...{ authorizationId: n + 1, userId: 8, userName: '贝恩', groupName: '市场部', fType: 1, fId: 3, fName },
    ...{ pathString: '渠道/合同.txt', secretLevel: 0, right: rightsGroup.download, deadline: null, comments: '' },
    ...{ createTime: 1, handleBefore: null, state: 'pending', given: null, handleTime: null, answer: '' },
    ...{ waitsFor: [], isAwaited: true, handledBy: null },
  }),
)
const asked = {
  ...{ userId: 8, groupName: '市场部', comments: '', createTime: 1, handleBefore: null, handleTime: null },
  ...{ state: 'pending' as const, answer: '', isAwaited: true, handledBy: null },
}
// Download requests have no name of their own: each row is identified by the requester.
const downloadRequests = names.map(
  (userName, n): DownloadApplication => ({
    ...{ ...asked, userName, waitsFor: [], reviewId: n + 1, count: 3, taken: 5, limit: 5, given: 0 },
  }),
)

beforeAll(loadSignedIn)
afterEach(async () => {
  closeMenu()
  forgetDrive()
  await cleanUp()
  vi.unstubAllGlobals()
})

async function show(screen: ReactNode, address: string): Promise<void> {
  signInAs(7)
  fakeApi({
    getRecentHistory: pageWith({ recentTime: 1, recentAct: 'open' as const }),
    getRecentLocked: pageWith({ lockTime: 1 }),
    getRecentSubmit: pageWith({ submitTime: 1, submitVersion: 1 }),
    getRecentChange: pageWith(change),
    getFavoriteList: pageWith({ favoriteTime: 1 }),
    getInterestList: pageWith({ followedUsers: [], followedGroups: [] }),
    getTagList: { list: [] },
    getTagItems: { ...pageWith({}), tags: [] },
    getItemTags: { list: [] },
    getMyShareList: pageWith(shared),
    getSharedToMeList: pageWith(shared),
    getLinkCreationList: { list: links, total: 3 },
    getLinkSharedList: { list: links, total: 3 },
    getAuthorizationReviewList: { list: requests, total: 3 },
    getAuthorizationCreationList: { list: requests, total: 3 },
    getMoreDownloadsReviewList: { list: downloadRequests, total: 3 },
    getReviewStandIn: { standIn: null },
    getCounters: { list: [] },
  })
  await render(screen, address)
  await until(() => screenText().includes('gamma'))
}

/** The row with keyboard focus. */
const here = (): string => names.find((name) => document.activeElement?.textContent?.includes(name)) ?? ''
const openMenuByKey = () =>
  act(async () => {
    const init = { bubbles: true, cancelable: true, clientX: 0, clientY: 0 }
    document.activeElement?.dispatchEvent(new MouseEvent('contextmenu', init))
  })

/** Checks arrow keys, Home and End, letters and the menu key, starting from the first row. */
async function expectManners(letter = 'g'): Promise<void> {
  expect(here()).toBe('alpha.txt')
  for (const [key, row] of [
    ['ArrowDown', 'beta.txt'],
    ['End', 'gamma.txt'],
    ['ArrowUp', 'beta.txt'],
    ['Home', 'alpha.txt'],
    [letter, 'gamma.txt'],
  ] as const) {
    await press(key)
    expect([key, here()]).toEqual([key, row])
  }
  await openMenuByKey()
  await until(() => (menuStore.getState().menu?.entries.length ?? 0) > 0)
  closeMenu()
}

// [R249] History, locked, submit, change, favourites, tags, followed and shared items have the keys of the files view.
test.each([
  ['history', RecentHistory, '/doc/folder/recently/history'],
  ['locked', RecentLocked, '/doc/folder/recently/locked'],
  ['submit', RecentSubmit, '/doc/folder/recently/submit'],
  ['change', RecentChange, '/doc/folder/recently/change'],
  ['favourites', FavoriteView, '/doc/folder/favorite'],
  ['a tag', TagView, '/doc/folder/tag?tagIds=3'],
  ['followed', WatchChanges, '/doc/folder/cooperate/watch-change'],
  ['followed for downloads', WatchDownloads, '/doc/folder/cooperate/watch-download'],
  ['shared with me', SharedWithMe, '/doc/folder/share/permission-shared'],
  ['shared by me', SharedByMe, '/doc/folder/share/permission-creation'],
])('[R249] the list “%s” has the keys of the files view', async (_, Screen, address) => {
  await show(<Screen />, address)
  element('.dr-scroll').focus()
  await press('Home')
  await expectManners()
  const chosen = () => document.querySelectorAll('.dr-row[aria-selected=true]').length
  await press('a', { ctrlKey: true })
  expect(chosen()).toBe(3)
  await press('Escape')
  expect(chosen()).toBe(0)
  await press('Home')
  await press('ArrowDown', { shiftKey: true })
  expect(chosen()).toBe(2)
  await press('ArrowDown', { ctrlKey: true })
  await press(' ', { ctrlKey: true })
  expect(chosen()).toBe(3)
})

// [R249] Lists of links and of all kinds of requests have the same keys, a menu for each row, one Tab stop, and Delete
// cancels a link after a question.
test.each([
  ['my links', LinksMade, '/doc/folder/share/link-creation', 'g'],
  ['links for me', LinksForMe, '/doc/folder/share/link-shared', 'g'],
  ['requests to decide', ReviewList, '/doc/folder/share/auth-review', 'g'],
  ['requests of mine', CreationList, '/doc/folder/share/auth-creation', 'g'],
  ['downloads to decide', DownloadReviews, '/doc/folder/share/download-review', 'End'],
] as const)('[R249] the list “%s” is gone through by the same keys', async (_, Screen, address, letter) => {
  await show(<Screen />, address)
  element('[data-list-row]').focus()
  await expectManners(letter)
  // Tab leaves the list: one of its rows is a tab stop, the others are not.
  expect([...document.querySelectorAll<HTMLElement>('[data-list-row]')].map(({ tabIndex }) => tabIndex)).toEqual([
    -1, -1, 0,
  ])
})
