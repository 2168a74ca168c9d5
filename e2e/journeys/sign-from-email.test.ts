// Somebody without an account signs on a phone by the link of a mail, after a colleague: refused first, then signed.
import { join } from 'node:path'
import { readMail, startMailServer } from '@cloudoc/server/mail-server'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'
import { contractPdf } from './contract-pdf.ts'

// Setting up mail changes pages for all users, so this file needs its own server.
const company = await openCompany(await ownServer())
const browser = await openBrowser()
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}
const mail = 'zhoumin@dongjiang.example'

// [R025] The page sign-from-email lets somebody without an account see and sign a file, by the link of a mail and a code.
test('[R025] [R048] [R275] somebody without an account signs on a phone', async () => {
  const mails = await startMailServer()
  await company.admin.call('setServerSetting', {
    ...{ mail_host: '127.0.0.1', mail_port: mails.port, mail_security: 'plain', mail_account: '' },
    ...{ mail_sender: 'drive@example.com', company_name: '华信集团' },
  })
  await company.admin.call('createSignAuthority', { name: '华信集团' })
  const lan = await company.person('out-lan', '外签林岚')
  const folderId = await lan.folder(lan.library, '对外合同')
  const fileId = await lan.upload(folderId, '采购框架合同.pdf', contractPdf())
  let read = 0
  /** The next mail to the signer outside. */
  const nextMail = async (): Promise<string> => {
    const mine = () => mails.mails.filter(({ to }) => to.includes(mail))
    await expect.poll(() => mine().length, { timeout: 90_000 }).toBeGreaterThan(read)
    return readMail(mine()[read++]?.source ?? '')
  }
  const linkIn = (text: string): string => /https?:\/\/\S+token=[\w-]+/.exec(text.replace(/=\r?\n/g, ''))?.[0] ?? ''
  const codeIn = (text: string): string => /(\d{6})/.exec(text.slice(text.indexOf('验证码')))?.[1] ?? ''

  const page = await browser.open(company.url)
  const hers = await new LoginPage(page).signIn(lan.account, password)
  await hers.openFolder('对外合同')
  await hers.choose('采购框架合同.pdf', '发起签署…')
  const launch = page.getByRole('dialog', { name: /^发起签署/ })
  await launch.getByRole('button', { name: '外部人员' }).click()
  const who = page.getByRole('dialog', { name: '外部签署人' })
  await who.getByRole('button', { name: '确定' }).click()
  await who.getByText('请填写姓名').waitFor()
  await who.getByLabel('姓名').fill('周敏')
  await who.getByLabel('邮箱').fill(mail)
  await picture(page, 'sign-outside')
  await who.getByRole('button', { name: '确定' }).click()
  await launch.getByText(mail).waitFor()
  await picture(page, 'sign-launch-outside')
  await launch.getByRole('button', { name: '选文件夹…' }).click()
  const folders = page.getByRole('dialog', { name: '签完放到' })
  await folders.getByRole('treeitem', { name: '外签林岚' }).first().click()
  await folders.getByRole('button', { name: /^复制到/ }).click()
  await launch.getByRole('button', { name: '下一步' }).click()
  await launch.getByRole('button', { name: '加一处' }).click()
  await launch.getByRole('button', { name: '发起' }).click()
  await page.getByText('已发起签署').waitFor()

  const link = linkIn(await nextMail())
  const desk = await browser.open(link)
  await desk.getByText('华信集团 外签林岚 请你签').waitFor()
  await picture(desk, 'sign-from-email')
  await expectAccessible(desk)
  await desk.getByRole('button', { name: '发送验证码' }).click()
  const code = codeIn(await nextMail())
  await desk.getByLabel(/验证码已发到/).fill(code === '000000' ? '000001' : '000000')
  await desk.getByRole('button', { name: '验证并看文件' }).click()
  await desk.getByText('验证码不对或已过期').waitFor()
  await picture(desk, 'sign-from-email-verify')
  await desk.getByLabel(/验证码已发到/).fill(code)
  await desk.getByRole('button', { name: '验证并看文件' }).click()
  await desk.getByRole('img', { name: /2/ }).waitFor()
  await picture(desk, 'sign-from-email-file')
  await desk.getByRole('button', { name: '拒签…' }).click()
  await desk.getByLabel('拒签的原因').fill('附件 2 的设备型号和报价不一致')
  await picture(desk, 'sign-from-email-reject')
  await desk.getByRole('button', { name: '拒签', exact: true }).click()
  await desk.getByText('你已拒签').waitFor()

  await lan.call('launchSign', {
    ...{ fileId, archiveFolderId: folderId, title: '采购框架合同（改）' },
    singerList: [{ outside: { name: '周敏', mail } }],
  })
  const again = linkIn(await nextMail())
  const phone = await browser.open(again, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await phone.getByRole('button', { name: '发送验证码' }).click()
  await phone.getByLabel(/验证码已发到/).fill(codeIn(await nextMail()))
  await picture(phone, 'sign-from-email-phone-verify')
  await phone.getByRole('button', { name: '验证并看文件' }).click()
  await phone.getByRole('img', { name: /2/ }).waitFor()
  await picture(phone, 'sign-from-email-phone')
  const pad = phone.getByLabel('手写区')
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await phone.mouse.move(box.x + 40, box.y + 60)
  await phone.mouse.down()
  for (let n = 1; n <= 10; n += 1) await phone.mouse.move(box.x + 40 + 20 * n, box.y + 60 + (n % 2 === 0 ? 25 : -25))
  await phone.mouse.up()
  await phone.getByText('我已阅读全文').click()
  await picture(phone, 'sign-from-email-phone-pad')
  await phone.getByRole('button', { name: '签署并完成' }).click()
  await phone.getByText('你签好了').waitFor()
  await picture(phone, 'sign-from-email-phone-done')
  await page.goto(`${company.url}/doc/folder/cooperate/sign-creation`)
  await page.getByText('全部签完').first().waitFor()
  const gone = await browser.open(`${company.url}/doc/sign-from-email?token=${'x'.repeat(32)}`)
  await gone.getByText('这个签署链接已经失效').waitFor()
  await picture(gone, 'sign-from-email-gone')
})
