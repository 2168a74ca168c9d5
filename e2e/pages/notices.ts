// The centre of notices comes by itself for what is new, and folds again; the bell opens it, and closes what has come.
import type { Page } from 'playwright-core'

/** Follows the newest notice of this name. */
export async function followNotice(page: Page, name: RegExp): Promise<void> {
  const bell = page.getByRole('button', { name: /条未读/ })
  await bell.waitFor()
  const notice = page.getByRole('region', { name: '通知中心' }).getByRole('button', { name })
  if (!(await notice.isVisible())) await bell.click()
  await notice.click()
}
