// Skins, languages, and accessibility of the pages.
import { rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'
import { documentOf } from './demo-documents.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()
const anna = await company.person('anna', 'Anna Lee')
const shared = await company.sharedFolder('Contracts', rightsGroup.edit, [anna])
await anna.upload(shared, 'Master agreement.pdf', await documentOf('pdf'))
await anna.upload(shared, 'Site plan.png', await documentOf('png'))
await anna.folder(shared, 'Annexes')
await anna.folder(anna.library, 'Drafts')

/** Names that are data: they are Chinese in every language. */
const data = ['云文档', '公司文档', '公司', '综合管理部', '中文', '系统管理员']

/** Returns all texts and labels of the page, except data, that are Chinese or an untranslated key. */
function untranslated(page: Page): Promise<string[]> {
  return page.evaluate((names) => {
    const said: string[] = [document.title]
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      // The text of a previewed document is data too, so it need not be in the chosen language.
      if (texts.currentNode.parentElement?.closest('.pv-text-layer') === null)
        said.push(texts.currentNode.textContent ?? '')
    }
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['title', 'aria-label', 'placeholder', 'alt', 'data-tip']) {
        said.push(element.getAttribute(name) ?? '')
      }
    }
    const plain = said.map((text) => names.reduce((left, name) => left.replaceAll(name, ''), text))
    return plain.filter(
      (text) =>
        /\p{Script=Han}/u.test(text) || /\b(app|box|drive|login|account|api|window|toast|skin)\.[a-zA-Z]/.test(text),
    )
  }, data)
}

/** Chooses an entry of a submenu of the account menu. */
async function chooseOfAccount(page: Page, menu: RegExp, entry: RegExp): Promise<void> {
  await page.getByRole('button', { name: /Anna Lee/ }).click()
  await page.getByRole('menuitem', { name: menu }).click()
  await page.getByRole('menuitemradio', { name: entry }).click()
  await page.getByRole('menu').first().waitFor({ state: 'detached' })
}

