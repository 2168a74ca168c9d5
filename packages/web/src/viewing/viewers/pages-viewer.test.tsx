// @vitest-environment happy-dom
import type { Pages } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from '../../../test/render.tsx'
import { PagesViewer } from './pages-viewer.tsx'

const page = { part: 1, width: 400, height: 600, text: '' }
const rendition = { address: () => Promise.resolve('') } as unknown as Parameters<typeof PagesViewer>[0]['rendition']

beforeEach(() => {
  const observer = class {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', observer)
  vi.stubGlobal('IntersectionObserver', observer)
})
afterEach(() => vi.unstubAllGlobals())

const shown = async (pages: Pages): Promise<string> => {
  await render(<PagesViewer pages={pages} rendition={rendition} />)
  return document.body.textContent
}

// [R163] The faces that were replaced in pages made by LibreOffice are named above them.
test('[R163] the faces that were replaced are named above the pages', async () => {
  const pages: Pages = { kind: 'pages', pages: [page], of: 1 }
  expect(await shown({ ...pages, replacedFaces: ['方正小标宋简体', 'Calibri'] })).toContain('方正小标宋简体、Calibri')
  expect(await shown(pages)).not.toContain('代替')
})
