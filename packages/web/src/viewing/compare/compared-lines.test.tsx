// @vitest-environment happy-dom
// Long comparisons are drawn a part at a time, around the difference that is gone to.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { cleanUp, click, render, until } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { ComparedLines } from './compared-lines.tsx'
import { compareLines } from './diff.ts'

beforeAll(loadSignedIn)
afterEach(cleanUp)

test('[R188] a difference far below is drawn when it is gone to, and what stands before and behind is counted', async () => {
  void setLocale('zh')
  // Every fourth of 3,600 lines is different. The unchanged runs between them are too short to be folded.
  const text = (word: string) => Array.from({ length: 3600 }, (_, n) => (n % 4 === 0 ? `${word} ${n}` : `行 ${n}`))
  const lines = compareLines(text('旧'), text('新'))
  await render(<ComparedLines lines={lines} at={0} />)
  const drawn = (): number => document.querySelectorAll('.dr-compare-line').length
  const buttons = (): (string | null)[] => [...document.querySelectorAll('.dr-compare-fold')].map((b) => b.textContent)
  expect(drawn()).toBe(2000)
  expect(buttons()).toEqual(['后面还有 1,600 行'])
  await render(<ComparedLines lines={lines} at={899} />)
  await until(() => document.querySelector('.is-current') !== null)
  expect(buttons()).toEqual(['前面还有 3,396 行'])
  const first = document.querySelector('.dr-compare-fold')
  await click(first as HTMLElement)
  expect(buttons()).toHaveLength(2)
})