/** Records the skin of every frame from the first one with a body. */
const recordSkins = (): void => {
  const seen: string[] = []
  Object.assign(window, { skinsOfFrames: seen })
  const note = (): void => {
    if (document.body !== null) seen.push(document.documentElement.dataset.skin ?? '')
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

// [R002] Chinese and English can be chosen and the choice is stored; a text missing in one language shows in the other,
// never a key.
// [R003] Four skins, switched at once without a reload; the choice is stored.
test('[R002] [R003] in the black skin and in English everything is black and English, also after a reload', async () => {
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('anna', password)
  await chooseOfAccount(page, /^皮肤/, /^黑色/)
  await page.locator('html[data-skin=black]').waitFor()
  await chooseOfAccount(page, /^语言/, /^English/)
  await page.locator('html[lang=en]').waitFor()

  await page.addInitScript(recordSkins)
  await page.reload()
  const files = new FilesPage(page)
  await files.grid.waitFor()
  const skins = await page.evaluate(() => (window as unknown as { skinsOfFrames: string[] }).skinsOfFrames)
  expect(new Set(skins)).toEqual(new Set(['black']))
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const [red = 255] = background.match(/\d+/g)?.map(Number) ?? []
  expect(red).toBeLessThan(64)
  expect(await untranslated(page)).toEqual([])

  await files.goTo('公司文档')
  await files.openFolder('Contracts')
  await files.select('Site plan.png', 'Master agreement.pdf')
  expect(await untranslated(page)).toEqual([])
  await files.row('Annexes').click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  expect(await untranslated(page)).toEqual([])
  await page.keyboard.press('Escape')
  await files.openFolder('Annexes')
  await page.getByText('This folder is empty').waitFor()
  expect(await untranslated(page)).toEqual([])
  for (const button of ['New', 'Upload']) {
    await page.getByRole('toolbar').getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('menu').waitFor()
    expect(await untranslated(page)).toEqual([])
    await page.keyboard.press('Escape')
  }

  await page.goBack()
  await files.open('Master agreement.pdf')
  await page.getByRole('dialog').locator('canvas').first().waitFor()
  expect(await untranslated(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Anna Lee/ }).click()
  await page.getByRole('menuitem', { name: 'Change password' }).click()
  await page.getByRole('dialog').getByLabel('Current password').waitFor()
  expect(await untranslated(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('link', { name: 'Recycle bin' }).first().click()
  await page.getByText('The recycle bin is empty').waitFor()
  expect(await untranslated(page)).toEqual([])
  await page.getByRole('button', { name: /Anna Lee/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await untranslated(page)).toEqual([])
})

test('[R003] in any skin axe finds no barrier on the login page', async () => {
  const page = await browser.open(company.url)
  await page.getByLabel('账号').waitFor()
  await expectAccessible(page)
})

longTest(
  '[R003] in any skin axe finds no barrier in the files view, with rows selected, with a menu and with a dialog',
  async () => {
    const files = await new LoginPage(await browser.open(company.url)).signIn('anna', password)
    await files.goTo('公司文档')
    await files.openFolder('Contracts')
    await expectAccessible(files.page)
    await files.select('Site plan.png', 'Master agreement.pdf')
    await expectAccessible(files.page)
    await files.page.keyboard.press('Alt+p')
    await files.page.getByRole('complementary', { name: '详细信息' }).waitFor()
    for (const view of ['Alt+2', 'Alt+3', 'Alt+1']) {
      await files.page.keyboard.press(view)
      await expectAccessible(files.page)
    }
    await files.page.keyboard.press('Alt+d')
    await files.page.getByRole('textbox', { name: '当前位置' }).waitFor()
    await expectAccessible(files.page)
    await files.page.keyboard.press('Escape')
    await files.page.keyboard.press('Alt+p')
    await files.row('Annexes').click({ button: 'right' })
    await files.page.getByRole('menu').waitFor()
    await expectAccessible(files.page)
    await files.page.keyboard.press('Escape')
    await files.page.getByRole('button', { name: '取消选择' }).click()
    await files.page.getByRole('button', { name: /^按名称排序/ }).click()
    await files.page.getByRole('menuitemradio', { name: '分组显示' }).click()
    await files.page.locator('.dr-group').first().waitFor()
    // Shows a refused action with its next step, over a list grouped by type.
    await files.select('Site plan.png', 'Master agreement.pdf')
    await files.page.keyboard.press('F2')
    await files.toasts.getByRole('button', { name: '只选一项' }).waitFor()
    await expectAccessible(files.page)
    await files.select('Annexes')
    await files.page.keyboard.press('F2')
    await files.nameField.fill('a/b')
    await files.grid.getByRole('alert').waitFor()
    await expectAccessible(files.page)
    await files.page.keyboard.press('Escape')
    await files.page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-999999`)
    await files.page.getByText('你还不能打开这个文件夹').waitFor()
    await expectAccessible(files.page)
    await files.page.getByRole('button', { name: '账号: Anna Lee' }).click()
    await files.page.getByRole('menuitem', { name: '修改密码' }).click()
    await files.dialog('修改密码').getByLabel('当前密码').waitFor()
    await expectAccessible(files.page)
  },
)

longTest('[R003] in any skin axe finds no barrier in the recycle bin', async () => {
  const name = 'Outdated'
  const fileId = await anna.upload(anna.library, `${name}.txt`, Buffer.from('old'))
  await anna.call('fileOrFolderDelete', { fileIdArray: [fileId], folderIdArray: [] })
  const files = await new LoginPage(await browser.open(company.url)).signIn('anna', password)
  await files.page.getByRole('link', { name: '回收站' }).first().click()
  await files.row(`${name}.txt`).click()
  await expectAccessible(files.page)
})

longTest('[R003] in any skin axe finds no barrier in the previewer', async () => {
  const files = await new LoginPage(await browser.open(company.url)).signIn('anna', password)
  await files.goTo('公司文档')
  await files.openFolder('Contracts')
  await files.open('Master agreement.pdf')
  await files.page.getByRole('dialog').locator('canvas').first().waitFor()
  await expectAccessible(files.page)
})
longTest(
  '[R003] in any skin axe finds no barrier in what is found, in what is empty, in the details and versions, in the pickers and in a narrow window',
  async () => {
    const files = await new LoginPage(await browser.open(company.url)).signIn('anna', password)
    const { page } = files
    await files.goTo('公司文档')
    await files.openFolder('Contracts')
    await files.openSearch()
    await expectAccessible(page)
    await files.search.fill('agree')
    await files.hit('Master agreement.pdf').waitFor()
    await expectAccessible(page)
    await files.search.fill('nothing of this name')
    await page.getByText('没有找到').first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    const filter = page.getByRole('textbox', { name: '筛选当前文件夹' })
    await filter.fill('nothing of this name')
    await page.getByRole('main').getByRole('heading').waitFor()
    await expectAccessible(page)
    await filter.fill('')

    await files.select('Master agreement.pdf')
    await page.keyboard.press('Alt+p')
    const panel = page.getByRole('complementary', { name: '详细信息' })
    await panel.getByText('我的权限').waitFor()
    await expectAccessible(page)
    await panel.getByRole('tab', { name: '版本' }).click()
    await panel.getByRole('tabpanel').getByRole('listitem').first().waitFor()
    await expectAccessible(page)

    await page.getByRole('toolbar').getByRole('button', { name: '移动到…' }).click()
    await page.getByRole('dialog').getByRole('treeitem').first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await files.openFolder('Annexes')
    await page.getByText('这个文件夹是空的').waitFor()
    await expectAccessible(page)
    for (const button of ['新建', '上传']) {
      await page.getByRole('toolbar').getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('menu').waitFor()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
    }
    // The viewport of a page zoomed to 200 %.
    await page.setViewportSize({ width: 683, height: 384 })
    await expectAccessible(page)
  },
)
