// Every window with sample data, and with a hundred of the longest names: in each language and skin, on an office
// laptop and on a zoomed-in one. The gallery is not part of the product, so the client is built with it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { afterAll, expect, inject, test } from 'vitest'
import { defaultSkins, violationsInSkins } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { overflow } from '../screenshots/overflow.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
await company.person('linxia', '林夏')

const outDir = await mkdtemp(join(tmpdir(), 'cloudoc-gallery-'))
const paths = [
  '/services',
  '/services2',
  '/DownloadServlet',
  '/DownloadMultiFile',
  '/UploadServlet',
  '/healthz',
  '/im/api',
]
const proxy = Object.fromEntries(paths.map((path) => [path, { target: company.url }]))
const root = join(import.meta.dirname, '../../packages/web')
const quiet = { root, mode: 'gallery', logLevel: 'error' } as const
await build({ ...quiet, build: { outDir, emptyOutDir: true } })
const pages = await preview({ ...quiet, build: { outDir }, preview: { port: 0, proxy } })
afterAll(async () => {
  await pages.close()
  await rm(outDir, { recursive: true, force: true })
})
const url = pages.resolvedUrls?.local[0] ?? ''

/** The folder for screenshots of the windows, and the skin. */
const shots = process.env.GALLERY_SHOTS
const skinsOf = process.env.GALLERY_SKIN ?? 'blue'

const sizes = [
  { width: 1366, height: 768 },
  { width: 1093, height: 614 },
] as const

/**
 * The full run judges every window in both languages and sizes. Otherwise each window is opened once, every second one in
 * each language: axe judges those in Chinese, and what fits the narrow page fits the wide one.
 */
const full = inject('full')
const appearances = [
  { locale: 'zh', judged: defaultSkins, sizes: full ? sizes : sizes.slice(1), turn: 0 },
  { locale: 'en', judged: full ? defaultSkins : [], sizes: full ? sizes : sizes.slice(1), turn: 1 },
]

test.each(appearances)(
  'in $locale the windows fit on the page and axe finds no barrier in them',
  async ({ locale, judged, sizes: seen, turn }) => {
    const localStorage = Object.entries({ skin: skinsOf, locale }).map(([name, value]) => ({ name, value }))
    const storageState = { cookies: [], origins: [{ origin: new URL(url).origin, localStorage }] }
    const page = await browser.open(`${url}doc/login?redirect=%2Fgallery`, { storageState })
    await page.getByLabel(/^(账号|Account)$/).fill(company.account('linxia'))
    await page.getByLabel(/^(密码|Password)$/).fill(password)
    await page.getByRole('button', { name: /^(登录|Sign in)$/ }).click()
    const openers = page.locator('[data-name]')
    await openers.first().waitFor()
    const all = await openers.evaluateAll((found) => found.map((one) => one.getAttribute('data-name')))
    const names = full ? all : all.filter((_, at) => at % 2 === turn)
    expect(names.length).toBeGreaterThan(8)
    const wrong: string[] = []
    for (const name of names) {
      await page.locator(`[data-name="${name}"]`).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('button').last().waitFor()
      await page
        .waitForFunction(() => document.querySelector('.k-spinner') === null)
        .catch(() => wrong.push(`${name}: keeps its spinner`))
      wrong.push(...(await violationsInSkins(page, judged)).map((barrier) => `${name}: ${barrier}`))
      for (const size of seen) {
        await page.setViewportSize(size)
        await page.evaluate(() => new Promise(requestAnimationFrame))
        // Windows move into view after the page has kept its size for a moment ([R390]).
        await expect
          .poll(() => overflow(page), { timeout: 1000 })
          .toEqual([])
          .catch(() => undefined)
        wrong.push(...(await overflow(page)).map((problem) => `${name} at ${size.width}: ${problem}`))
        if (shots !== undefined)
          await page.screenshot({ path: join(shots, `${name}-${skinsOf}-${locale}-${size.width}.png`) })
      }
      await page.setViewportSize(sizes[0])
      await page.keyboard.press('Escape')
      // A window that only its own buttons can close is closed by reloading the page.
      if ((await dialog.count()) > 0) await page.reload()
      await openers.first().waitFor()
    }
    expect(wrong).toEqual([])
  },
)
