// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest'
import { en, zh } from '../../test/all-texts.ts'
import { fakeApi } from '../../test/fake-api.ts'
import { act, cleanUp, element, press, render, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { addTexts } from '../core/i18n/i18n.ts'
import { openFrame, type WindowDefinition, windowStore } from '../core/windows/index.ts'
import type { PreviewerProps } from '../viewing/previewer/previewer.tsx'
import { driveWindows } from './windows.ts'

addTexts(zh, en)
beforeEach(async () => {
  fakeApi({})
  signInAs(7)
  await render(<p>page</p>)
})
afterEach(cleanUp)

const file = (fId: number, version?: number) => ({
  ...{ serverId: 0, fId, fName: `${fId}.dwg`, fileSize: 10, canPreview: false, canDownload: false, canPrint: false },
  ...(version !== undefined && { version }),
})
const open = async (props: PreviewerProps): Promise<Element> => {
  await act(async () => {
    void openFrame('previewer', driveWindows.previewer as unknown as WindowDefinition, props)
  })
  await until(() => document.querySelector('.pv-name') !== null)
  return element('[role=dialog]')
}
const shown = (): string => ['.pv-name', '.pv-size', '.pv-count'].map((one) => element(one).textContent).join(' | ')

// [R079] The previewer covers the window with a transparent ground, cannot be resized, and receives fileInfo, fileList
// and isUseVersion.
it('[R079] shows fileInfo among fileList on a transparent ground, without edges to pull', async () => {
  const dialog = await open({ fileInfo: file(2), fileList: [file(1), file(2), file(3, 9)] })
  expect(dialog.classList.contains('is-filling')).toBe(true)
  expect(dialog.classList.contains('is-transparent')).toBe(true)
  expect(dialog.querySelector('.window-edge, .window-bar')).toBeNull()
  expect(windowStore.getState().open.at(-1)?.definition.resizable).toBe(false)
  expect(shown()).toBe('2.dwg | 10 B | 第 2 / 3 个文件')
  element('.pv').focus()
  await press('ArrowRight')
  expect(shown()).toBe('3.dwg | 10 B | 第 3 / 3 个文件')
})

it('[R079] shows the version of fileInfo only where isUseVersion says so', async () => {
  await open({ fileInfo: file(2, 4), isUseVersion: true })
  expect(shown()).toBe('2.dwg | 10 B · 版本 4 | 第 1 / 1 个文件')
  element('.pv').focus()
  await press('Escape')
  await open({ fileInfo: file(2, 4) })
  expect(shown()).toBe('2.dwg | 10 B | 第 1 / 1 个文件')
})
