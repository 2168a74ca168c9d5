// Names: Enter in an input method, name conflicts, and a day's work by keyboard only.
import { codes, rightsGroup } from '@cloudoc/domain'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()

/** The key code of a key that the input method has consumed. */
const takenByInputMethod = 229

/** Sends Enter as an input method passes it to the page during composition. */
async function enterForInputMethod(client: CDPSession): Promise<void> {
  const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: takenByInputMethod }
  await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
  await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
}

// [R120] Renaming checks names by one rule: -5, -6, -256.
test('[R120] the Enter that ends a composition belongs to the input method and does not rename', async () => {
  const lin = await company.person('linxia', '林夏')
  const fileId = await lin.upload(lin.library, '新建文本.txt', Buffer.from('正文'))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)
  await files.select('新建文本.txt')
  await files.page.keyboard.press('F2')
  await files.nameField.waitFor()

  const client = await files.page.context().newCDPSession(files.page)
  const letters = 'xiang mu'
  for (let n = 1; n <= letters.length; n++) {
    await client.send('Input.imeSetComposition', { text: letters.slice(0, n), selectionStart: n, selectionEnd: n })
  }
  expect(await files.nameField.inputValue()).toBe('xiang mu.txt')
  await enterForInputMethod(client)
  expect(await files.nameField.inputValue()).toBe('xiang mu.txt')
  await client.send('Input.insertText', { text: '项目计划' })
  // Safari reports the Enter that picks the candidate after the composition has ended.
  await enterForInputMethod(client)
  expect(await files.nameField.inputValue()).toBe('项目计划.txt')
  expect((await lin.call('getFileInfo', { fileId })).fName).toBe('新建文本.txt')

  await files.page.keyboard.press('Enter')
  await files.row('项目计划.txt').waitFor()
  expect((await lin.call('getFileInfo', { fileId })).fName).toBe('项目计划.txt')

  // The Enter that opens the question does not answer it as well.
  await files.page.keyboard.press('F2')
  await files.nameField.fill('项目计划.md')
  await files.page.keyboard.press('Enter')
  await files.page.getByText('更改扩展名？').waitFor()
  await files.page.keyboard.press('Escape')
  await files.page.getByText('更改扩展名？').waitFor({ state: 'detached' })
  await files.nameField.and(files.page.locator(':focus')).waitFor()
  expect((await lin.call('getFileInfo', { fileId })).fName).toBe('项目计划.txt')
  await files.page.keyboard.press('Enter')
  await files.page.getByText('更改扩展名？').waitFor()
  await files.page.keyboard.press('Enter')
  await files.row('项目计划.md').waitFor()
})

longTest('[R120] a taken name keeps the typed text and says why, told by the page or by the server', async () => {
  const chen = await company.person('chenxiao', '陈晓')
  const folderId = await company.sharedFolder('评审', rightsGroup.edit, [chen])
  for (const name of ['初稿', '定稿']) await chen.folder(folderId, name)
  await company.share(await company.admin.folder(folderId, '保密'), rightsGroup.edit, [])

  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('chenxiao'), password)
  await files.goTo('公司文档')
  await files.openFolder('评审')
  await expect.poll(() => files.names()).toEqual(['初稿', '定稿'])
  await files.select('初稿')
  await files.page.keyboard.press('F2')
  await files.nameField.fill('定稿')
  await files.page.keyboard.press('Enter')
  await files.grid.getByRole('alert').getByText('这里已有同名的文件或文件夹').waitFor()
  expect(await files.nameField.inputValue()).toBe('定稿')

  // The name of an item that the user cannot see is also taken; only the server knows this.
  await files.nameField.fill('保密')
  await files.page.keyboard.press('Enter')
  await files.grid.getByRole('alert').getByText(codes.alreadyExists.zh).waitFor()
  expect(await files.nameField.inputValue()).toBe('保密')
  await files.page.keyboard.press('Escape')
  await files.row('初稿').waitFor()
})

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; !(await hasFocus()); presses++) {
    if (presses === 60) throw new Error(`Tab does not reach ${String(target)}`)
    await page.keyboard.press('Tab')
  }
}

test('[R120] [R121] [R244] everything from signing in to signing out is done by keyboard alone', async () => {
  const wang = await company.person('wangmin', '王敏')
  const page = await browser.open(company.url)
  const { keyboard } = page
  await page.getByLabel('账号').and(page.locator(':focus')).waitFor()
  await keyboard.type(company.account('wangmin'))
  await keyboard.press('Tab')
  await keyboard.type(password)
  await keyboard.press('Enter')

  const files = new FilesPage(page)
  await files.folder('王敏').waitFor()
  for (const name of ['招聘', '归档']) {
    await keyboard.press('Alt+m')
    await files.nameField.waitFor()
    await keyboard.press('Control+a')
    await keyboard.type(name)
    await keyboard.press('Enter')
    await files.row(name).waitFor()
  }

  await files.row('归档').and(page.locator(':focus')).waitFor()
  await keyboard.press('F2')
  await files.nameField.waitFor()
  await keyboard.press('Control+a')
  await keyboard.type('归档2026')
  await keyboard.press('Enter')
  await files.row('归档2026').and(page.locator(':focus')).waitFor()

  await keyboard.press('Control+x')
  await keyboard.press('ArrowDown')
  await files.row('招聘').and(page.locator(':focus')).waitFor()
  await keyboard.press('Enter')
  await files.folder('招聘').waitFor()
  await keyboard.press('Control+v')
  await files.row('归档2026').waitFor()
  expect(await wang.names(wang.library)).toEqual(['招聘'])

  await keyboard.press('Alt+ArrowUp')
  await files.folder('王敏').waitFor()
  await files.row('招聘').and(page.locator(':focus')).waitFor()
  await keyboard.press('Delete')
  await files.row('招聘').waitFor({ state: 'detached' })
  await files.toasts.getByText('已将 招聘 移到回收站').waitFor()
  await keyboard.press('Control+z')
  await files.row('招聘').waitFor()

  await keyboard.press('Home')
  await files.row('招聘').and(page.locator(':focus')).waitFor()
  await keyboard.press('Delete')
  await files.row('招聘').waitFor({ state: 'detached' })
  await tabTo(page, page.getByRole('navigation', { name: '模块' }).getByRole('link', { name: '回收站' }))
  await keyboard.press('Enter')
  const bin = page.getByRole('region', { name: '回收站' })
  await files.row('招聘').waitFor()
  await tabTo(page, bin.getByRole('grid').locator('[tabindex="0"]').last())
  await keyboard.press('Home')
  await tabTo(page, bin.getByRole('button', { name: '恢复' }))
  await keyboard.press('Enter')
  await files.row('招聘').waitFor({ state: 'detached' })
  expect(await wang.names(wang.library)).toEqual(['招聘'])

  await tabTo(page, page.getByRole('button', { name: '账号: 王敏' }))
  await keyboard.press('Enter')
  await page.getByRole('menu').waitFor()
  await keyboard.press('End')
  await page.getByRole('menuitem', { name: '退出登录' }).and(page.locator(':focus')).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('button', { name: '登录', exact: true }).waitFor()
})
