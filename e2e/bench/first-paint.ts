/*
 * A phone that opens a page for the first time: until its first paint, and until what it was opened for is there. The
 * processor is four times as slow, the network has 10 Mbit a second. A program of `npm run bench -- phone`, which gives it
 * orders (packages/server/bench/phone.ts).
 */
import type { BrowserContextOptions } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'
import { laptop, launch } from '../browser.ts'

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>
type Order =
  | { readonly do: 'open'; readonly origin: string; readonly account: string; readonly password: string }
  /** Opens a page with an empty cache, which is complete once the selector is there. */
  | { readonly do: 'paint'; readonly path: string; readonly complete: string; readonly signedIn: boolean }

const phone = { ...laptop, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const slowdown = 4
const bytesPerSecond = 10_000_000 / 8
const latencyMs = 40

const chromium = findChromium()
if (chromium === undefined) throw new Error('the part "phone" needs Chromium')
const browser = await launch(chromium)
let home = ''
let session: StorageState | undefined

/** Signs in, and keeps the session for the pages that are opened later. */
async function signIn(account: string, password: string): Promise<void> {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await page.goto(`${home}/m/index.html`)
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).tap()
  await page.locator('.m-tabs').waitFor()
  session = await context.storageState()
  await context.close()
}

interface Painted {
  /** Milliseconds until the first paint with content. */
  readonly first: number
  readonly complete: number
}

async function paint({ path, complete, signedIn }: Extract<Order, { do: 'paint' }>): Promise<Painted> {
  const context = await browser.newContext({
    ...phone,
    serviceWorkers: 'block',
    ...(signedIn && session !== undefined && { storageState: session }),
  })
  try {
    const page = await context.newPage()
    const driver = await context.newCDPSession(page)
    await driver.send('Network.enable')
    await driver.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: latencyMs, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
    })
    await driver.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(home + path)
    await page.locator(complete).first().waitFor()
    return await page.evaluate(() => ({
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      complete: performance.now(),
    }))
  } finally {
    await context.close()
  }
}

async function obey(order: Order): Promise<void> {
  if (order.do === 'paint') return void process.send?.({ painted: await paint(order) })
  home = order.origin
  await signIn(order.account, order.password)
  process.send?.({ ready: true })
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => process.send?.({ error: String(error) }))
})
process.on('disconnect', () => void browser.close().finally(() => process.exit(0)))
process.send?.({ ready: true })
