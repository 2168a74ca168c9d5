// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { cleanUp, click, element, render, until } from '../../../test/render.tsx'
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
  await until(() => document.querySelectorAll('.pv-text .tok-keyword').length === words.length)
  expect(element('.pv-text').textContent).toBe(text)
  expect([...document.querySelectorAll('.tok-keyword')].map(({ textContent }) => textContent)).toEqual(words)
})

// [R163] A text that does not state its encoding says what cannot be decoded, and the person chooses another encoding.
test('[R163] a text with a bad byte is read in its own encoding, says so, and is read in another one on request', async () => {
  const bytes = Uint8Array.of(...new TextEncoder().encode('会议纪要'), 0x80)
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(bytes)))
  await render(<TextViewer url="/x" size={bytes.length} ext="txt" table={false} onFail={() => {}} />)
  await until(() => document.querySelector('.pv-text') !== null)
  expect(element('.pv-text').textContent).toBe('会议纪要\ufffd')
  expect(element('.pv-encoding').textContent).toContain('有些字节在这种编码里不是文字')
  await click(element('.pv-encoding [role=combobox]'))
  const options = [...document.querySelectorAll<HTMLElement>('[role=option]')]
  await click(options.find(({ textContent }) => textContent?.includes('GB18030')) ?? element('[role=option]'))
  expect(element('.pv-text').textContent).toBe(new TextDecoder('gb18030').decode(bytes))
  expect(element('.pv-encoding').textContent).not.toContain('有些字节在这种编码里不是文字')
})

test('[R163] a text that is evidently UTF-8 leaves nothing to choose', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('会议纪要')))
  await render(<TextViewer url="/x" size={12} ext="txt" table={false} onFail={() => {}} />)
  await until(() => document.querySelector('.pv-text') !== null)
  expect(document.querySelector('.pv-encoding')).toBeNull()
})
