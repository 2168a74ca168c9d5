// What a page would print.
import type { Page } from 'playwright-core'

/** Records what would be printed instead of opening the browser's dialog. */
export const recordPrints = (page: Page): Promise<void> =>
  page.evaluate(() => {
    new MutationObserver((changes) => {
      for (const frame of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        const inside = frame instanceof HTMLIFrameElement ? frame.contentWindow : null
        if (inside === null) continue
        inside.print = () => {
          Object.assign(window, { printed: inside.document.body.innerHTML })
          inside.dispatchEvent(new Event('afterprint'))
        }
      }
    }).observe(document.body, { childList: true })
  })

/** The body of the last printed document. */
export async function printed(page: Page): Promise<string> {
  const found = await page.waitForFunction(() => (window as unknown as { printed?: string }).printed)
  await page.evaluate(() => Object.assign(window, { printed: undefined }))
  return (await found.jsonValue()) ?? ''
}
