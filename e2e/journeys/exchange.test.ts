// A file is sent to somebody on another server, approved, picked up there with its password, and opened.
import { join } from 'node:path'
import { itemAddress } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { followNotice } from '../pages/notices.ts'
import { type Company, openCompany, ownServer, type Person, password } from './company.ts'

const here = await openCompany()
const there = await openCompany(await ownServer())
const browser = await openBrowser()
const pictures = process.env['PICTURES']
const network = 'journey-rd'

const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `exchange-${name}.png`) })
}
const pageOf = async (company: Company, { account }: Person): Promise<FilesPage> =>
  new LoginPage(await browser.open(company.url)).signIn(account, password)

/** Each of the two servers knows the other one as a network. */
async function link(company: Company, other: Company, targetServerCode: string, targetName: string): Promise<void> {
  const { serverId } = await company.admin.call('setLinkedServer', {
    ...{ serverName: targetName, apiHost: other.url, publicKey: 'k'.repeat(43) },
  })
  const { ownKey } = await other.admin.call('getExchangeAdministration', {})
  await company.admin.call('setExchangeNetwork', { targetServerCode, targetName, serverId, peerKey: ownKey.text })
}

// [R068] The windows of exchange, send, detail and password, open from the screens that need them and complete their
// action.
// [R077] The windows of exchange have the documented sizes on the screen.
// [R053] The pages sent, receive and review of the exchange show what is stored.
// [R106] A notice of received files leads to them: with a password the password window first, then the preview.
// [R258] Sent from the menu, approved, delivered, picked up and opened on the other server.
test('[R053] [R068] [R077] [R106] [R258] [R259] a file goes to another server and is opened there', async () => {
  await link(here, there, network, '研发内网')
  await link(there, here, 'journey-main', '主服务器')
  const lin = await here.person('ex-lin', '林换')
  const wang = await here.person('ex-wang', '王批')
  const zhou = await there.person('ex-zhou', '周收')
  await here.admin.call('setExchangeRule', {
    ...{ name: '工程图纸到研发内网', targetServerCode: network, maxLevel: 0 },
    subjects: [{ subjectType: 'user', subjectId: lin.userId }],
    levels: [{ level: 0, rounds: [{ by: 'people', ids: [wang.userId] }] }],
  })
  await lin.upload(lin.library, '给排水说明.txt', Buffer.from('the drawing is right'))

  const hers = await pageOf(here, lin)
  await hers.page.goto(`${here.url}${itemAddress({ fType: 2, fId: lin.library })}`)
  await hers.row('给排水说明.txt').waitFor()
  await hers.choose('给排水说明.txt', '跨网发送…')
  const form = hers.page.getByRole('dialog', { name: /^跨网发送/ })
  await form.getByText('王批').first().waitFor()
  expect(await form.boundingBox()).toMatchObject({ width: 700, height: 540 })
  await form.getByRole('textbox', { name: '接收人' }).fill('周收')
  await form.getByRole('button', { name: /周收/ }).click()
  await form.getByRole('textbox', { name: '说明' }).fill('请在研发内网复核。')
  await form.getByRole('textbox', { name: '取件密码' }).fill('86Kp')
  await picture(hers.page, 'send')
  await expectAccessible(hers.page)
  await form.getByRole('button', { name: '提交审批' }).click()
  await hers.page.waitForURL(/security\/file-exchange-sent/)
  const own = hers.page.getByRole('dialog', { name: /^跨网交换/ })
  await own.getByText('审批中', { exact: true }).waitFor()
  expect(await own.boundingBox()).toMatchObject({ width: 700, height: 660 })
  await picture(hers.page, 'detail')
  await hers.page.keyboard.press('Escape')
  await picture(hers.page, 'sent')

  const his = await pageOf(here, wang)
  await followNotice(his.page, /请你审批跨网发送/)
  const review = his.page.getByRole('dialog', { name: /^跨网交换/ })
  await review.getByRole('button', { name: '通过', exact: true }).waitFor()
  await picture(his.page, 'review')
  await expectAccessible(his.page)
  await review.getByRole('button', { name: '通过', exact: true }).click()
  await review.waitFor({ state: 'detached' })
  await his.page.getByRole('heading', { name: '待我审批' }).waitFor()

  const theirs = await pageOf(there, zhou)
  await followNotice(theirs.page, /给排水说明/)
  const ask = theirs.page.getByRole('dialog', { name: '输入取件密码' })
  await ask.getByRole('textbox').waitFor()
  expect(await ask.boundingBox()).toMatchObject({ width: 410, height: 220 })
  await ask.getByRole('textbox').fill('0000')
  await ask.getByText('密码错误').waitFor()
  await picture(theirs.page, 'password')
  await expectAccessible(theirs.page)
  await ask.getByRole('textbox').fill('86Kp')
  await ask.waitFor({ state: 'detached' })
  await theirs.page.getByText('the drawing is right').waitFor()
  await picture(theirs.page, 'opened')
  await theirs.page.keyboard.press('Escape')
  await theirs.page.getByText('已取件').first().waitFor()
  await picture(theirs.page, 'receive')

  const office = await pageOf(here, here.admin)
  await office.page.goto(`${here.url}/doc/admin/exchange`)
  await office.page.getByText('工程图纸到研发内网').first().waitFor()
  await picture(office.page, 'admin-rules')
  await expectAccessible(office.page)
  await office.page.getByRole('tab', { name: /目标网络/ }).click()
  await office.page.getByRole('button', { name: '测试', exact: true }).click()
  await office.page.getByText(/在线/).waitFor()
  await picture(office.page, 'admin-networks')
  await office.page.getByRole('tab', { name: /交换包/ }).click()
  await office.page.getByText('导出的交换包').waitFor()
  await picture(office.page, 'admin-bundles')
  await expectAccessible(office.page)
})
