// @vitest-environment happy-dom
// An import that goes on, as the administrator sees it.
import type { Answer, calls } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import * as admin from '../../admin/area.ts'
import { joinArea } from '../../core/area/area.ts'
import * as organisation from '../area.ts'
import { ImportPage } from './import-page.tsx'

vi.mock('./files.ts', () => ({
  readFile: async () => ({
    rows: [['王敏', 'wangmin', '市场中心', '', '', '', '', '', '']],
    lines: [2],
    columns: [{ header: '姓名', column: 'accountName' }],
  }),
}))

beforeEach(() => {
  joinArea(admin)
  joinArea(organisation)
  signInAs(1, '林夏')
})
afterEach(async () => {
  await cleanUp()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('[R347] an import shows how far it is, is called off, and says what came of it', async () => {
  const checked = { list: [{ what: 'new' as const, problems: [], changes: 0, was: '' }], groups: [], over: 0 }
  const ended = Promise.withResolvers<Answer<typeof calls.importPeople>>()
  const server = fakeApi({
    checkPeople: checked,
    importPeople: () => ended.promise,
    getImportProgress: { stage: 'people', progress: 325, written: 500 },
    cancelImport: { cancelled: true },
  })
  await render(<ImportPage />, '/doc/admin/people/import')
  const input = element('input[type=file]')
  Object.defineProperty(input, 'files', { value: [new File([''], '通讯录.csv')] })
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })))
  await until(() => screenText().includes('可以导入'))
  await click(button('导入 1 人'))
  await until(() => screenText().includes('成员 500 / 1'))
  expect(element('progress').getAttribute('value')).toBe('325')
  await click(button('取消导入'))
  await until(() => server.inputsOf('cancelImport').length === 1)
  const [sent] = server.inputsOf('importPeople')
  expect(server.inputsOf('cancelImport')).toEqual([{ importId: sent?.['importId'] }])
  expect(button('正在取消…').disabled).toBe(true)
  ended.resolve({ list: [], groups: [], over: 0, done: false, cancelled: true, userIds: [], updated: 0 })
  await until(() => screenText().includes('已取消，没有写入任何内容'))
  expect(button('导入 1 人').disabled).toBe(false)
})

type CheckedRow = Answer<typeof calls.checkPeople>['list'][number]
const fine: CheckedRow = { what: 'new', problems: [], changes: 0, was: '' }

async function openFile(): Promise<void> {
  await render(<ImportPage />, '/doc/admin/people/import')
  const input = element('input[type=file]')
  Object.defineProperty(input, 'files', { value: [new File([''], '通讯录.csv')] })
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })))
}

it('names the wrong value and its choices, leads to its cell, and keeps the focus there', async () => {
  // The rows of the table are drawn only if the list has a height.
  vi.stubGlobal('ResizeObserver', undefined)
  let owner: Element = document.createElement('div')
  while (!Object.hasOwn(owner, 'clientHeight')) owner = Object.getPrototypeOf(owner) as Element
  vi.spyOn(owner, 'clientHeight', 'get').mockReturnValue(400)
  vi.spyOn(owner, 'clientWidth', 'get').mockReturnValue(800)
  const wrong: CheckedRow = { ...fine, what: 'wrong', problems: [{ column: 'level', problem: 'noLevel' }] }
  fakeApi({
    checkPeople: ({ rows }) => {
      const [row] = rows as string[][]
      return { list: [row?.includes('公开') ? fine : wrong], groups: [], over: 0 }
    },
    getRoleList: { list: [] },
  })
  await openFile()
  await until(() => document.querySelector('.or-sheet-problem') !== null)
  await until(() => screenText().includes('密级“”：没有这个密级'))
  expect(screenText()).toContain('可选：')
  const cell = element('input[aria-label="2 密级"]')
  await click(button('到下一处'))
  expect(document.activeElement).toBe(cell)
  await click(button('公开'))
  await until(() => screenText().includes('新增，已修正'))
  expect(document.activeElement).toBe(cell)
  expect(screenText()).toContain('已修正 1')
  await act(async () => void cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })))
  expect(document.activeElement).toBe(cell)
})

it('counts a row that a new department has corrected', async () => {
  const wrong: CheckedRow = { ...fine, what: 'wrong', problems: [{ column: 'group', problem: 'noGroup' }] }
  fakeApi({
    checkPeople: ({ newGroups }) => ({
      list: [(newGroups as string[]).length > 0 ? fine : wrong],
      groups: ['市场中心'],
      over: 0,
    }),
    getRoleList: { list: [] },
  })
  await openFile()
  await until(() => screenText().includes('还有 1 行有误'))
  await click(element('.or-checks input[type=checkbox]'))
  await until(() => screenText().includes('已修正 1'))
})
