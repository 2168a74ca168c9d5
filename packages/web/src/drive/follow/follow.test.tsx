// @vitest-environment happy-dom
// Following from the menu, the page of what is followed, and how its notices read.

import { pushes } from '@cloudoc/contract'
import { codes, ItemStatusBit, OperateType } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { actionsIn, noticeView } from '../../core/area/area.ts'
import { inLocale, setLocale } from '../../core/i18n/i18n.ts'
import type { ItemAction } from '../../items/actions/item-action.tsx'
import { sampleItem } from '../../items/item/sample-item.ts'
import { WatchChanges } from './follow-view.tsx'

beforeAll(loadSignedIn)
beforeEach(() => setLocale('zh'))
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const followed = (id: number) => ({ ...sampleItem({ fId: id }), itemStatus: ItemStatusBit.watchChange })
const action = (id: string) => actionsIn<ItemAction>('files').find((one) => one.id === id)

// [R239] Following from the menu, and unfollowing.
it('one follows what is not followed yet, and ends that where it is [R239]', async () => {
  const answer = { id: 'f1', fType: 1 as const, name: '1.docx', result: codes.success.code, msg: '' }
  const server = fakeApi({ addInterest: [answer], deleteInterest: [answer] })
  await render(<p>page</p>)
  const items = [sampleItem({ fId: 1 }), followed(2)]
  expect(action('follow-change')?.show?.(items[0] ?? followed(1))).toBe(true)
  expect(action('unfollow-change')?.show?.(items[0] ?? followed(1))).toBe(false)
  expect(action('follow-change')?.show?.(followed(2))).toBe(false)
  const scene = {
    items,
    folder: undefined,
    by: 'menu' as const,
    page: undefined,
    withAll: (act: (all: readonly (typeof items)[number][]) => unknown) => void act(items),
  }
  void action('follow-change')?.run(scene)
  await until(() => screenText().includes('已关注 1 项'))
  expect(server.inputsOf('addInterest')).toEqual([{ fileIdArray: [1], folderIdArray: [], interestType: 1 }])
  void action('unfollow-change')?.run(scene)
  await until(() => screenText().includes('已取消关注 1 项'))
  expect(server.inputsOf('deleteInterest')).toEqual([{ fileIdArray: [2], folderIdArray: [], interestType: 1 }])
})

// [R239] Only some people's changes can be followed, from the menu; the window has whose they are now.
it('one follows the changes of some people and departments, and sees whose in the window and the list [R239]', async () => {
  const answer = { id: 'f2', fType: 1 as const, name: '2.docx', result: codes.success.code, msg: '' }
  const followedItem = {
    ...followed(2),
    followedUsers: [{ userId: 7, name: '王敏' }],
    followedGroups: [{ groupId: 3, name: '市场中心' }],
  }
  signInAs(7)
  const server = fakeApi({
    getInterestList: { list: [followedItem], total: 1 },
    addInterest: [answer],
    getSubItemList: { list: [] },
  })
  await render(<WatchChanges />)
  await until(() => screenText().includes('市场中心、王敏'))
  const items = [followed(2)]
  void action('follow-some-change')?.run({
    ...{ items, folder: undefined, by: 'menu', page: undefined },
    withAll: (act) => void act(items),
  })
  await until(() => document.querySelector('[role=dialog] [role=combobox]') !== null)
  expect(element('[role=dialog]').textContent).toContain('王敏')
  await click(button('关注'))
  await until(() => screenText().includes('已关注 1 项'))
  const input = { fileIdArray: [2], folderIdArray: [], interestType: 1, userIdString: '7', groupIdString: '3' }
  expect(server.inputsOf('addInterest')).toEqual([input])
})

type Operation = (typeof OperateType)[keyof typeof OperateType]

describe('a notice of what is followed (push 6)', () => {
  const told = (operateType: Operation, more: object = {}) => ({
    ...{ serverId: 0, pushType: 6, fId: 5, fType: 1 as const, fName: '方案.docx', fileId: 5, folderId: 0 },
    ...{ operate: operateType, operateTime: 1, operatorId: 9, parentId: 9 },
    parentFolderId: 9,
    parentFolderName: '华东大区',
    operateType,
    operatorName: '陈晓',
    ...more,
  })

  it('says in both languages what happened and where, and leads to the item and its folder [R091]', async () => {
    const look = noticeView('followChange')
    const { notice } = pushes.followChange
    const said = (type: Operation): string => inLocale(notice.sentence(told(type)))
    expect(notice.actor?.(told(OperateType.edit))).toBe('陈晓')
    const words = Object.values(OperateType).map(said)
    expect(words[2]).toContain('编辑了')
    expect(new Set(words).size).toBe(words.length)
    await setLocale('en')
    expect(said(OperateType.move)).toContain('moved')
    expect(look?.detail?.(told(OperateType.edit))).toBe('华东大区')
    expect(notice.path?.(told(OperateType.edit))).toContain('s0f5')
    expect(look?.folder?.(told(OperateType.edit))).toContain('focusItemIdStr=s0f5')
    // The notice of a deleted item leads to the folder that contained it.
    expect(notice.path?.(told(OperateType.delete))).not.toContain('s0f5')
    expect(notice.path?.(told(OperateType.delete, { parentFolderId: 0 }))).toBeUndefined()
  })
})
