// @vitest-environment happy-dom
// Words are found on all slides, not only on the one that is shown.
import type { Slide, Slides } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from '../../../test/render.tsx'
import { type FindSource, FindSourceContext } from '../find/find-source.ts'
import { defaultFindOptions } from '../find/find-text.ts'
import { SlidesViewer } from './slides-viewer.tsx'

const slide = (text: string, notes?: string): Slide => ({
  shapes: [{ x: 0, y: 0, width: 400, height: 100, blocks: [{ is: 'text', runs: [{ text }] }] }],
  ...(notes !== undefined && { notes }),
})
const deck: Slides = {
  kind: 'slides',
  width: 960,
  height: 540,
  slides: [slide('年度计划'), slide('预算，预算'), slide('结语', '先讲预算'), slide('预算')],
}
const rendition = { address: () => Promise.resolve('') } as unknown as Parameters<typeof SlidesViewer>[0]['rendition']

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

// [R164] Search in slides covers all slides and their notes; hits are counted and marked on the thumbnails.
test('[R164] what is looked for in slides is found on all of them and in their notes, and the next one is gone to', async () => {
  let source: FindSource | undefined
  await render(
    <FindSourceContext
      value={(one) => {
        source = one
      }}
    >
      <SlidesViewer deck={deck} rendition={rendition} />
    </FindSourceContext>,
  )
  const here = (): string | null | undefined => document.querySelector('.rd-strip-slide > [aria-current]')?.textContent
  expect(await source?.find('预算', defaultFindOptions)).toBe(4)
  const shown: (string | null | undefined)[] = []
  for (let hit = 0; hit < 4; hit += 1) {
    source?.show(hit)
    await expect.poll(here).toBe(['2', '2', '3', '4'][hit])
    shown.push(here())
  }
  expect(shown).toEqual(['2', '2', '3', '4'])
  const counts = [...document.querySelectorAll('.rd-strip-found')].map((one) => one.textContent)
  expect(counts).toEqual(['2', '1', '1'])
  expect(await source?.find('', defaultFindOptions)).toBe(0)
  await expect.poll(() => document.querySelector('.rd-strip-found')).toBeNull()
})
