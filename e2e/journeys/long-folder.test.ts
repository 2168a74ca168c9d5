// A folder of ten thousand items; long-folder.full.ts tests a hundred thousand.
import { formatItemIdStr } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, type Person, password } from './company.ts'
import { expectRows, longFolder } from './long-folder.ts'

const company = await openCompany()
const browser = await openBrowser()

const total = 10_000
const lin = await company.person('linxia', '林夏')
const { folderId, names: expected } = await longFolder(lin, total)

const address = (focus?: number): string => {
  const idOf = (fId: number): string => formatItemIdStr({ serverId: 0, fType: 2, fId })
  const query = new URLSearchParams({ itemIdStr: idOf(folderId), ...(focus && { focusItemIdStr: idOf(focus) }) })
  return `${company.url}/doc/folder/files?${query}`
}

async function itemAt(person: Person, index: number): Promise<{ fId: number; fName: string }> {
  const { list } = await person.call('getSubItemList3', { folderId, rows: 1, from: index })
  const [item] = list
  if (item === undefined) throw new Error(`nothing stands at ${index}`)
  return item
}

async function signedIn(): Promise<{ page: Page; files: FilesPage }> {
  const page = await browser.open(company.url)
  return { page, files: await new LoginPage(page).signIn(company.account('linxia'), password) }
}

const expectRowsAt = (files: FilesPage, index: number): Promise<void> => expectRows(files, expected, index)

test('[R115] a long folder jumps to its end by one page and scrolls without a blank row, in the server’s order', async () => {
  expect(expected).toHaveLength(total)
  expect(expected[9]).toBe('工单第10号')
  const { page, files } = await signedIn()
  let pages = 0
  page.on('request', (request) => {
    if (request.url().includes('getSubItemList3') && !request.url().includes('foldersOnly=true')) pages += 1
  })
  await files.openFolder('工单归档')
  expect(await files.grid.getAttribute('aria-rowcount')).toBe(String(total))
  await expectRowsAt(files, 0)

  pages = 0
  await page.keyboard.press('End')
  await expectRowsAt(files, total - 1)
  await files
    .row(expected[total - 1] ?? '')
    .and(page.locator('[aria-selected=true]'))
    .waitFor()
  expect(pages).toBeLessThanOrEqual(3)
  await page.keyboard.press('Home')
  await expectRowsAt(files, 0)

  // Scrolls by the wheel through the whole folder; each step waits for its rows.
  await files.grid.hover()
  const turn = total / 10
  for (let passed = 0; passed < total; passed += turn) {
    await page.mouse.wheel(0, 36 * turn)
    await expectRowsAt(files, Math.min(total - 1, passed + turn + 5))
  }
  await expect.poll(() => files.rows().last().getAttribute('aria-rowindex')).toBe(String(total))

  // A colleague's change appears at its position while the folder is open.
  const last = await itemAt(lin, total - 1)
  await lin.call('renameFolder', { folderId: last.fId, folderName: '工单第0号' })
  await files.row(last.fName).waitFor({ state: 'detached' })
  await page.keyboard.press('Home')
  await files.row('工单第0号').waitFor()
  await expect.poll(async () => (await files.names())[0]).toBe('工单第0号')
  await lin.call('renameFolder', { folderId: last.fId, folderName: last.fName })
})

// [R062] An address opens a folder at the items it names, at any position among 100,000, or the folder that contains the
// named items (test:full).
// [R112] An address may name items by composite ids.
longTest(
  '[R062] [R112] an address opens a long folder at an item near its end, and the folder of items that it names',
  async () => {
    const at = Math.floor(total * 0.9)
    const { page, files } = await signedIn()
    const item = await itemAt(lin, at)
    await page.goto(address(item.fId))
    await files.row(item.fName).waitFor()
    expect(await files.row(item.fName).getAttribute('aria-selected')).toBe('true')
    expect(await files.row(item.fName).getAttribute('aria-rowindex')).toBe(String(at + 1))
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'row')
    // Addresses of items: the page finds the folder that contains them. Ids may be composite ([R112]).
    const second = await itemAt(lin, at + 1)
    await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${item.fId},0|${second.fId}|2|0`)
    await files.row(second.fName).waitFor()
    for (const { fName } of [item, second]) expect(await files.row(fName).getAttribute('aria-selected')).toBe('true')
    await page.goto(`${company.url}/doc/folder/files?itemIdStr=s7f-${item.fId}`)
    await page.getByText('互联服务器不存在').waitFor()
  },
)

longTest(
  'all of a long folder is selected by one key and without fetching it, and one row is taken out again',
  async () => {
    const { page, files } = await signedIn()
    await page.goto(address())
    await expectRowsAt(files, 0)
    let pages = 0
    page.on('request', (request) => {
      if (request.url().includes('getSubItemList3')) pages += 1
    })
    await files.rows().first().click()
    await page.keyboard.press('Control+a')
    await files.expectChosen(total)
    await files.row(expected[1] ?? '').click({ modifiers: ['Control'] })
    await files.expectChosen(total - 1)
    expect(pages).toBeLessThanOrEqual(2)
    await page.keyboard.press('End')
    await expectRowsAt(files, total - 1)
  },
)

longTest(
  '[R115] who has the keyboard keeps it when the row it was on moves out of sight amid many changes',
  async () => {
    const changing = await lin.folder(lin.library, '变动')
    const some = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`)
    await lin.call('createFolderByPathList', { folderId: changing, pathList: some('工单', 2000) })
    const { page, files } = await signedIn()
    await files.openFolder('变动')
    const expectTotal = (count: number) => files.grid.and(page.locator(`[aria-rowcount="${count}"]`)).waitFor()
    await expectTotal(2000)
    const last = files.rows().last()
    await page.keyboard.press('End')
    await expect.poll(() => last.getAttribute('aria-rowindex')).toBe('2000')
    const [name = ''] = (await files.names()).slice(-1)
    const { list } = await lin.call('getSubItemList3', { folderId: changing, rows: 1, from: 1999 })
    expect(list[0]?.fName).toBe(name)

    // Many changes are processed as one batch, the next after a delay: then only the visible rows are fetched again.
    await lin.call('createFolderByPathList', { folderId: changing, pathList: some('乙', 100) })
    await expectTotal(2100)
    await lin.call('renameFolder', { folderId: list[0]?.fId ?? 0, folderName: '0' })
    await lin.call('createFolderByPathList', { folderId: changing, pathList: some('丙', 100) })
    await expectTotal(2200)
    await files.row(name).waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-rowindex') === '1')
    await expect.poll(async () => (await files.names())[0]).toBe('0')
  },
)
