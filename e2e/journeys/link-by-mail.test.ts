// A link for a recipient without an account, named by mail address: a code sent to it lets them in.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { readMail, startMailServer } from '@cloudoc/server/mail-server'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

// Setting up mail changes pages for all users, so this file needs its own server.
const company = await openCompany(await ownServer())
const browser = await openBrowser()
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

// [R222] By mail, in the browser: a link for one address, opened by the code sent to it, and by no other.
test('[R222] a link is made for somebody by their mail; the code that is sent there lets them in, another does not', async () => {
  const mails = await startMailServer()
  await company.admin.call('setServerSetting', {
    mail_host: '127.0.0.1',
    mail_port: mails.port,
    mail_security: 'plain',
    mail_account: '',
    mail_sender: 'drive@example.com',
  })
  const yun = await company.person('mail-yun', '邮云')
  const shared = await company.sharedFolder('给伙伴的报价', rightsGroup.full, [yun])
  await yun.upload(shared, '报价说明.txt', Buffer.from('报价有效期三十天'))

  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(yun.account, password)
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`)
  await files.row('报价说明.txt').waitFor()
  await files.choose('报价说明.txt', '创建外链…')
  const create = page.getByRole('dialog', { name: /创建外链 — 报价说明/ })
  await create.getByText('指定人员', { exact: true }).click()
  await create.getByRole('textbox', { name: '用邮件验证码打开的人' }).fill('Wang@partner.example')
  // The recipient is verified by the code, so no password is required.
  expect(await create.getByRole('textbox', { name: '访问密码' }).inputValue()).toBe('')
  await picture(page, 'link-for-mail')
  await create.getByRole('button', { name: '创建外链' }).click()
  await create.getByText('外链已创建').waitFor()
  const url = (await create.locator('.sl-url b').textContent()) ?? ''

  const outside = await browser.open(url)
  const open = outside.getByRole('button', { name: '打开', exact: true })
  await outside.getByRole('textbox', { name: '你的邮箱' }).fill('wang@partner.example')
  expect(await open.isDisabled()).toBe(true)
  await outside.getByRole('button', { name: '获取验证码' }).click()
  await outside.getByText(/如果这个外链指定了 wang@partner\.example/).waitFor()
  const mail = readMail((await mails.next(({ to }) => to.includes('wang@partner.example'))).source)
  expect(mail).toContain('邮云')
  const [, code = ''] = /验证码：(\d{6})/.exec(mail) ?? []
  expect(code).toMatch(/^\d{6}$/)
  await picture(outside, 'visit-mail-code')
  await expectAccessible(outside)
  const typed = outside.getByRole('textbox', { name: '6 位验证码' })
  await typed.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await open.click()
  await outside.getByText('验证码不正确或已过期').waitFor()
  await typed.fill(code)
  await open.click()
  await outside.getByText('报价有效期三十天').waitFor()

  // The address of the link alone lets nobody in, and the creator sees which mail address each visitor used.
  const stranger = await browser.open(url)
  await stranger.getByRole('textbox', { name: '你的邮箱' }).waitFor()
  expect(await stranger.getByText('报价说明.txt').count()).toBe(0)
  await page.goto(`${company.url}/doc/folder/share/link-creation`)
  await page.getByRole('button', { name: /报价说明\.txt/ }).click()
  await page
    .getByRole('dialog', { name: /外链详情 — 报价说明/ })
    .getByText('wang@partner.example')
    .first()
    .waitFor()
  await page.getByText('验证码错误').nth(1).waitFor()
  await picture(page, 'link-detail-mail')
})
