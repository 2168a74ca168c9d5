// The files view as a workbench: views, columns, path, panel and commands.
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'
import { documentOf } from './demo-documents.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')
const shared = await company.sharedFolder('市场资料', rightsGroup.edit, [lin])
const inside = await lin.folder(shared, '华东大区')
await lin.folder(shared, '华南大区')
const picture = await lin.upload(inside, '展台.png', await documentOf('png'))
await lin.upload(inside, '说明.txt', Buffer.from('第一版'))
for (let n = 1; n <= 6; n += 1) await lin.upload(inside, `现场${n}.txt`, Buffer.from('现场'))

test('a folder is shown as a list, as icons and as a gallery, by keys, and stays as it was left', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(company.account('linxia'), password)
  await files.goTo('公司文档')
  await files.openFolder('市场资料')
  await files.openFolder('华东大区')
  expect(picture).toBeGreaterThan(0)
  await files.row('展台.png').click()
  await page.keyboard.press('Alt+2')
  await files.row('展台.png').locator('img').waitFor()
  await files.row('展台.png').and(page.locator('[aria-selected=true]')).waitFor()

  // Arrow keys move across and down the tiles.
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  const at = () => page.evaluate(() => Number(document.activeElement?.getAttribute('aria-rowindex')))
  await expect.poll(at).toBe(2)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await expect.poll(at).toBeGreaterThan(2)

  await files.goTo('林夏')
  await page.goBack()
  await files.row('展台.png').locator('img').waitFor()
  await page.keyboard.press('Alt+1')
  await files.row('展台.png').locator('img').waitFor({ state: 'detached' })
})

longTest('columns are chosen, and made wider, and are the same after a reload', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(company.account('linxia'), password)
  const head = (name: string) => page.getByRole('columnheader', { name })
  await files.goTo('公司文档')
  await files.openFolder('市场资料')
  await head('修改时间').click({ button: 'right' })
  await page.getByRole('menuitemradio', { name: '类型', exact: true }).click()
  await head('类型').waitFor()
  await head('修改时间').click({ button: 'right' })
  await page.getByRole('menuitemradio', { name: '修改人', exact: true }).click()
  await head('修改人').waitFor({ state: 'detached' })

  const edge = page.getByRole('separator', { name: '修改时间列的宽度' })
  const from = await edge.boundingBox()
  if (from === null) throw new Error('the edge is not drawn')
  await page.mouse.move(from.x + 4, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x - 76, from.y + 8, { steps: 4 })
  await page.mouse.up()
  expect(await edge.getAttribute('aria-valuenow')).toBe('200')
  await page.reload()
  await head('类型').waitFor()
  expect(await edge.getAttribute('aria-valuenow')).toBe('200')
  expect(await head('修改人').count()).toBe(0)
})

longTest(
  'the path is typed, its marks lead to the folders beside it, and a wrong one says so and keeps the text',
  async () => {
    const page = await browser.open(company.url)
    const files = await new LoginPage(page).signIn(company.account('linxia'), password)
    const field = page.getByRole('textbox', { name: '当前位置' })
    await page.keyboard.press('Alt+d')
    await field.fill('公司文档 / 市场资料 / 没有')
    await page.keyboard.press('Enter')
    await page.getByText('没有这个文件夹').waitFor()
    expect(await field.inputValue()).toContain('没有')
    await field.fill('公司文档/市场资料/华东大区')
    await page.keyboard.press('Enter')
    await files.folder('华东大区').waitFor()
    await page.getByRole('button', { name: '市场资料 中的文件夹' }).click()
    await page.getByRole('menuitemradio', { name: '华南大区' }).click()
    await files.folder('华南大区').waitFor()
  },
)

longTest('the panel says what may be done with a file and why, and lists its versions', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(company.account('linxia'), password)
  await files.goTo('公司文档')
  await files.openFolder('市场资料')
  await files.openFolder('华东大区')
  await files.row('说明.txt').click()
  await page.keyboard.press('Alt+p')
  const panel = page.getByRole('complementary', { name: '详细信息' })
  await panel.getByText('编辑者 ·').waitFor()
  await panel.getByText('来自上级文件夹的授权').waitFor()
  await panel.getByText('公司文档 › 市场资料 › 华东大区').waitFor()
  await panel.getByRole('tab', { name: '版本' }).click()
  await panel.getByText('版本 1').waitFor()
  await panel.getByText('当前').waitFor()
  await files.select('说明.txt', '展台.png')
  await panel.getByRole('heading', { name: '已选 2 项' }).waitFor()
  await files.page.getByRole('contentinfo').getByText('已选 2 项').waitFor()
})

test('Ctrl+K finds commands beside files: three keys and a word change the view', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(company.account('linxia'), password)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('图库')
  await page.getByRole('option', { name: '图库' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '图库', pressed: true }).waitFor()
  await files.grid.and(page.locator('.is-gallery')).waitFor()
})
