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
