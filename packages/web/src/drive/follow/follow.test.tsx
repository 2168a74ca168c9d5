// @vitest-environment happy-dom
// Following from the menu, the page of what is followed, and how its notices read.

import { codes, ItemStatusBit, OperateType } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { cleanUp, render, screenText, until } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { actionsIn, noticeView } from '../../core/area/area.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import type { ItemAction } from '../../items/actions/item-action.tsx'
import { sampleItem } from '../../items/item/sample-item.ts'

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

describe('a notice of what is followed (push 6)', () => {
  const told = (operateType: number, more: object = {}) => ({
    serverId: 0,
    fId: 5,
    fType: 1,
    fName: '方案.docx',
    parentFolderId: 9,
    parentFolderName: '华东大区',
    operateType,
    operatorName: '陈晓',
    ...more,
  })

  it('says in both languages what happened and where, and leads to the item and its folder [R091]', async () => {
    const look = noticeView('followChange')
    expect(look?.actor?.(told(3))).toBe('陈晓')
    const words = Object.values(OperateType).map((type) => look?.text(told(type)))
    expect(words[2]).toContain('编辑了')
    expect(new Set(words).size).toBe(10)
    await setLocale('en')
    expect(look?.text(told(OperateType.move))).toContain('moved')
    expect(look?.detail?.(told(3))).toBe('华东大区')
    expect(look?.path?.(told(3))).toContain('s0f5')
    expect(look?.folder?.(told(3))).toContain('focusItemIdStr=s0f5')
    // The notice of a deleted item leads to the folder that contained it.
    expect(look?.path?.(told(OperateType.delete))).not.toContain('s0f5')
    expect(look?.path?.(told(OperateType.delete, { parentFolderId: 0 }))).toBeUndefined()
  })
})
