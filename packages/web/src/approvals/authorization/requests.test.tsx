// @vitest-environment happy-dom
// Requests for rights on the screen: until when an answer is hoped for, and what who asked may do now.
import type { Authorization, ReviewProgress } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { queryClient } from '../../core/call/query.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { closeMenu, menuStore } from '../../core/menu/menu.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { toastStore } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { sceneOf } from '../../items/actions/refusals.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { authorizationMenu } from './menu.tsx'
import { CreationList, ReviewList } from './request-list.tsx'

const hour = 60 * 60_000
const mara = { userId: 9, accountName: '马拉' }
const request = (handleBefore: number | null, more: Partial<Authorization> = {}): Authorization => ({
  ...{ authorizationId: 5, userId: 8, userName: '贝恩', groupName: '市场部', fType: 1, fId: 3, fName: '合同.txt' },
  ...{ pathString: '渠道/合同.txt', secretLevel: 0, right: rightsGroup.download, deadline: null, comments: '' },
  ...{ createTime: Date.now() - hour, handleBefore, state: 'pending', given: null, handleTime: null, answer: '' },
  ...{ waitsFor: [mara], isAwaited: true, handledBy: null },
  ...more,
})
const way = (may: Partial<ReviewProgress['may']>): ReviewProgress => ({
  ...{ reviewId: 5, kind: 'authorization', state: 'pending', launcher: { userId: 8, accountName: '贝恩' } },
  ...{ createTime: Date.now() - hour, handleBefore: null, round: 0, rounds: [], notes: [] },
  may: { decide: false, withdraw: false, remind: false, revoke: false, ...may },
})

