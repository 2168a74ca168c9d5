/*
 * Chromium for the journeys: one per test file, a fresh profile per person. A page that logs an error, throws or
 * violates its own CSP fails the test that opened it.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, expect, inject } from 'vitest'

/** No background network requests; software rendering; no sandbox as root. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A host name that resolves to this machine: pages opened there are not a secure context, as at a LAN address.
  '--host-resolver-rules=MAP cloudoc.example 127.0.0.1',
]
/** The timeout for an expected state, on a slow and busy machine. */
export const patienceMs = 90_000
/** The folder for screenshots of failed tests. */
const failures = join(import.meta.dirname, '../screenshots/failed')

/** Starts the browser headless. */
export function launch(executablePath: string): Promise<Browser> {
  // Without a locale, as on a minimal machine, Chromium cannot open files with Chinese names.
  return chromium.launch({ executablePath, args: flags, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}

/** Page options of an office laptop. */
export const laptop = {
  viewport: { width: 1366, height: 768 },
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions

/** Collects errors of a page. A refusal by the server (4xx) is not one. */
function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message))
  page.on('crash', () => problems.push('the page crashed'))
  page.on('console', (message) => {
    if (message.type() !== 'error' && !message.text().includes('violates')) return
    if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) return
    problems.push(`${message.text()} (${message.location().url})`)
  })
}

/** The browser of a test file. */
export interface Visits {
  /** Opens a page in a profile of its own, which is closed at the end of the test. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>
  /** The errors that pages have logged so far in this test; a test that expects an error removes it. */
  readonly problems: string[]
}

/** Starts the browser for a test file, called at top level. */
export async function openBrowser(): Promise<Visits> {
  const browser = await launch(inject('chromium'))
  const problems: string[] = []
  const contexts: BrowserContext[] = []
  afterAll(() => browser.close())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await draw(contexts, task.name)
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(problems.splice(0)).toEqual([])
  })
  return {
    problems,
    async open(url, options = {}) {
      const context = await browser.newContext({ ...laptop, ...options })
      contexts.push(context)
      context.setDefaultTimeout(patienceMs)
      context.on('page', (page) => watch(page, problems))
      const page = await context.newPage()
      await page.goto(url)
      return page
    },
  }
}

async function draw(contexts: readonly BrowserContext[], name: string): Promise<void> {
  await mkdir(failures, { recursive: true })
  const pages = contexts.flatMap((context) => context.pages())
  const file = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  await Promise.all(pages.map((page, i) => page.screenshot({ path: join(failures, `${file}-${i + 1}.png`) })))
}
