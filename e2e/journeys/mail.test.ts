// Mail in the browser: a mailbox is set up with a wrong and then the right password, mail is read, answered and sent with a file of the drive.
import { join } from 'node:path'
import { readMail, startMailServer } from '@cloudoc/server/mail-server'
import { mailText, startDovecot } from '@cloudoc/server/mails'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

// The setting for local mail servers is for all people, so this file needs its own server.
const company = await openCompany(await ownServer())
const browser = await openBrowser()
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

const html = [
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>林经理：</p><p>附件是我们标注过的版本。</p><img src="https://tracker.example/x.gif" alt=""><script>document.title="hit"</script>',
  '--b',
  'Content-Type: application/pdf; name="=?UTF-8?B?5Y2P6K6uLnBkZg==?="',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('%PDF-1.4 sample').toString('base64'),
  '--b',
  'Content-Type: text/plain; charset=utf-8; name="note.txt"',
  'Content-Disposition: attachment; filename="note.txt"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('附言：请在周五前答复').toString('base64'),
  '--b--',
  '',
].join('\r\n')
const square = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFklEQVR4nGMQiXwGRyfufIAjhqElAQC7CXzhqr+TAwAAAABJRU5ErkJggg==',
  'base64',
)

// [R056] The page of mail is /doc/folder/email, with an entry in the rail.
// [R077] The window that sends a file by mail is 690x608.
// [R143] The menu of a file offers to send it by mail, which opens the mail with a copy.
test('[R056] [R077] [R143] a mailbox is set up, mail is read and answered, a file is sent', async () => {
  const dovecot = await startDovecot(['linxia'])
  const smtp = await startMailServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    onAuth({ username = '', password: given = '' }, _session, done) {
      if (given === 'secret') done(null, { user: username })
      else done(Object.assign(new Error('wrong'), { responseCode: 535 }))
    },
  })
  await company.admin.call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  await dovecot.deliver(
    'linxia',
    mailText('协议修订的三点意见', html, { 'Content-Type': 'multipart/mixed; boundary=b' }),
  )
  const xia = await company.person('mail-linxia', '林夏')
  await xia.upload(xia.library, '框架合同.txt', Buffer.from('合同正文'))
  const letters = await xia.folder(xia.library, '往来邮件')
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(xia.account, password)

  await page.getByRole('link', { name: '邮件', exact: true }).click()
  await page.getByRole('heading', { name: '添加你的邮箱，在这里收发邮件' }).waitFor()
  await picture(page, 'mail-first')
  await page.getByRole('button', { name: '添加邮箱' }).click()
  const settings = page.getByRole('dialog', { name: '邮箱设置' })
  await settings.getByRole('textbox', { name: '邮箱账号' }).fill('linxia@huaxin.example')
  await settings.getByRole('textbox', { name: '密码' }).fill('wrong')
  await settings.getByRole('textbox', { name: '登录名' }).fill('linxia')
  await settings.getByRole('textbox', { name: '显示名称' }).fill('林夏')
  await settings.getByRole('textbox', { name: '收信服务器' }).fill('127.0.0.1')
  await settings.getByRole('textbox', { name: '端口' }).first().fill(String(dovecot.imapPort))
  await settings.getByRole('textbox', { name: '发信服务器' }).fill('127.0.0.1')
  await settings.getByRole('textbox', { name: '端口' }).last().fill(String(smtp.port))
  await settings.getByRole('checkbox', { name: 'SSL 加密' }).uncheck()
  await settings.getByRole('button', { name: '检查' }).click()
  await settings.getByRole('heading', { name: '检查没有通过' }).waitFor()
  await settings.getByText('服务器不接受该账号或密码').first().waitFor()
  await picture(page, 'mail-box-wrong')
  await settings.getByRole('textbox', { name: '密码' }).fill('secret')
  await settings.getByRole('button', { name: '检查' }).click()
  await settings.getByRole('heading', { name: '检查通过，可以收发邮件' }).waitFor()
  await expectAccessible(page)
  await settings.getByRole('button', { name: '保存', exact: true }).click()

  const row = page.getByRole('button', { name: /协议修订的三点意见/ })
  await row.click()
  const reading = page.getByRole('region', { name: '邮件正文' })
  await reading.getByRole('heading', { name: '协议修订的三点意见' }).waitFor()
  const text = reading.frameLocator('iframe')
  await text.getByText('附件是我们标注过的版本').waitFor()
  await reading.getByText('没有加载远程图片').waitFor()
  expect(await page.title()).not.toBe('hit')
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await picture(page, 'mail-read')
  await expectAccessible(page)
  // An attachment is looked at, and goes to the drive.
  await reading.getByRole('button', { name: '预览' }).last().click()
  await page.getByText('附言：请在周五前答复').waitFor()
  await picture(page, 'mail-preview')
  await page.keyboard.press('Escape')
  await reading.getByRole('button', { name: '存到云文档' }).last().click()
  const pick = page.getByRole('dialog', { name: '存到云文档' })
  await pick
    .getByRole('option')
    .filter({ has: page.getByTitle('往来邮件', { exact: true }) })
    .click()
  await picture(page, 'mail-save')
  await pick.getByRole('button', { name: '选择', exact: true }).click()
  await page.getByText(/^已存到/).waitFor()
  expect((await xia.call('getSubItemList3', { folderId: letters })).list.map(({ fName }) => fName)).toContain(
    'note.txt',
  )

  // Several mails are picked and moved at once, which is undone.
  await page.getByRole('checkbox', { name: '选择邮件：协议修订的三点意见' }).check()
  const picked = page.getByRole('toolbar', { name: '已选 1 封' })
  await picture(page, 'mail-picked')
  await expectAccessible(page)
  await picked.getByRole('button', { name: '归档' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '撤销' }).click()
  await row.click()
  await reading.getByRole('heading', { name: '协议修订的三点意见' }).waitFor()

  // The answer leaves and its copy is filed.
  await reading.getByRole('button', { name: '回复', exact: true }).click()
  const compose = page.getByRole('dialog', { name: '新邮件' })
  await compose.getByRole('textbox', { name: '正文' }).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('两处意见我们确认后回复你。')
  // A picture stands in the text.
  const chooser = page.waitForEvent('filechooser')
  await compose.getByRole('button', { name: '插入图片' }).click()
  await (await chooser).setFiles({ name: '批注.png', mimeType: 'image/png', buffer: square })
  await compose.getByRole('img', { name: '批注.png' }).waitFor()
  // A link to a file of the drive stands in the answer.
  await compose.getByRole('button', { name: '插入云文档的链接' }).click()
  const choice = page.getByRole('dialog', { name: '插入云文档的链接' })
  await choice
    .getByRole('option')
    .filter({ has: page.getByTitle('框架合同.txt', { exact: true }) })
    .click()
  await choice.getByRole('button', { name: '选择', exact: true }).click()
  const link = page.getByRole('dialog', { name: /创建外链/ })
  await link.getByRole('textbox', { name: '访问密码' }).fill('K7m2')
  await link.getByRole('button', { name: '创建外链' }).click()
  await link.getByRole('button', { name: '完成' }).click()
  await compose.getByRole('link', { name: '框架合同.txt' }).waitFor()
  await compose.getByText(/^草稿已保存/).waitFor()
  await picture(page, 'mail-compose')
  await expectAccessible(page)
  await compose.getByRole('button', { name: '发送', exact: true }).click()
  await page.getByText('邮件将在 10 秒后发出').waitFor()
  const answer = await smtp.next(({ to }) => to.includes('qianlei@partner.example'))
  expect(answer.source).toMatch(/In-Reply-To: </)
  const [, cid = ''] = /src="cid:([^"]+)"/.exec(readMail(answer.source)) ?? []
  expect(answer.source).toContain(`Content-ID: <${cid}>`)
  // Who receives it opens the file.
  const [address = ''] = /https?:\/\/[^\s"<]+\/s\/[A-Za-z0-9]{16}/.exec(readMail(answer.source)) ?? []
  const outside = await browser.open(address)
  await outside.getByRole('textbox', { name: '访问密码' }).fill('K7m2')
  await outside.getByRole('button', { name: '打开' }).click()
  await outside.getByText('合同正文').waitFor()
  expect(asked.filter((url) => url.includes('tracker.example'))).toEqual([])
  await page.getByRole('link', { name: '已发送' }).click()
  await page.getByRole('button', { name: /回复：协议修订的三点意见/ }).waitFor()

  // A file is sent from the drive.
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${xia.library}`)
  await files.row('框架合同.txt').waitFor()
  await files.choose('框架合同.txt', '发送邮件')
  const send = page.getByRole('dialog', { name: /发送邮件：1 个文件/ })
  await send.getByText('框架合同.txt').first().waitFor()
  await expect.poll(() => send.boundingBox()).toMatchObject({ width: 690, height: 608 })
  const to = send.getByRole('combobox', { name: '收件人' })
  await to.fill('qianlei@partner.example')
  await to.press('Enter')
  await picture(page, 'mail-send-file')
  await send.getByRole('button', { name: '发送', exact: true }).click()
  const mail = await smtp.next(({ source }) => source.includes(Buffer.from('合同正文').toString('base64')))
  expect(mail.to).toEqual(['qianlei@partner.example'])

  // A mail is found with the search of everything, and opened.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('三点意见')
  await page.getByRole('option', { name: /^协议修订的三点意见/ }).click()
  await reading.getByRole('heading', { name: '协议修订的三点意见' }).waitFor()
})