beforeAll(loadSignedIn)
beforeEach(() => {
  void setLocale('zh')
  signInAs(9)
  connectionStore.setState({ reached: true })
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// [R219] The list shows the desired date and overdue requests; the reviewer sees what the requester may do now, and
// why.
it('rows say until when an answer is hoped for, and what is late [R219]', async () => {
  fakeApi({
    getAuthorizationReviewList: {
      list: [request(Date.now() + 3 * hour), request(Date.now() - hour, { authorizationId: 6, fName: '报价.txt' })],
      total: 2,
    },
    getReviewStandIn: { standIn: null },
    getCounters: { list: [] },
  })
  await render(<ReviewList />)
  await until(() => screenText().includes('合同.txt'))
  expect(element('.ap-list > li').textContent).toMatch(/等待你.*请在 .* 前处理/)
  expect(element('.ap-list > li + li').textContent).toMatch(/已超过 .* 的期限/)
})

it('whoever decides is told what who asked may do now, and why [R219]', async () => {
  fakeApi({
    getAuthorization: request(null),
    getReviewWay: way({ decide: true }),
    getRightsReasons: {
      userId: 8,
      accountName: '贝恩',
      rights: rightsGroup.preview,
      steps: [],
      limits: [],
      grants: [],
    },
    getItemManagers: { list: [] },
  })
  await render(<p>page</p>)
  void openWindow('cloudoc-authorization-review', { authorizationId: 5, name: '合同.txt' })
  await until(() => screenText().includes('现在有'))
  expect(screenText()).toContain('现在有 预览')
  await click(button('为什么'))
  await until(() => /贝恩.*对“合同.txt”的权限/.test(screenText()))
})

// [R217] The requester reminds the reviewers at most every two hours, and is told when it is too soon.
it('who asked reminds, and reads why that is too soon [R217]', async () => {
  fakeApi({
    getAuthorizationCreationList: { list: [request(null, { isAwaited: false })], total: 1 },
    getAuthorization: request(null, { isAwaited: false }),
    getReviewWay: way({ withdraw: true, remind: true }),
    getRightsReasons: refused('noPermission'),
    remindReview: refused('duplicateOperation'),
    getCounters: { list: [] },
  })
  await render(<CreationList />)
  await until(() => screenText().includes('合同.txt'))
  await click(element('.ap-list button'))
  await until(() => screenText().includes('催一下'))
  await click(button('催一下'))
  const said = '两小时内已经提醒过审批人，请稍后再催'
  await until(() => toastStore.getState().toasts.some(({ text }) => text === said))
})

// [R217] The request window waits for the answer, and does not state the current rights before it.
it('[R217] until the answer is there, the window in which rights are asked for waits, and says nothing of what one may do', async () => {
  fakeApi({ getAuthorizationReviewers: () => new Promise(() => undefined), getCounters: { list: [] } })
  await render(<p>page</p>)
  void openWindow('cloudoc-authorization-apply', { item: { serverId: 0, fId: 3, fType: 1, fName: '合同.txt' } })
  await until(() => document.querySelector('.ap-people .is-waiting') !== null && screenText().includes('正在读取'))
  expect(screenText()).not.toContain('我现在的权限')
})

// [R145] Without the right to download the menu offers to request it, for one item and for several, where the items
// accept requests.
it('the right to download is asked for on several items at once; what cannot be asked for is said of each [R145]', async () => {
  const { sent } = fakeApi({
    getAuthorizationReviewers: {
      list: [{ ...mara, why: 'owner' }],
      right: rightsGroup.preview,
      pathString: '渠道',
      pendingId: null,
    },
    authorizationApply: ({ folderId }) =>
      folderId === undefined ? { authorizationId: 5 } : refused('duplicateRequest'),
    getCounters: { list: [] },
  })
  await render(<p>page</p>)
  const [item, folder] = [
    { serverId: 0, fId: 3, fType: 1, fName: '合同.txt' },
    { serverId: 0, fId: 4, fType: 2, fName: '报价' },
  ] as const
  void openWindow('cloudoc-authorization-apply', { item, others: [folder], right: rightsGroup.download })
  await until(() => screenText().includes('马拉'))
  expect(screenText()).toContain('合同.txt 等 2 项')
  expect(button('下载').getAttribute('aria-pressed')).toBe('true')
  await click(button('提交申请'))
  await until(() => screenText().includes('申请已提交') && screenText().includes('报价'))
  expect(screenText()).toContain('重复的授权申请')
  const asked = sent.filter(({ name }) => name === 'authorizationApply').map(({ input }) => input)
  expect(asked).toMatchObject([
    { fileId: 3, right: rightsGroup.download },
    { folderId: 4, right: rightsGroup.download },
  ])
})

// [R206] A restricted document that cannot be downloaded without the right to edit offers to request that right.
it('of a restricted document that one may download, the right to edit is asked for [R206] [R145]', async () => {
  fakeApi({
    getAuthorizationReviewers: {
      list: [{ ...mara, why: 'owner' }],
      right: rightsGroup.download,
      pathString: '渠道',
      pendingId: null,
    },
    getCounters: { list: [] },
  })
  await render(<p>page</p>)
  const item = sampleItem({ fId: 3, fType: 1, fName: '合同.txt', docFlag: 1, rights: rightsGroup.download })
  const [apply] = authorizationMenu
  expect(apply?.lifts?.reasons).toContain('restrictedDocument')
  apply?.run(sceneOf(item))
  await until(() => screenText().includes('马拉'))
  expect(button('编辑').getAttribute('aria-pressed')).toBe('true')
})

/** The menu entries of the only request in a list. */
async function menuOfRow(list: typeof ReviewList, one: Authorization): Promise<string[]> {
  fakeApi({
    getAuthorizationReviewList: { list: [one], total: 1 },
    getAuthorizationCreationList: { list: [one], total: 1 },
    getReviewStandIn: { standIn: null },
    getCounters: { list: [] },
  })
  queryClient.clear()
  const List = list
  await render(<List />)
  await until(() => screenText().includes('合同.txt'))
  await act(async () => {
    element('.ap-list button').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
  })
  const entries = menuStore.getState().menu?.entries ?? []
  const labels = entries.map((entry) => ('separator' in entry ? '—' : entry.label))
  await act(async () => closeMenu())
  await cleanUp()
  return labels
}

// [R219] A request has a menu of its possible actions, on both sides and in every state.
it('a request has a menu of what can be done with it, on both sides and in every state [R051] [R219]', async () => {
  const item = ['打开文件', '为什么是这些权限？']
  const pending = request(null)
  const decided = (state: Authorization['state']) => request(null, { state, isAwaited: false, waitsFor: [] })
  expect(await menuOfRow(ReviewList, pending)).toEqual(['审批…', ...item])
  expect(await menuOfRow(ReviewList, decided('approved'))).toEqual(['查看申请', ...item, '—', '撤销批准'])
  for (const state of ['rejected', 'withdrawn', 'revoked', 'over'] as const) {
    expect(await menuOfRow(ReviewList, decided(state))).toEqual(['查看申请', ...item])
    expect(await menuOfRow(CreationList, decided(state))).toEqual(['查看申请', ...item])
  }
  expect(await menuOfRow(CreationList, { ...pending, isAwaited: false })).toEqual([
    ...['查看申请', ...item, '—', '催一下', '撤回申请'],
  ])
  // No entry leads to an item that is no longer visible.
  expect(await menuOfRow(CreationList, { ...decided('approved'), fId: 0 })).toEqual(['查看申请'])
})
