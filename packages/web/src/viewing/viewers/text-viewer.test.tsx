// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { cleanUp, element, render, until } from '../../../test/render.tsx'
import { TextViewer } from './text-viewer.tsx'

afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// [R163] Source code is highlighted, with the right to download and with the right to preview only.
test.each([
  ['py', 'def main():\n    return 1\n', ['def', 'return']],
  ['txt', 'def main\n', []],
])('[R163] source code is shown in colours to whoever has the file itself: %s', async (ext, text, words) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(text)))
  await render(<TextViewer url="/x" size={text.length} ext={ext} table={false} onFail={() => {}} />)
  await until(() => document.querySelector('.pv-text') !== null)
  expect(element('.pv-text').textContent).toBe(text)
  expect([...document.querySelectorAll('.hljs-keyword')].map(({ textContent }) => textContent)).toEqual(words)
})
