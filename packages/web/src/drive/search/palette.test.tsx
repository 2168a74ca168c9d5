// @vitest-environment happy-dom
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { type FakeApi, fakeApi } from '../../../test/fake-api.ts'
import { act, cleanUp, element, press, render, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import { useCommands } from '../../core/menu/commands.ts'
import { registerWindows, windowStore } from '../../core/windows/index.ts'
import { itemRecord } from '../../items/item/item-record.ts'
import { recordRecent } from '../../items/lists/recents.ts'
import { SearchBox } from './search-box.tsx'

addTexts(zh, en)
const empty = { title: 'drive.menu.preview', load: () => Promise.resolve(() => null) }
registerWindows({ previewer: empty as object })

const made = (fType: 1 | 2, fId: number, fName: string): ItemRecord =>
  itemRecord({
    fId,
    fType,
    fName,
    nameSort: fName.toLowerCase(),
    itemIdStr: `s0f${fType === 2 ? '-' : ''}${fId}`,
    parentFolderId: 5,
    pathString: '公司文档/市场中心',
    rights: 2048,
  })
const folder = made(2, 12, '合同')
const file = made(1, 21, '采购合同.docx')
const ran = vi.fn<() => void>()
let server: FakeApi
let asked: (input: Record<string, unknown>) => ItemRecord[]

function Page(): ReactNode {
  const { pathname, search } = useLocation()
  useCommands(() => [{ id: 'new', label: '新建文件夹', hint: 'Alt+M', run: ran }])
  return (
    <>
      <SearchBox />
      <output>{pathname + search}</output>
      <button type="button" id="before">
        before
      </button>
    </>
  )
}

const options = (): string[] =>
  [...document.querySelectorAll('[role=option]')].map((one) => one.querySelector('.dr-palette-name')?.textContent ?? '')
const heads = (): string[] => [...document.querySelectorAll('[role=group] h3')].map((one) => one.textContent)
const field = (): HTMLInputElement => element('[role=combobox]') as HTMLInputElement
const address = (): string => element('output').textContent

async function typeWord(word: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field(), word)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

beforeEach(async () => {
  localStorage.clear()
  signInAs(7)
  asked = ({ fType }) => (fType === 2 ? [folder] : [file])
  server = fakeApi({
    searchDoc: (input) => ({ list: asked(input), scrollId: null, total: 1, took: 1 }),
    getItemListByItemIdStr: ({ itemIdStrs }) => ({
      list: [folder, file].filter((one) => decodeURIComponent(String(itemIdStrs)).split(',').includes(one.itemIdStr)),
    }),
  })
})
afterEach(async () => {
  await cleanUp()
  ran.mockClear()
  vi.unstubAllGlobals()
})

async function open(): Promise<void> {
  await render(<Page />)
  element('#before').focus()
  await press('k', { ctrlKey: true })
}

describe('the palette', () => {
  // [R240] People are found beside files by name, pinyin or initials, and lead to what they shared.
  it('[R240] finds people by name and pinyin beside the files, and leads to what they shared', async () => {
    server = fakeApi({
      searchDoc: { list: [], scrollId: null, total: 0, took: 1 },
      searchItem2: {
        list: [{ type: 'user', id: 9, name: '王敏', account: 'wangmin', groupName: '法务部', title: '律师' }],
      },
    })
    await open()
    await typeWord('wm')
    await until(() => options().includes('王敏'))
    expect(server.inputsOf('searchItem2').at(-1)).toMatchObject({ searchType: 'user', keyword: 'wm' })
    expect(heads()).toEqual(['同事'])
    await press('Enter')
    expect(address()).toBe('/doc/folder/share/permission-shared?by=9')
  })

  // [R241] Saved searches are listed in the palette and found there by name.
  it('[R241] offers the searches that are kept, and leads to one with all of its filters', async () => {
    fakeApi({
      getSavedSearches: {
        list: [{ searchId: 3, name: '华东 付款周期', query: { keyword: '付款周期', days: 30, scope: 'all' } }],
      },
    })
    await open()
    await until(() => options().includes('华东 付款周期'))
    await press('ArrowDown')
    await press('ArrowUp')
    await press('Enter')
    expect(address()).toBe(`/doc/folder/search?${new URLSearchParams({ keyword: '付款周期', days: '30' })}`)
  })

  it('shows recent places and files as they are now, and commands, while nothing is typed', async () => {
    recordRecent('places', { serverId: 0, fType: 2, fId: 99 })
    recordRecent('places', folder)
    recordRecent('files', file)
    await open()
    expect(document.activeElement).toBe(field())
    await until(() => options().length === 3)
    // A deleted item is not shown, and no names are stored.
    expect([heads(), options()]).toEqual([
      ['最近的位置', '最近打开', '常用命令'],
      ['合同', '采购合同.docx', '新建文件夹'],
    ])
    expect(JSON.stringify(localStorage)).not.toContain('合同')
  })

  it('Enter opens what fits best, and the word is gone with the palette', async () => {
    await open()
    await typeWord('合同')
    await press('Enter')
    await until(() => address().includes('s0f-12'))
    expect([document.querySelector('[role=dialog]'), document.activeElement?.id]).toEqual([null, 'before'])
    await press('k', { ctrlKey: true })
    expect(field().value).toBe('')
  })

  it('puts what fits best first, folders and files apart, and Ctrl+Enter shows it in its folder', async () => {
    await open()
    await typeWord('采购')
    await until(() => options().length === 2)
    expect([heads(), options()]).toEqual([
      ['文件', '文件夹'],
      ['采购合同.docx', '合同'],
    ])
    await press('Enter', { ctrlKey: true })
    expect(address()).toBe('/doc/folder/files?itemIdStr=s0f-5&focusItemIdStr=s0f21')
    await press('k', { ctrlKey: true })
    await typeWord('合同')
    await until(() => options().length === 2)
    expect(heads()).toEqual(['文件夹', '文件'])
    await press('ArrowDown')
    await press('Enter')
    expect(windowStore.getState().open.map(({ name }) => name)).toEqual(['previewer'])
  })

  it('says that it looks while the answer is on its way [R073]', async () => {
    const answer = Promise.withResolvers<ItemRecord[]>()
    server.now({ searchDoc: async () => ({ list: await answer.promise, scrollId: null, total: 1, took: 1 }) })
    await open()
    await typeWord('合同')
    await until(() => document.querySelector('.dr-palette .k-spinner svg') !== null)
    answer.resolve([file])
    await until(() => options().includes('采购合同.docx'))
    expect(document.querySelector('.dr-palette .k-spinner')).toBeNull()
  })

  it('Tab looks on below a folder, and Backspace everywhere again', async () => {
    await open()
    await typeWord('合同')
    await until(() => options().length === 2)
    await press('Tab')
    await typeWord('采购')
    await until(() => server.inputsOf('searchDoc').some(({ folderId }) => folderId === 12))
    await typeWord('')
    await press('Backspace')
    await typeWord('采')
    await until(() => server.inputsOf('searchDoc').some(({ keyword, folderId }) => keyword === '采' && !folderId))
  })

  // [R241] A time after the words (上周, 本月, last week) filters in the palette: “ysgd, last week”.
  it('[R241] a time behind the words narrows by when it was changed, and Enter opens the first: ysgd, last week', async () => {
    asked = ({ fType, timeFrom }) => (fType === 1 && timeFrom !== undefined ? [file] : [])
    await open()
    await typeWord('ysgd, last week')
    await press('Enter')
    await until(() => windowStore.getState().open.length === 1)
    const [first] = server.inputsOf('searchDoc')
    expect([first?.['keyword'], Number(first?.['timeTo']) - Number(first?.['timeFrom'])]).toEqual([
      'ysgd',
      7 * 86_400_000,
    ])
    expect(windowStore.getState().open.map(({ name }) => name)).toEqual(['previewer'])
  })

  it('[R241] from Ctrl+K to the open file with its time takes nine keys, where nothing bears the two letters', async () => {
    asked = ({ fType, keyword, timeFrom }) =>
      fType === 1 && keyword === 'ysgd' && timeFrom !== undefined ? [file] : []
    await open()
    await typeWord('ysgd sz')
    await until(() => options().length === 1)
    expect(element('.dr-palette-time').textContent).toMatch(/^上周修改过的：/)
    await press('Enter')
    await until(() => windowStore.getState().open.length === 1)
  })

  it('runs a command by its name, and closes with Escape', async () => {
    asked = () => []
    await open()
    await typeWord('新建')
    await until(() => options().length === 1)
    await press('Enter')
    expect([ran.mock.calls.length, document.querySelector('[role=dialog]')]).toEqual([1, null])
    await press('k', { ctrlKey: true })
    await press('Escape')
    expect(document.querySelector('[role=dialog]')).toBeNull()
  })
})
