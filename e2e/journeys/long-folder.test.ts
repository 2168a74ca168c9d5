// A folder of ten thousand files.
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()

const total = 10_000
/** Uploads under way at once. */
const parallel = 12

test('[R115] a folder of 10,000 files scrolls to its end and jumps there, without a blank row and in the server’s order', async () => {
  const lin = await company.person('linxia', '林夏')
  const folderId = await lin.folder(lin.library, '工单归档')
  const bytes = Buffer.from('工单')
  let made = 0
  const upload = async (): Promise<void> => {
    while (made < total) await lin.upload(folderId, `工单第${(made += 1)}号.txt`, bytes)
  }
  await Promise.all(Array.from({ length: parallel }, upload))
  const expected = await lin.names(folderId)
  expect(expected).toHaveLength(total)
  expect(expected[9]).toBe('工单第10号.txt')

  const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
  await files.openFolder('工单归档')
  expect(await files.grid.getAttribute('aria-rowcount')).toBe(String(total))

  /** The rows in sight, once the one of this index is drawn: each in its place, none blank. */
  const expectRowsAt = async (index: number): Promise<void> => {
    await files.row(expected[index] ?? '').waitFor()
    const rows = await files.rows().evaluateAll((drawn) => {
      const box = document.querySelector('[role=grid]')?.getBoundingClientRect()
      const inSight = drawn.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return box !== undefined && top >= box.top && bottom <= box.bottom
      })
      return inSight.map((row) => ({
        index: Number(row.ariaRowIndex) - 1,
        name: row.querySelector('[title]')?.getAttribute('title'),
      }))
    })
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) expect(row.name).toBe(expected[row.index])
  }
  await expectRowsAt(0)

  await files.page.keyboard.press('End')
  await expectRowsAt(total - 1)
  expect(await files.row(expected[total - 1] ?? '').getAttribute('aria-selected')).toBe('true')
  await files.page.keyboard.press('Home')
  await expectRowsAt(0)

  // By the wheel, all the way: each turn waits for its rows.
  await files.grid.hover()
  const turn = 36 * 1000
  for (let passed = 0; passed < total; passed += 1000) {
    await files.page.mouse.wheel(0, turn)
    await expectRowsAt(Math.min(total - 1, passed + 1005))
  }
  expect(await files.rows().last().getAttribute('aria-rowindex')).toBe(String(total))

  // While it is open, a colleague's change is put in its place.
  const { list } = await lin.call('getSubItemList3', { folderId, rows: 1, order: 'desc' })
  await lin.call('renameFile', { fileId: list[0]?.fId ?? 0, fileName: '工单第0号.txt' })
  await files.row(expected[total - 1] ?? '').waitFor({ state: 'detached' })
  await files.page.keyboard.press('Home')
  await files.row('工单第0号.txt').waitFor()
  expect((await files.names())[0]).toBe('工单第0号.txt')
})
