// Ten thousand small files in one drop, under `npm run test:full`: each arrives exactly once. Reports how long the page
// was blocked.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()
const folder = await mkdtemp(join(tmpdir(), 'cloudoc-many-'))
afterAll(() => rm(folder, { recursive: true }))

const [folders, eachFolder] = [20, 500]
const total = folders * eachFolder

/** Not a performance limit: a machine with other load takes longer. */
const arriveMs = 1_500_000

// [R192] 10,000 small files dropped at once arrive, and the page stays responsive (test:full).
test('[R192] ten thousand small files dropped at once arrive, and the page answers meanwhile', async () => {
  const lin = await company.person('linxia', '林夏')
  const root = join(folder, '巡检')
  const nameOf = (n: number): string => `记录 ${String(n).padStart(3, '0')}.txt`
  for (let f = 0; f < folders; f++) {
    const path = join(root, `站点 ${f}`)
    await mkdir(path, { recursive: true })
    await Promise.all(
      Array.from({ length: eachFolder }, (_, n) => writeFile(join(path, nameOf(n)), `站点 ${f} 第 ${n} 次巡检`)),
    )
  }
  const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
  const { page } = files
  await page.evaluate(() => {
    const held: number[] = []
    Object.assign(window, { held })
    new PerformanceObserver((list) => held.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  await files.drop(root)
  await files.transfers.getByText(/正在上传 [\d,]+ 个文件/).waitFor({ timeout: 100_000 })

  // The user continues to work: tree, recycle bin, transfer window, pause and resume.
  await files.goTo('公司文档')
  await files.transfers.getByRole('button', { name: '全部显示' }).click()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: '巡检' })
  await row.getByRole('button', { name: /^巡检/ }).click()
  const detail = files.dialog('传输详情')
  await detail.getByRole('button', { name: '全部 10,000' }).waitFor()
  await detail.getByRole('listitem').first().waitFor()
  await detail.getByRole('button', { name: '暂停', exact: true }).click()
  await detail.getByText('已暂停').waitFor()
  await detail.getByRole('button', { name: '继续', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByText('没有正在传输的文件').waitFor({ timeout: arriveMs })

  const held = await page.evaluate(() => Reflect.get(window, 'held') as number[])
  const longest = Math.round(Math.max(0, ...held))
  const sum = Math.round(held.reduce((all, one) => all + one, 0))
  console.log(`the page was held up ${held.length} times, at most ${longest} ms, ${sum} ms in all`)

  const { list } = await lin.call('getSubItemList3', { folderId: lin.library, rows: 10 })
  const sites = await lin.call('getSubItemList3', { folderId: list[0]?.fId ?? 0, rows: 100 })
  expect(sites.list).toHaveLength(folders)
  for (const { fId } of sites.list) {
    expect(await lin.names(fId)).toEqual(Array.from({ length: eachFolder }, (_, n) => nameOf(n)))
  }
  await page.getByRole('link', { name: /^已完成/ }).click()
  await page.getByRole('main').getByText('→ 林夏').waitFor()
  expect(total).toBe(10_000)
}, 1_800_000)
