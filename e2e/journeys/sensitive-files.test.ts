// A file with an ID card number is uploaded: it is checked, held back, reviewed with its hit shown, and released; and a
// security administrator writes the rule for it. In Chinese and in English.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { followNotice } from '../pages/notices.ts'
import { openCompany, type Person, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const xia = await company.person('sn-xia', '林夏')
const [id, other] = ['11010519491231002X', '11010119900307213X']
const { admin } = company
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}
const at = (page: string): string => `${company.url}/doc/folder/security/${page}`

// [R098] Of the audit states 1 and 5, as of reminders of types 1 and 2, only the first notice is shown.
// [R103] A click on an audit of state 1 leads to sensitive-creation, of state 5 to sensitive-review, and clears that
// state.
// [R257] The page sensitive-creation lists the files of the user with their state; sensitive-review is the reviewer's queue with
// approve and disapprove.
// [R058] /modal/cloudoc-auditLog opens the log of the sensitive audit.
// [R092] Audit state 1 is told to the uploader, state 5 to the reviewer.
// [R191] /modal/cloudoc-auditLog opens the log of the sensitive audit with its counts, paged and filtered by time.
test('[R257] [R058] [R092] [R191] [R098] [R103] an upload with an ID card number is held back, reviewed at its place, and released', async () => {
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
  await xia.upload(xia.library, '名单二.txt', Buffer.from(`另一份 ${other}`))
  const audits = async (person: Pick<Person, 'call'>, state: number): Promise<number> =>
    (await person.call('getNotices', {})).groups
      .flatMap(({ list }) => list)
      .filter(({ message }) => (JSON.parse(message) as { state?: number; fileName?: string }).state === state).length
  await expect.poll(() => audits(xia, 1)).toBe(2)
  await expect.poll(() => audits(admin, 5)).toBe(2)
  const hers = await new LoginPage(await browser.open(company.url)).signIn(xia.account, password)
  const shown = hers.page.getByRole('region', { name: '通知中心' }).getByRole('button', { name: /命中敏感规则/ })
  await followNotice(hers.page, /命中敏感规则/)
  await hers.page.waitForURL(/security\/sensitive-creation/)
  await expect.poll(() => audits(xia, 1)).toBe(0)
  await expect.poll(() => shown.count()).toBe(0)
  await hers.page.getByText('名单.txt').first().click()
  await hers.page.getByText('待审核').first().waitFor()
  await picture(hers.page, 'sensitive-mine')

  await page.reload()
  await followNotice(page, /等你审核/)
  await page.waitForURL(/security\/sensitive-review/)
  await expect.poll(() => audits(admin, 5)).toBe(0)
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
  await page.goto(`${company.url}/modal/cloudoc-auditLog`)
  await log.getByText('看原文').first().waitFor()
})

longTest('[R257] in English an upload is held back, not released with a reason, and its uploader sees it', async () => {
  const ann = await company.person('sn-ann', 'Ann')
  await ann.upload(ann.library, 'list.txt', Buffer.from(`customers ${id}`))
  const inEnglish = async (account: string): Promise<Page> => {
    const { page } = await new LoginPage(await browser.open(company.url)).signIn(account, password)
    await page.evaluate(() => localStorage.setItem('locale', 'en'))
    return page
  }
  const hers = await inEnglish(ann.account)
  await hers.goto(at('sensitive-creation'))
  await hers.getByText('list.txt').first().click()
  await hers.getByText('Waiting').first().waitFor()
  await picture(hers, 'sensitive-mine-en')
  const page = await inEnglish('admin')
  await page.goto(at('sensitive-review'))
  await page.getByText('list.txt').first().click()
  await page.locator('.sn-mark', { hasText: '110*************2X' }).waitFor()
  await page.getByRole('button', { name: 'Do not release' }).click()
  await page.getByText('Explain why the file is not released').waitFor()
  await page.getByRole('textbox', { name: /Comments/ }).fill('Send it to the customer only')
  await picture(page, 'sensitive-review-en')
  await page.getByRole('button', { name: 'Do not release' }).click()
  await page.getByText('“list.txt” was not released').first().waitFor()
  await hers.getByText('Not released').first().waitFor()
  await hers.getByText('Send it to the customer only').first().waitFor()
})
