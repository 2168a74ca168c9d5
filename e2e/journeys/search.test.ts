// Search: a user remembers two syllables and an approximate date, and gets from Ctrl+K to the open file. Then a search
// by content, with filters in the address.
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const xia = await company.person('search-xia', '寻林夏')
const pictures = process.env['PICTURES']
const agreement = [
  '华东区渠道合作协议',
  '第一条 范围',
  '第四条 结算方式：付款周期为 45 个自然日，自乙方验收合格并送达发票次日起算；逾期按日万分之五计息。',
  '第七条 付款周期内不得变更账户。',
].join('\n')

// [R241] From Ctrl+K to the open file, “ysgd, last week” takes nine keys.
// [R242] Results have the menu of their module, on a page with filter chips, counts, suggestions which filter to drop
// when nothing is found, and saved searches.
// [R242] A passage of a result opens its document at that place, with the words highlighted.
test('[R240] [R241] [R242] a file is found by its initials, another by what stands in it, narrowed, kept and shown in its folder', async () => {
  const folderId = await xia.folder(xia.library, '预算与协议')
  await xia.upload(folderId, '2026 年预算归档汇总.txt', Buffer.from('预算'))
  await xia.upload(folderId, '渠道合作协议.md', Buffer.from(agreement))
  await xia.upload(folderId, '供应商付款周期管理办法.txt', Buffer.from('为统一集团供应商付款周期，特制定本办法。'))
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(xia.account, password)
  await files.row('预算与协议').waitFor()
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
  }
  // “ysgd, last week” in its shortest form: no result for that week, and the file a week later.
  const budget = (await xia.call('getSubItemList3', { folderId, rows: 10 })).list.find(({ fName }) =>
    fName.includes('预算'),
  )
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ysgd sz')
  await page.getByText('没有找到“ysgd sz”').waitFor()
  await page.keyboard.press('Escape')
  await page.clock.setSystemTime((budget?.modifyTime ?? 0) + 7 * 24 * 60 * 60_000)
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    const isModifier = (key: string): boolean => ['Control', 'Shift', 'Alt', 'Meta'].includes(key)
    addEventListener(
      'keydown',
      ({ key }) => (dataset['keys'] = `${dataset['keys'] ?? ''}${isModifier(key) ? '' : '·'}`),
      true,
    )
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ysgd sz')
  await page.getByText(/^上周修改过的：/).waitFor()
  await picture('search-palette')
  await page.keyboard.press('Enter')
  const previewer = page.getByRole('dialog').filter({ hasText: '2026 年预算归档汇总' })
  await previewer.waitFor()
  expect((await page.evaluate(() => document.documentElement.dataset['keys'] ?? '')).length).toBe(9)
  await page.keyboard.press('Escape')
  await previewer.waitFor({ state: 'detached' })
  await page.clock.setSystemTime(Date.now())

  await vi.waitFor(async () => {
    const { list } = await xia.call('searchDoc', { keyword: '付款周期', scope: 'content' })
    expect(list.length).toBe(2)
  }, 60_000)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('付款周期')
  await page.keyboard.press('Shift+Enter')
  const results = page.getByRole('region', { name: '搜索结果', exact: true })
  const row = (name: string) => results.getByRole('row').filter({ hasText: name })
  await row('渠道合作协议.md').waitFor()
  await results.getByText('第 3 行').waitFor()
  // The thumbnail of the first page replaces the file type icon.
  await row('渠道合作协议.md').locator('.dr-cell-icon img').waitFor()
  await row('渠道合作协议.md').click()
  const matches = page.getByRole('complementary', { name: '匹配的内容' })
  await matches.getByText('匹配 2', { exact: true }).waitFor()
  await picture('search-results')
  await expectAccessible(page)
  // A passage opens the document at its position.
  await matches.getByRole('button', { name: /不得变更账户/ }).click()
  const opened = page.getByRole('dialog').filter({ hasText: '渠道合作协议.md' })
  await opened.getByText('2 / 2', { exact: true }).waitFor()
  await expect.poll(() => opened.getByRole('textbox').inputValue()).toBe('付款周期')
  await picture('search-opened')
  await page.keyboard.press('Escape')
  await opened.getByRole('textbox').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await opened.waitFor({ state: 'detached' })

  // Narrows by a facet and by a chip; the address contains the filters.
  const beside = page.getByRole('region', { name: '关键字' })
  await beside.getByRole('button', { name: /文件名/ }).click()
  await row('渠道合作协议.md').waitFor({ state: 'detached' })
  await row('供应商付款周期管理办法.txt').waitFor()
  await page.waitForURL(/scope=name/)
  await results.getByRole('button', { name: /^时间/ }).click()
  await page.getByRole('menuitemradio', { name: /7 天内/ }).click()
  await page.waitForURL(/days=7/)
  await results.getByRole('button', { name: '保存搜索' }).click()
  await page
    .getByRole('region', { name: '已保存的搜索' })
    .getByRole('button', { name: /^付款周期/ })
    .waitFor()
  await page.reload()
  await row('供应商付款周期管理办法.txt').waitFor()
  await picture('search-narrowed')

  // All filters together find nothing; removing one helps.
  await page.getByRole('region', { name: '类型' }).getByRole('button', { name: /^PDF/ }).click()
  await results.getByText('没有找到“付款周期”').waitFor()
  await picture('search-none')
  await results.getByRole('button', { name: /去掉“类型”.* 1 项/ }).click()
  await row('供应商付款周期管理办法.txt').waitFor()
  await results.getByRole('button', { name: '清除筛选' }).first().click()
  await row('渠道合作协议.md').waitFor()

  // A misspelling by one letter.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('付款周其')
  await page.keyboard.press('Shift+Enter')
  await results.getByRole('button', { name: '付款周期', exact: true }).click()
  await row('渠道合作协议.md').click({ button: 'right' })
  await picture('search-menu')
  await page.getByRole('menuitem', { name: '打开所在文件夹' }).click()
  await files.row('渠道合作协议.md').waitFor()
  await page.waitForURL(new RegExp(`s0f-${folderId}`))
  if (pictures === undefined) return
  for (const [skin, locale] of [['black', 'en']] as const) {
    await page.evaluate(
      ([one, other]) => {
        localStorage.setItem('skin', one)
        localStorage.setItem('locale', other)
      },
      [skin, locale] as const,
    )
    await page.goto(`${company.url}/doc/folder/search?keyword=${encodeURIComponent('付款周期')}`)
    await page.getByText('渠道合作协议.md').first().waitFor()
    await page.getByText('渠道合作协议.md').first().click()
    await page.getByText(/Matches: 2/).waitFor()
    await picture(`search-results-${skin}-${locale}`)
  }
})
