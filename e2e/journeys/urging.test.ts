// A person urges others about a file: one asks back, hands in and is done, the sender sees each, urges again and ends it;
// in Chinese and in English, and at the width of a phone.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { followNotice } from '../pages/notices.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
// Names that no other file gives: files on one server find each other's people.
const [xia, min, yuan] = [
  await company.person('urge-xia', '催林夏'),
  await company.person('urge-min', '催王敏'),
  await company.person('urge-yuan', '催李思远'),
]
const folderId = await xia.folder(xia.library, '华东大区')
const fileId = await xia.upload(folderId, 'Q4 销售预测.txt', Buffer.from('华东'))
await xia.call('shareItems', {
  folderIdArray: [folderId],
  subjects: [min, yuan].map(({ userId }) => ({ subjectType: 'user' as const, subjectId: userId })),
  rights: 6,
})
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}
const at = (page: string): string => `${company.url}/doc/folder/cooperate/${page}`

// [R052] The pages urge-creation and urge-review show live data.
// [R075] The window of an urge is 920x660.
// [R104] A click on an urge of type 1 or 2 leads to urge-review; on others to urge-creation, where its detail is fetched.
// [R328] Push 40 is shown as a notice of the group of reminders.
test('[R052] [R075] [R104] [R270] [R271] [R328] somebody is urged, asks back, is done, and the sender sees it', async () => {
  const hers = await new LoginPage(await browser.open(company.url)).signIn(xia.account, password)
  await hers.openFolder('华东大区')
  await hers.choose('Q4 销售预测.txt', '催办…')
  const urge = hers.page.getByRole('dialog', { name: /^催办 — Q4/ })
  await expect.poll(() => urge.boundingBox()).toMatchObject({ width: 920, height: 660 })
  await urge.getByRole('button', { name: '发出催办' }).click()
  await urge.getByText('2 处需要修改').waitFor()
  await picture(hers.page, 'urge-error')
  await urge.getByRole('combobox', { name: '请谁办' }).fill('催王敏')
  await hers.page.getByRole('option', { name: /催王敏/ }).click()
  await urge.getByRole('combobox', { name: '请谁办' }).fill('催李思远')
  await hers.page.getByRole('option', { name: /催李思远/ }).click()
  // The company and its roles are trees beside the field.
  await urge.getByRole('button', { name: `展开 ${company.department}`, exact: true }).click()
  await urge.getByRole('checkbox', { name: /催王敏/, checked: true }).waitFor()
  await urge.getByRole('tab', { name: '角色' }).click()
  await urge.getByRole('group', { name: '按角色选择' }).waitFor()
  await urge.getByRole('tab', { name: '组织' }).click()
  await urge.getByRole('radio', { name: /请反馈/ }).check()
  await urge.getByRole('textbox', { name: '说明' }).fill('Q4 回款请在周一前更新到「华东」工作表。')
  await urge.getByRole('button', { name: '请核对数据' }).click()
  await urge.getByRole('combobox', { name: '重复提醒' }).click()
  await hers.page.getByRole('option', { name: '每天' }).click()
  await urge.getByRole('button', { name: '催办 2 人' }).waitFor()
  await picture(hers.page, 'urge')
  await expectAccessible(hers.page)
  await urge.getByRole('button', { name: '催办 2 人' }).click()
  await hers.page.getByText('已催 2 人').waitFor()

  // The notice leads to the list of what waits, and opens the urge.
  const theirs = await browser.open(company.url)
  await new LoginPage(theirs).signIn(min.account, password)
  await followNotice(theirs, /催林夏.*反馈/)
  const info = theirs.getByRole('dialog', { name: /^催办/ })
  await info.getByText('等待你').waitFor()
  expect(new URL(theirs.url()).pathname).toBe('/doc/folder/cooperate/urge-review')
  await expect.poll(() => info.boundingBox()).toMatchObject({ width: 738, height: 580 })
  await info.getByRole('textbox').fill('按含税算吗？')
  await info.getByRole('button', { name: '发送' }).click()
  await info.getByRole('listitem').filter({ hasText: '按含税算吗？' }).waitFor()
  await picture(theirs, 'urge-info-receiver')
  await expectAccessible(theirs)
  await theirs.keyboard.press('Escape')

  // The message reaches the sender, who answers where the notice leads.
  await followNotice(hers.page, /催王敏.*留言/)
  const sent = hers.page.getByRole('dialog', { name: /^催办/ })
  await sent.getByText('按含税算吗？').waitFor()
  expect(new URL(hers.page.url()).pathname).toBe('/doc/folder/cooperate/urge-creation')
  await sent.getByRole('listitem').filter({ hasText: '催王敏' }).getByText('看过').waitFor()
  await sent.getByRole('textbox').fill('含税')
  await sent.getByRole('button', { name: '发送' }).click()
  // The question holds the same word; only the answer is nothing but that.
  await sent.getByRole('listitem').getByText('含税', { exact: true }).waitFor()
  await picture(hers.page, 'urge-info-sender')
  // By its button: the key would close the notices that open by themselves first.
  await sent.getByRole('button', { name: '关闭', exact: true }).click()
  await sent.waitFor({ state: 'hidden' })

  await theirs.goto(at('urge-review'))
  const row = theirs.getByRole('row', { name: /Q4 销售预测/ })
  await row.getByText('新留言').waitFor()
  await picture(theirs, 'urge-review')
  await expectAccessible(theirs)
  await row.getByRole('button', { name: '回复' }).click()
  await info.getByText('含税').last().waitFor()
  await info.getByRole('button', { name: '办完' }).click()
  await theirs.getByText('已办完，催林夏 会收到通知').waitFor()
  await theirs.getByText('没有人在等你办').waitFor()

  // The sender sees it without loading the page again, urges the other again, and ends it.
  await followNotice(hers.page, /催王敏.*办完了.*1\/2/)
  await sent.getByText('1 / 2').waitFor()
  await sent.getByRole('button', { name: '再催 1 人' }).click()
  await hers.page.getByText('已再催 1 人').waitFor()
  await hers.page.keyboard.press('Escape')
  await picture(hers.page, 'urge-creation')
  await expectAccessible(hers.page)
  await hers.page
    .getByRole('row', { name: /Q4 销售预测/ })
    .getByRole('button', { name: /Q4/ })
    .press('Enter')
  await sent.getByRole('button', { name: '结束催办' }).click()
  await hers.page.getByRole('dialog', { name: '结束催办' }).getByRole('button', { name: '结束催办' }).click()
  await hers.page.getByText('催办已结束').waitFor()
  expect((await yuan.call('getNotifyReviewList', { state: 'ended' })).list).toMatchObject([{ fId: fileId }])
})

