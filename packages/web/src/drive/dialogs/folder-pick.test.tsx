// @vitest-environment happy-dom
import type { ItemRecord } from '@cloudoc/contract'
import { OperateType } from '@cloudoc/domain'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { type FakeApi, fakeApi, refused } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, element, press, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import { connectionStore } from '../../core/push/connection.ts'
import type { Target } from '../../items/actions/operations.ts'
import { itemRecord } from '../../items/item/item-record.ts'
import { forgetDrive, onItemChange } from '../../items/lists/lists.ts'
import { recentIds } from '../../items/lists/recents.ts'
import { FolderPick, type FolderPickProps } from './folder-pick.tsx'

addTexts(zh, en)

const made = (fId: number, fName: string, parentFolderId: number, rights = 2048): ItemRecord =>
  itemRecord({
    fId,
    fName,
    fType: 2,
    parentFolderId,
    rights,
    nameSort: fName.toLowerCase(),
    itemIdStr: `s0f-${fId}`,
    pathString: '林夏',
  })
const library = made(1, '林夏', -2)
const contracts = made(12, '合同', 1)
const old = made(13, '旧', 12)
const readOnly = made(14, '制度', 1, 6)
const folders = [library, contracts, old, readOnly]
const close = vi.fn<(target?: Target) => void>()
let server: FakeApi

const root = {
  fId: 1,
  fName: '林夏',
  nameSort: '|lin2林|xia4夏',
  kind: 'personal',
  itemIdStr: 's0f-1',
  rights: 2048,
} as const

beforeEach(async () => {
  localStorage.clear()
  forgetDrive()
  signInAs(7)
  connectionStore.setState({ reached: true })
  server = fakeApi({
    getRootFolderSetting: { list: [root] } as never,
    getFolderInfo2: ({ folderId }) => {
      const folder = folders.find(({ fId }) => fId === Number(folderId))
      if (folder === undefined) return refused('notFound')
      const above = folder === old ? [library, contracts] : folder === library ? [] : [library]
      return { folder, ancestors: above, sort: 'name', order: 'asc' } as never
    },
    getSubItemList3: ({ folderId }) => {
      const list = folders.filter(({ parentFolderId }) => parentFolderId === Number(folderId))
      return { from: 0, list, total: list.length, next: null }
    },
    getFoldersWithSubfolders: ({ folderIds }) => ({
      folderIds: (folderIds as number[]).filter((id) => folders.some(({ parentFolderId }) => parentFolderId === id)),
    }),
    getItemListByItemIdStr: ({ itemIdStrs }) => ({
      list: folders.filter(({ itemIdStr }) => String(itemIdStrs).split(',').includes(itemIdStr)),
    }),
    searchDoc: ({ fType, keyword }) => ({
      list: fType === 2 ? folders.filter(({ fName }) => fName.includes(String(keyword))) : [],
      scrollId: null,
      total: 0,
      took: 1,
    }),
    folderCreate: { folderId: 13, fName: '新', parentFolderId: 12, version: 0, createTime: 1, modifyTime: 1 },
  })
})
afterEach(async () => {
  await cleanUp()
  close.mockClear()
  vi.unstubAllGlobals()
})

async function open(props: Partial<FolderPickProps> = {}): Promise<void> {
  await render(
    <FolderPick title="移动到" hint="" verb="move" at={12} close={close} setDirty={() => undefined} {...props} />,
  )
  await until(() => path().length > 0)
}

const path = (): string[] => [...document.querySelectorAll('nav li')].map((one) => one.textContent)
const primary = (): HTMLButtonElement => element('[data-primary]') as HTMLButtonElement

async function typeWord(word: string): Promise<void> {
  const field = element('[role=combobox]')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, word)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

