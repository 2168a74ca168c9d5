// A file with an ID card number is uploaded: it is checked, held back, reviewed with its hit shown, and released; and a
// security administrator writes the rule for it. In Chinese and in English.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, min] = [await company.person('sn-xia', '林夏'), await company.person('sn-min', '王敏')]
const id = '11010519491231002X'
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}
const at = (page: string): string => `${company.url}/doc/folder/security/${page}`

// [R257] The page sensitive-creation lists the files of the user with their state; sensitive-review is the reviewer's queue with
// approve and disapprove.
// [R058] In part (im-friends-picker and empty come with chat): /modal/cloudoc-auditLog opens the log of the sensitive audit.
test('[R257] [R058] an upload with an ID card number is held back, reviewed at its place, and released', async () => {
  const boss = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  const { page } = boss
  await page.goto(`${company.url}/doc/admin/sensitive`)
  await page.getByRole('button', { name: '新建规则' }).click()
  await page.getByRole('textbox', { name: '名称' }).fill('客户个人信息')
  await page.getByRole('checkbox', { name: '身份证号' }).check()
  await page.getByRole('radio', { name: /拦截/ }).check()
  await page.getByRole('textbox', { name: '用文字试' }).fill(`证件 ${id}，不是 110105194912310021`)
  await page.getByRole('button', { name: '试文字' }).click()
  await page.getByText('校验位应为 X').waitFor()
  await picture(page, 'sensitive-admin')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('已保存规则“客户个人信息”').first().waitFor()

  await xia.upload(xia.library, '名单.txt', Buffer.from(`客户证件 ${id}`))
  const hers = await new LoginPage(await browser.open(company.url)).signIn(xia.account, password)
  await hers.page.goto(at('sensitive-creation'))
  await hers.page.getByText('名单.txt').first().click()
  await hers.page.getByText('待审核').first().waitFor()
  await picture(hers.page, 'sensitive-mine')

  await page.goto(at('sensitive-review'))
  await page.getByText('名单.txt').first().click()
  await page.locator('.sn-mark', { hasText: '110*************2X' }).waitFor()
  await picture(page, 'sensitive-review')
  await page.getByRole('button', { name: '看原文' }).click()
  await page.getByText(id).waitFor()
  await page.getByRole('button', { name: '放行', exact: true }).click()
  await page.getByText('已放行“名单.txt”').first().waitFor()
  await hers.page.getByText('已放行').first().waitFor()
  await page.getByRole('button', { name: '审核日志' }).click()
  const log = page.getByRole('dialog', { name: '敏感文件审核日志' })
  await log.getByText('看原文').first().waitFor()
  await picture(page, 'sensitive-log')
  void min
})