test('[R271] in English and on a phone: read by opening it is done', async () => {
  const { notifyId } = await xia.call('addNotify', {
    ...{ fileId, userIdArray: [yuan.userId], notifyType: 2, message: 'New figures' },
    ...{ deadline: Date.now() + 30 * 60 * 60_000, repeatHours: 4, repeatUntil: Date.now() + 30 * 60 * 60_000 },
  })
  const page = await browser.open(at('urge-review'), { viewport: { width: 390, height: 844 } })
  await page.evaluate(() => localStorage.setItem('locale', 'en'))
  await page.reload()
  await page.getByLabel('Account').fill(yuan.account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const row = page.getByRole('row', { name: /Q4/ })
  await row.getByText('To do').waitFor()
  await picture(page, 'urge-review-phone')
  await row.getByRole('button', { name: /Q4/ }).click()
  const info = page.getByRole('dialog', { name: /^Follow-up — Q4/ })
  await info.getByText('Please read').waitFor()
  await picture(page, 'urge-info-phone')
  await expectAccessible(page)
  await info.getByRole('button', { name: 'Open', exact: true }).click()
  await expect.poll(async () => (await xia.call('getNotifyDetail', { notifyId })).state).toBe('done')
})

test('[R270] several items are urged at once: an urge for each, and one that is refused can be sent again', async () => {
  const names = ['一季度.txt', '二季度.txt', '三季度.txt']
  const ids: number[] = []
  for (const name of names) ids.push(await xia.upload(folderId, name, Buffer.from(name)))
  const hers = await new LoginPage(await browser.open(company.url)).signIn(xia.account, password)
  await hers.openFolder('华东大区')
  await hers.select(...names)
  await hers.choose('三季度.txt', '催办…')
  const urge = hers.page.getByRole('dialog', { name: /^催办/ })
  await urge.getByText('3 个项目，每个一条催办').waitFor()
  await urge.getByRole('combobox', { name: '请谁办' }).fill('催李思远')
  await hers.page.getByRole('option', { name: /催李思远/ }).click()
  await urge.getByRole('textbox', { name: '说明' }).fill('请核对三个季度的数据。')
  await picture(hers.page, 'urge-several')
  await expectAccessible(hers.page)
  // One of them is gone meanwhile.
  await xia.call('fileOrFolderDelete', { fileIdArray: [ids[1] ?? 0] })
  await urge.getByRole('button', { name: '发出催办' }).click()
  await urge.getByRole('alert').filter({ hasText: '二季度' }).waitFor()
  const { list } = await yuan.call('getNotifyReviewList', { keyword: '季度' })
  expect(list.map(({ fName }) => fName).toSorted()).toEqual(['一季度.txt', '三季度.txt'])
  await xia.call('recycleRestore', { fileIdArray: [ids[1] ?? 0] })
  await urge.getByRole('button', { name: /^(催办|发出)/ }).click()
  await hers.page.getByText('已发出 3 条催办').waitFor()
  expect((await yuan.call('getNotifyReviewList', { keyword: '季度' })).total).toBe(3)
})
