/*
 * A person who opens documents, in a browser of their own: from the double click until the first page is on the screen. A
 * program of `npm run bench -- looks`, which gives it orders (packages/server/bench/preview-latency.ts).
 */
import type { Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'
import { laptop, launch } from '../browser.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'

type Order =
  /** Opens a browser with an empty cache. */
  | { readonly do: 'open'; readonly origin: string; readonly account: string; readonly password: string }
  | { readonly do: 'look'; readonly folderId: number; readonly name: string }

const chromium = findChromium()
if (chromium === undefined) throw new Error('the part "looks" needs Chromium')
const browser = await launch(chromium)
let page: Page | undefined
let home = ''

/** Milliseconds from the double click until something of the document has been drawn. */
async function openDocument(page: Page, folderId: number, name: string): Promise<number> {
  await page.goto(`${home}/doc/folder/files?itemIdStr=s0f-${folderId}`)
  const row = new FilesPage(page).row(name)
  await row.waitFor()
  const drawn = await page.evaluateHandle(() => {
    let began = 0
    addEventListener(
      'dblclick',
      () => {
        began = performance.now()
      },
      { capture: true, once: true },
    )
    const isDrawn = (): boolean =>
      document.querySelector('[role=dialog] .pv-page canvas') !== null ||
      [...document.querySelectorAll<HTMLImageElement>('[role=dialog] :is(.pv-page, .rd-slide-room) img')].some(
        (picture) => picture.complete && picture.naturalWidth > 0,
      ) ||
      [...document.querySelectorAll('[role=dialog] :is(.pv-page .rd, .rd-slide-room, .rd-cell)')].some(
        (one) => one.textContent?.trim() !== '',
      )
    return {
      took: new Promise<number>((resolve) => {
        const ask = (): void => {
          if (!isDrawn()) return void requestAnimationFrame(ask)
          // The frame after the one that draws it has started, so it is on the screen.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)))
        }
        ask()
      }),
    }
  })
  await row.getByTitle(name, { exact: true }).dblclick()
  return drawn.evaluate(({ took }) => took)
}

async function obey(order: Order): Promise<void> {
  if (order.do === 'look') {
    if (page === undefined) throw new Error('no page is open')
    process.send?.({ took: await openDocument(page, order.folderId, order.name) })
    return
  }
  await page?.context().close()
  home = order.origin
  page = await (await browser.newContext(laptop)).newPage()
  await page.goto(home)
  await new LoginPage(page).signIn(order.account, order.password)
  process.send?.({ ready: true })
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => process.send?.({ error: String(error) }))
})
process.on('disconnect', () => void browser.close().finally(() => process.exit(0)))
process.send?.({ ready: true })
