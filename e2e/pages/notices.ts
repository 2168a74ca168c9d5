// The notice panel opens by itself for new notices and closes again. The bell opens it, or closes one that has opened
// by itself.
import type { Page } from 'playwright-core'

/** Opens the newest notice with this name. */
export async function followNotice(page: Page, name: RegExp): Promise<void> {
  const bell = page.getByRole('button', { name: /条未读/ })
  await bell.waitFor()
  const notice = page.getByRole('region', { name: '通知中心' }).getByRole('button', { name })
  if (!(await notice.isVisible())) await bell.click()
  await notice.click()
}
