/*
 * Two pages of one browser, in their own process: a folder as another user sees it, and a minimal page that shows what
 * a WebSocket brings. Each reports when it has drawn a name.
 *
 * A program of `npm run bench -- screen`, which controls it (packages/server/bench/screen.ts).
 */
import type { Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'
import { laptop, launch } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'

interface Opening {
  readonly do: 'open'
  readonly origin: string
  readonly account: string
  readonly password: string
  readonly folder: string
  readonly bareUrl: string
}
type Order = Opening | { readonly do: 'await'; readonly page: 'ours' | 'bare'; readonly name: string }

const chromium = findChromium()
if (chromium === undefined) throw new Error('the part "screen" needs Chromium')
const browser = await launch(chromium)
const pages = new Map<string, Page>()

async function open({ origin, account, password, folder, bareUrl }: Opening): Promise<void> {
  const ours = await (await browser.newContext(laptop)).newPage()
  await ours.goto(origin)
  await new LoginPage(ours).signIn(account, password)
  await ours.goto(`${origin}${folder}`)
  await ours.getByText('已连接').waitFor()
  const bare = await (await browser.newContext(laptop)).newPage()
  await bare.evaluate(
    (url) =>
      new Promise<void>((resolve) => {
        const socket = new WebSocket(url)
        socket.addEventListener('open', () => {
          socket.send('login')
          resolve()
        })
        socket.addEventListener('message', ({ data }) => {
          const row = document.createElement('li')
          row.textContent = (JSON.parse(data as string) as { data: { fName: string } }).data.fName
          document.body.append(row)
        })
      }),
    bareUrl,
  )
  pages.set('ours', ours).set('bare', bare)
}

/**
 * Watches for the time at which a page has drawn a name, by the machine's clock. Resolves once it is watching; the
 * returned function resolves with the time.
 */
async function watch(page: Page, name: string): Promise<() => Promise<number>> {
  const drawn = await page.evaluateHandle(
    (text) => ({
      at: new Promise<number>((resolve) => {
        const look = (): boolean => document.body.textContent?.includes(text) ?? false
        const seen = new MutationObserver(() => {
          if (!look()) return
          seen.disconnect()
          // The frame after the one that draws the change has started, so it is on the screen.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())))
        })
        seen.observe(document.body, { childList: true, subtree: true, characterData: true })
      }),
    }),
    name,
  )
  return () => drawn.evaluate(({ at }) => at)
}

async function obey(order: Order): Promise<void> {
  if (order.do === 'open') {
    await open(order)
    process.send?.({ ready: true })
    return
  }
  const page = pages.get(order.page)
  if (page === undefined) throw new Error('no page is open')
  await page.bringToFront()
  const at = await watch(page, order.name)
  process.send?.({ ready: true })
  process.send?.({ at: await at() })
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => process.send?.({ error: String(error) }))
})
process.on('disconnect', () => void browser.close().finally(() => process.exit(0)))
process.send?.({ ready: true })
