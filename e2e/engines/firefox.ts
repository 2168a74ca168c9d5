// Firefox, driven over WebDriver BiDi.
import { existsSync } from 'node:fs'
import { type ElementHandle, launch, type Page } from 'puppeteer-core'
import { laptop } from '../browser.ts'
import type { Engine } from './engine.ts'
import type { Driver } from './screen.ts'

const program = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

/** Starts Firefox; each page has a profile of its own. */
export async function openFirefox(): Promise<Engine> {
  if (!existsSync(program)) throw new Error('this test needs firefox-esr: npm run test:full installs it')
  const browser = await launch({
    browser: 'firefox',
    executablePath: program,
    extraPrefsFirefox: { 'intl.accept_languages': 'zh-CN' },
  })
  const problems: string[] = []
  return {
    problems,
    async open(url) {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      await page.setViewport(laptop.viewport)
      page.on('pageerror', (error) => problems.push(error instanceof Error ? error.message : String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      await page.goto(url)
      return driverOf(page)
    },
    close: () => browser.close(),
  }
}

const driverOf = (page: Page): Driver<ElementHandle> => ({
  async goto(url) {
    await page.goto(url)
  },
  url: () => Promise.resolve(page.url()),
  async element(find, named) {
    const handle = await page.evaluateHandle(find, named)
    return (handle.asElement() as ElementHandle | null) ?? undefined
  },
  ask: (answer, asked) => page.evaluate(answer as never, asked as never),
  async click(element, how) {
    if (how === 'twice') await element.click({ count: 2 })
    else await element.click({ button: how === 'context' ? 'right' : 'left' })
  },
  type: (text) => page.keyboard.type(text),
  async press(key, withControl) {
    if (withControl) await page.keyboard.down('Control')
    await page.keyboard.press(key)
    if (withControl) await page.keyboard.up('Control')
  },
  chooseFile: (element, path) => (element as ElementHandle<HTMLInputElement>).uploadFile(path),
  async picture(path) {
    await page.screenshot({ path })
  },
  close: () => page.browserContext().close(),
})
