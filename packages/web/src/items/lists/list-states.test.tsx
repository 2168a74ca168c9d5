// @vitest-environment happy-dom
// What stands where a list cannot be read.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { button, cleanUp, click, render } from '../../../test/render.tsx'
import { addTexts, setLocale } from '../../core/i18n/i18n.ts'
import { FolderFailure } from './list-states.tsx'

addTexts(zh, en)
const nothing = (): void => undefined
beforeEach(() => setLocale('zh'))
afterEach(cleanUp)

// [R240] A failed search has its own message, not that of a folder, and is retried.
it('[R240] a search that fails is not told of as a folder, and is tried again', async () => {
  let tried = 0
  await render(<FolderFailure error={new Error()} onRetry={() => tried++} onUp={nothing} title="没能搜索“培训”" />)
  expect(document.body.textContent).toContain('没能搜索“培训”')
  expect(document.body.textContent).not.toContain('文件夹')
  await click(button('重试'))
  expect(tried).toBe(1)
  await render(<FolderFailure error={new Error()} onRetry={nothing} onUp={nothing} />)
  expect(document.body.textContent).toContain('没能打开这个文件夹')
})
