/*
 * Chromium for the journeys: one for a test file, a fresh profile for each person. A page that logs an error, throws or
 * breaks its own policy fails the test it was opened in.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, expect, inject } from 'vitest'

/** Nothing that calls home; software drawing; as root there is no sandbox. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name of the network that leads to this machine: what is opened there is no secure page, as at a LAN address.
  '--host-resolver-rules=MAP cloudoc.example 127.0.0.1',
]
/** How long a state is waited for. */
export const patienceMs = 30_000
/** Where the pages of a failed test are drawn. */
const failures = join(import.meta.dirname, '../screenshots/failed')

/** Starts the browser without a window. */
export function launch(executablePath: string): Promise<Browser> {
  // Where no locale is set, as on a bare machine, Chromium cannot open files with Chinese names.
  return chromium.launch({ executablePath, args: flags, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}

/** A page for somebody, as an office laptop shows it. */
export const laptop = {
  viewport: { width: 1366, height: 768 },
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions

/** What went wrong in a page by itself; a refusal that the server answers (4xx) is no fault of the page. */
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
  /** What pages have logged so far in this test; a test that expects a problem takes it out. */
  readonly problems: string[]
}

/** Starts the browser for the test file that calls it at its top. */
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
