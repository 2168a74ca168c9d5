// The limits for a folder of a hundred thousand items, under `npm run test:full`.
import { formatItemIdStr } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'
import { expectRows, longFolder } from './long-folder.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()

const total = 100_000
const short = 100
/** The share of probes in a fast scroll that may hit a blank row, in the best of three. */
const mostBlank = 0.002
/**
 * The maximum ratio of the time to the first rows of the long folder to that of a folder of a hundred, each the best of
 * several visits.
 */
const mostTimes = 1.5
const visits = 7

const lin = await company.person('linxia', '林夏')
const { folderId, names } = await longFolder(lin, total)
const shortId = await lin.folder(lin.library, '工单摘录')
await lin.call('createFolderByPathList', {
  folderId: shortId,
  pathList: Array.from({ length: short }, (_, i) => `工单第${i + 1}号`),
})

async function signedIn(): Promise<{ page: Page; files: FilesPage }> {
  const page = await browser.open(company.url)
  return { page, files: await new LoginPage(page).signIn('linxia', password) }
}

const address = (fId: number): string =>
  `${company.url}/doc/folder/files?itemIdStr=${formatItemIdStr({ serverId: 0, fType: 2, fId })}`

test('[R115] a hundred thousand items: the end is one jump away, and every tenth of the way stands what the server says', async () => {
  expect(names).toHaveLength(total)
  const { page, files } = await signedIn()
  await files.openFolder('工单归档')
  expect(await files.grid.getAttribute('aria-rowcount')).toBe(String(total))
  await expectRows(files, names, 0)
  await page.keyboard.press('End')
  await expectRows(files, names, total - 1)
  await page.keyboard.press('Home')
  await expectRows(files, names, 0)
  await files.grid.hover()
  const turn = total / 10
  for (let passed = 0; passed < total; passed += turn) {
    await page.mouse.wheel(0, 36 * turn)
    await expectRows(files, names, Math.min(total - 1, passed + turn + 5))
  }
  await page.keyboard.press('Control+a')
  await files.expectChosen(total)
})

test('the first rows of a hundred thousand are there as soon as those of a hundred', async () => {
  const { page, files } = await signedIn()
  const times: Record<'long' | 'short', number[]> = { long: [], short: [] }
  for (let visit = 0; visit < visits; visit += 1) {
    for (const [kind, name] of [
      ['long', '工单归档'],
      ['short', '工单摘录'],
    ] as const) {
      await page.goto(address(lin.library))
      const row = files.row(name)
      await row.waitFor()
      times[kind].push(await untilRows(page, name))
    }
  }
  const [long, least] = [Math.min(...times.long), Math.min(...times.short)]
  expect(long / least, JSON.stringify(times)).toBeLessThanOrEqual(mostTimes)
})

/** Opens a folder of the list by a double click; returns the milliseconds until its first row is in the page. */
function untilRows(page: Page, name: string): Promise<number> {
  return page.evaluate(async (folder) => {
    const named = document.querySelector(`.dr-row [title="${folder}"]`)
    if (named === null) throw new Error(`${folder} is not drawn`)
    const start = performance.now()
    named.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
    while (document.querySelector('.dr-row [title="工单第1号"]') === null) await new Promise(requestAnimationFrame)
    return performance.now() - start
  }, name)
}

test('a scroll of 3,000 pixels a second with the processor four times slower meets no blank row', async () => {
  const { page, files } = await signedIn()
  await page.goto(address(folderId))
  await expectRows(files, names, 0)
  const client = await page.context().newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const shares: number[] = []
  for (let run = 0; run < 3; run += 1) shares.push(await blankShare(page))
  expect(Math.min(...shares), shares.join(' ')).toBeLessThanOrEqual(mostBlank)
})

/** Scrolls from the top for five seconds; returns the share of probes that hit no row, or one without a name. */
function blankShare(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const scroller = document.querySelector('.dr-scroll')
    if (scroller === null) throw new Error('there is nothing to scroll')
    const { left, top, height } = scroller.getBoundingClientRect()
    const frame = (): Promise<number> => new Promise(requestAnimationFrame)
    scroller.scrollTop = 0
    for (let still = 0; still < 30; still += 1) await frame()
    let probes = 0
    let blank = 0
    const start = await frame()
    for (let now = start; now < start + 5000; now = await frame()) {
      // Probes what the previous frame has drawn, before this frame scrolls on.
      for (const share of [0.05, 0.5, 0.95]) {
        probes += 1
        const row = document.elementFromPoint(left + 300, top + height * share)?.closest('.dr-row')
        if (!row?.hasAttribute('aria-rowindex')) blank += 1
      }
      scroller.scrollTop = (now - start) * 3
    }
    return blank / probes
  })
}
