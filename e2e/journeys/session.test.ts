// A session ends while the user works.
import { rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { callWith, openCompany, ownServer, password } from './company.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()

/** The session token in the browser's cookie. */
async function tokenIn(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'cloudoc_session')?.value ?? ''
}

// [R035] The alert of an ended session asks for the password in place, so that nothing is lost; whoever declines is signed
// out with the message. Both are shown here.
test('[R035] an expired session asks for the password in place, and what was begun goes on', async () => {
  const lin = await company.person('linxia', '林夏')
  for (let n = 1; n <= 60; n++) await lin.folder(lin.library, `项目 ${n}`)
  const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
  await files.row('项目 1').waitFor()
  await files.page.keyboard.press('End')
  await files.row('项目 60').and(files.page.locator('[aria-selected=true]')).waitFor()
  const scrolled = (): Promise<number> =>
    files
      .rows()
      .last()
      .evaluate((row) => row.getBoundingClientRect().top)
  const before = await scrolled()
  await files.page.keyboard.press('F2')
  await files.nameField.waitFor()
  await callWith(company.url, await tokenIn(files.page), 'logout2', {})

  await files.nameField.fill('项目 60 验收')
  await files.page.keyboard.press('Enter')
  const dialog = files.dialog('登录已过期')
  await dialog.getByLabel('密码', { exact: true }).fill('Wrong#2026')
  await dialog.getByRole('button', { name: '继续' }).click()
  await dialog.getByRole('alert').getByText('账号或密码不正确').waitFor()
  await expectAccessible(files.page)
  await dialog.getByLabel('密码', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: '继续' }).click()
  await dialog.waitFor({ state: 'detached' })

  await files.row('项目 60 验收').and(files.page.locator('[aria-selected=true]')).waitFor()
  await expect.poll(scrolled).toBe(before)
  await expect.poll(() => lin.names(lin.library)).toContain('项目 60 验收')
  // The page receives changes again.
  await lin.folder(lin.library, '项目 61')
  await files.row('项目 61').waitFor()
})

longTest('[R035] who gives up is told and led to the login page', async () => {
  await company.person('malin', '马琳')
  const files = await new LoginPage(await browser.open(company.url)).signIn('malin', password)
  await callWith(company.url, await tokenIn(files.page), 'logout2', {})
  await files.page.keyboard.press('Alt+m')
  await files.dialog('登录已过期').getByRole('button', { name: '退出登录' }).click()
  await files.page.getByRole('dialog').getByText('登录已过期，你已退出登录。').waitFor()
  await files.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await files.page.getByRole('button', { name: '登录', exact: true }).waitFor()
})

longTest(
  '[R034] a page that shows one person does nothing in the name of another who has signed in in the same browser',
  async () => {
    const [gao, he] = [await company.person('gaoyuan', '高远'), await company.person('helan', '何岚')]
    const files = await new LoginPage(await browser.open(company.url)).signIn('gaoyuan', password)
    const { page } = files
    const takeOver = async (): Promise<void> => {
      const data = { userName: 'helan', password, clientType: '6' }
      const headers = { 'x-cloudoc-client': 'web', 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await page.context().request.post(`${company.url}/services/json/login/login3`, {
        headers,
        data: new URLSearchParams(data).toString(),
      })
      expect(answer.status()).toBe(200)
    }
    await takeOver()
    await page.keyboard.press('Alt+m')
    const dialog = files.dialog('已换成另一个账号')
    await dialog.getByText('这个浏览器里登录了另一个账号').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('密码', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: '继续' }).click()
    await dialog.waitFor({ state: 'detached' })
    await files.nameField.waitFor()
    await page.keyboard.press('Escape')
    expect([await gao.names(gao.library), await he.names(he.library)]).toEqual([['新建文件夹'], []])

    await takeOver()
    await page.keyboard.press('Alt+m')
    await dialog.getByRole('button', { name: '转到另一个账号' }).click()
    await page.getByRole('button', { name: '账号: 何岚' }).waitFor()
    await files.toasts.getByText('现在以 何岚 的账号登录').waitFor()
  },
)

// [R034] Signing in elsewhere ends the older session with the documented message.
test('[R034] signing in elsewhere takes the older page off with the documented words', async () => {
  const chen = await company.person('chenxiao', '陈晓')
  await company.sharedFolder('财务', rightsGroup.edit, [chen])
  const older = await new LoginPage(await browser.open(company.url)).signIn('chenxiao', password)
  await older.page.getByText('已连接').waitFor()
  await older.page.getByRole('button', { name: '账号: 陈晓' }).click()
  await older.page.getByRole('menuitem', { name: '语言' }).click()
  await older.page.getByRole('menuitemradio', { name: 'English' }).click()
  const newer = await new LoginPage(await browser.open(company.url)).signIn('chenxiao', password)
  const told = older.dialog('Signed out')
  const words = 'Your account has been logged in another location, you are forced to logged out'
  await told.getByText(words, { exact: true }).waitFor()
  await told.getByRole('button', { name: 'Sign in again' }).click()
  await older.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await newer.goTo('公司文档')
  await expect.poll(() => newer.names()).toEqual(['财务'])
})
