// @vitest-environment happy-dom
import type { ItemRecord } from '@cloudoc/contract'
import { codes, infectedDocument, Right } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { cleanUp, click, element, render, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { sampleItem } from '../../items/item/sample-item.ts'
import { PreviewActions } from './preview-actions.tsx'

beforeAll(loadSignedIn)
beforeEach(() => {
  void setLocale('zh')
  signInAs(7)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const left = vi.fn<() => void>()
const shown = async (fields: Partial<ItemRecord>) => {
  const item = sampleItem({ fName: '计划.md', rights: Right.full, ...fields, fId: 5 })
  const server = fakeApi({ getFileInfo: item })
  await render(<PreviewActions file={item} onRun={left} />)
  return server
}
const edit = (): HTMLButtonElement | null => document.querySelector('button[aria-label="编辑"]')

// [R171] A file is edited from its preview or from the info panel as from its menu, by the same rule.
it('[R171] what is previewed is edited from its bar as from its menu, by who may change it', async () => {
  const server = await shown({})
  await until(() => edit() !== null)
  expect(edit()?.title).toBe('编辑 (F4)')
  await click(element('button[aria-label="编辑"]'))
  expect(left).toHaveBeenCalledOnce()
  await until(() => server.inputsOf('getFileInfo').length === 2)
})

it.each([
  ['who may only read it', { rights: Right.display | Right.preview | Right.download }],
  ['a kind that has no editor', { fName: '厂房.dwg' }],
])('[R171] is not offered to %s', async (_, fields) => {
  const server = await shown(fields)
  await until(() => server.inputsOf('getFileInfo').length === 1)
  expect(edit()).toBeNull()
})

it('[R171] of a picture nothing is asked', async () => {
  const server = await shown({ fName: '照片.png' })
  expect([server.inputsOf('getFileInfo'), edit()]).toEqual([[], null])
})

it('[R171] is refused with the reason of the menu', async () => {
  await shown({ docFlag: infectedDocument })
  await until(() => edit() !== null)
  expect([edit()?.disabled, edit()?.title]).toEqual([true, codes.virusFile.zh])
})