describe('the folder that something goes into', () => {
  it('opens where the person is, says where that is, and the button says where to', async () => {
    await open()
    expect([path(), primary().textContent]).toEqual([['林夏', '合同'], '移动到 合同'])
    await until(() => document.querySelector('[data-folder="d12"][aria-selected=true]') !== null)
    await click(button('林夏'))
    await until(() => primary().textContent === '移动到 林夏')
    await click(primary())
    expect(close.mock.calls).toEqual([[{ fId: 1, fName: '林夏' }]])
  })

  it('finds a library in the tree by the pinyin of its name', async () => {
    await open()
    await until(() => document.querySelector('[data-folder="d12"]') !== null)
    await act(async () => element('[data-folder="d12"]').focus())
    await press('l')
    expect(document.activeElement).toBe(element('[data-folder="d1"]'))
  })

  it('lets those folders alone be opened that hold folders, as they come [R119]', async () => {
    await open()
    const expanded = (id: number) => element(`[data-folder="d${id}"]`).getAttribute('aria-expanded')
    await until(() => expanded(12) === 'false')
    expect([expanded(1), expanded(14)]).toEqual(['true', null])
    folders.push(made(15, '新规', 14))
    onItemChange({
      serverId: 0,
      operateType: OperateType.add,
      operate: OperateType.add,
      fType: 2,
      fId: 15,
      fileId: 0,
      folderId: 15,
      fName: '新规',
      parentFolderId: 14,
      parentId: 14,
      version: 0,
      fileSize: 0,
      operateTime: 1,
      operatorId: 1,
      operatorName: '林夏',
    })
    await until(() => expanded(14) === 'false')
    folders.pop()
  })

  it('opens at home where that folder is gone', async () => {
    await open({ at: 999 })
    await until(() => path().join() === '林夏')
  })

  it('is found by a search, by the keyboard alone, and remembered for the next time, by person', async () => {
    await open({ at: 1 })
    expect(document.activeElement).toBe(element('[role=combobox]'))
    await typeWord('合')
    await until(() => document.querySelectorAll('[role=option]').length === 1)
    await press('Enter')
    await until(() => path().join() === '林夏,合同' && document.activeElement === primary())
    await click(primary())
    expect(close.mock.calls).toEqual([[{ fId: 12, fName: '合同' }]])
    expect(recentIds('targets')).toEqual(['s0f-12'])
    signInAs(8)
    expect(recentIds('targets')).toEqual([])
    signInAs(7)
    await cleanUp()
    await open({ at: 1 })
    await until(() => screenText().includes('最近的目标'))
    await click(element('section ul button'))
    await until(() => primary().textContent === '移动到 合同')
  })

  it('Ctrl+Enter takes it from anywhere, and arrows lead from the search into the tree', async () => {
    await open()
    await until(() => document.querySelector('[data-folder="d12"]') !== null)
    await press('ArrowDown')
    expect((document.activeElement as HTMLElement).dataset.folder).toBe('d12')
    await press('Enter', { ctrlKey: true })
    expect(close.mock.calls).toEqual([[{ fId: 12, fName: '合同' }]])
  })

  it('that may not be written to, or is inside of what moves, or holds it already, says why', async () => {
    await open({ at: 14 })
    expect([primary().disabled, element('[role=status]').textContent]).toEqual([true, expect.stringContaining('权限')])
    await cleanUp()
    await open({ at: 13, moving: [contracts] })
    expect([primary().disabled, element('[role=status]').textContent]).toEqual([true, '不能放进自身'])
    await cleanUp()
    await open({ at: 12, moving: [old] })
    expect([primary().disabled, element('[role=status]').textContent]).toEqual([true, '已经在这个文件夹里了'])
  })

  it('is made on the spot, and taken', async () => {
    await open()
    await click(button('新建文件夹'))
    expect(screenText()).toContain('在 合同 中新建')
    await act(async () => element('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
    await until(() => primary().textContent === '移动到 旧')
    expect(server.inputsOf('folderCreate')).toEqual([{ parentId: 12, folderName: '新建文件夹' }])
    await until(() => document.querySelector('[data-folder="d13"][aria-selected=true]') !== null)
  })
})
