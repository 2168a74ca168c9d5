// Rights are granted, requested, decided on, used, expire and are revoked: two people in browsers, and an auditor who
// then reads who had access.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser, patienceMs } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { followNotice } from '../pages/notices.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [mara, ben] = [await company.person('auth-mara', '马拉'), await company.person('auth-ben', '贝恩')]
const folderId = await mara.folder(mara.library, '渠道合同')
const fileId = await mara.upload(folderId, '合同.txt', Buffer.from('第一条'))
const soon = await mara.upload(folderId, '附件.txt', Buffer.from('附件'))
const pictures = process.env['PICTURES']

const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}
const rightsOf = async (id: number): Promise<number> => (await ben.call('getFileInfo', { fileId: id })).rights

// [R051] Lists of items shared with and by the person, of requests to review and of own requests.
// [R076] The windows for requesting and reviewing rights have their documented sizes.
// [R105] A click on a request for rights or for a link opens the window of the request.
// [R216] Documents that colleagues share are listed in a folder of their own, also those deep in their libraries.
// [R219] The window of a request shows the request and its history; the lists of both sides have 30 rows a page.
test('[R051] [R076] [R105] [R153] [R216] [R217] [R218] [R219] [R326] rights are given, asked for, approved, used, end by themselves and are taken back', async () => {
  const theirs = await new LoginPage(await browser.open(company.url)).signIn(ben.account, password)
  const page = theirs.page
  await mara.call('shareItems', {
    folderIdArray: [folderId],
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rights: rightsGroup.preview,
  })
  await page.getByRole('link', { name: '同事文档' }).click()
  await theirs.openFolder('渠道合同')
  await picture(page, 'colleague')

  // The explanation of the missing download right leads to a request for it.
  await theirs.choose('合同.txt', '为什么是这些权限？')
  const why = page.getByRole('dialog')
  await why.getByText('合并为 预览').waitFor()
  await picture(page, 'why-apply')
  await why.getByRole('button', { name: '申请授权…' }).click()
  const apply = page.getByRole('dialog', { name: /申请权限/ })
  await apply.getByText('马拉').first().waitFor()
  expect(await apply.boundingBox()).toMatchObject({ width: 680, height: 500 })
  await apply.getByRole('textbox', { name: '说明' }).fill('要发给会务组')
  await picture(page, 'apply')
  await expectAccessible(page)
  await apply.getByRole('button', { name: '提交申请' }).click()
  await apply.getByText('申请已提交').waitFor()
  await picture(page, 'apply-done')
  await apply.getByRole('button', { name: '关闭' }).last().click()

  const hers = await browser.open(company.url)
  await new LoginPage(hers).signIn(mara.account, password)
  // The notice opens the request; the list of requests is behind it.
  const review = hers.getByRole('dialog', { name: /权限审批/ })
  await followNotice(hers, /贝恩.*合同\.txt/)
  await review.getByRole('tab', { name: '审批', selected: true }).waitFor()
  await hers.keyboard.press('Escape')
  await review.waitFor({ state: 'detached' })
  await hers.getByRole('link', { name: /^审批/ }).click()
  await hers.getByRole('button', { name: /^合同\.txt/ }).waitFor()
  await picture(hers, 'review-list')
  await expectAccessible(hers)
  await hers.getByRole('button', { name: /^合同\.txt/ }).click()
  await review.getByText('要发给会务组').waitFor()
  expect(await review.boundingBox()).toMatchObject({ width: 680, height: 550 })
  await picture(hers, 'review')
  await expectAccessible(hers)
  await review.getByRole('tab', { name: '流程' }).click()
  await review.getByText('等待 马拉').waitFor()
  await picture(hers, 'review-way')
  await review.getByRole('tab', { name: '审批' }).click()
  await review.getByRole('textbox', { name: '意见' }).fill('只到月底')
  await review.getByRole('button', { name: /^同意/ }).click()
  await review.waitFor({ state: 'detached' })

  // The requester gets a notice where they are, and can use the new right at once.
  const told = page.getByRole('dialog', { name: '申请授权' })
  await told.getByText(/的申请已同意/).waitFor()
  await picture(page, 'reply')
  await told.getByRole('button', { name: '打开文件' }).click()
  await theirs.row('合同.txt').waitFor()
  await theirs.page.getByRole('button', { name: '详细信息' }).click()
  await theirs.page.getByText(/马拉.* 批准了申请/).waitFor()
  await picture(page, 'panel')
  expect((await ben.download(fileId)).toString()).toBe('第一条')

  // A right granted for a few seconds expires by itself, and the list shows it.
  const deadline = Date.now() + 6000
  const asked = await ben.call('authorizationApply', { fileId: soon, right: rightsGroup.download, deadline })
  await mara.call('authorizationApprove', { authorizationId: asked.authorizationId })
  expect(await rightsOf(soon)).toBe(rightsGroup.download)
  await expect.poll(() => rightsOf(soon), { timeout: patienceMs }).toBe(rightsGroup.preview)
  await page.getByRole('dialog', { name: '申请授权' }).getByRole('button', { name: '知道了' }).click()
  await page.goto(`${company.url}/doc/folder/share/auth-creation`)
  await page
    .getByRole('button', { name: /^附件\.txt/ })
    .getByText('已到期')
    .waitFor()
  await picture(page, 'creation-list')

  await hers.getByRole('button', { name: '已处理' }).click()
  await hers.getByRole('button', { name: /^合同\.txt/ }).click()
  await review.getByRole('button', { name: '撤销批准…' }).click()
  await hers.getByRole('dialog', { name: '撤销批准' }).getByRole('button', { name: '撤销批准' }).click()
  await hers.getByText('批准已撤销，权限已收回').waitFor()
  expect(await rightsOf(fileId)).toBe(rightsGroup.preview)

  await hers.getByRole('button', { name: '代理审批…' }).click()
  const standIn = hers.getByRole('dialog', { name: '代理审批' })
  await standIn.getByRole('combobox', { name: '代理人' }).fill('贝恩')
  await hers.getByRole('option', { name: /贝恩/ }).waitFor()
  await standIn.getByRole('combobox', { name: '代理人' }).press('Enter')
  await picture(hers, 'stand-in')
  await expectAccessible(hers)
  await standIn.getByRole('button', { name: '设为代理人' }).click()
  await hers.getByRole('button', { name: '代理人：贝恩' }).waitFor()
})

// [R216] An upload into a colleague's full library is refused with a message (-25) and retried when there is space.
test('[R216] what does not fit into the documents of a colleague says so, and fits when there is room', async () => {
  const cara = await company.person('auth-cara', '卡拉')
  const { folderId: box } = await mara.call('folderCreate', { parentId: mara.library, folderName: '收集箱' })
  await mara.call('shareItems', {
    folderIdArray: [box],
    subjects: [{ subjectType: 'user', subjectId: cara.userId }],
    rights: rightsGroup.edit,
  })
  await company.admin.call('changeLibrary', { libraryId: mara.library, quota: 1 })
  const page = await browser.open(company.url)
  const theirs = await new LoginPage(page).signIn(cara.account, password)
  await page.getByRole('link', { name: '同事文档' }).click()
  await theirs.openFolder('收集箱')
  await theirs.chooseFiles([{ name: '周报.txt', mimeType: 'text/plain', buffer: Buffer.from('本周') }])
  await theirs.transfers.getByText(/超出同事文档空间限制/).waitFor()
  await picture(page, 'colleague-full')
  await company.admin.call('changeLibrary', { libraryId: mara.library, quota: 0 })
  await theirs.transfers.getByRole('button', { name: '重试未成功的' }).click()
  await theirs.row('周报.txt').waitFor()
})

test('[R208] the auditor reads who could see a file and why, and what would be if', async () => {
  const page = await browser.open(company.url)
  await new LoginPage(page).signIn(company.admin.account, password)
  await page.goto(`${company.url}/doc/admin/access`)
  const field = page.getByRole('combobox', { name: '文件或文件夹' })
  await field.fill('合同.txt')
  await page
    .getByRole('option', { name: /^合同\.txt/ })
    .first()
    .click()
  await page.getByRole('cell', { name: /自己的条目，继承自“渠道合同”/ }).waitFor()
  await page.getByRole('button', { name: /贝恩/ }).click()
  await picture(page, 'access-folder')
  await expectAccessible(page)
  await page.getByRole('button', { name: '假如…' }).click()
  const whatIf = page.getByRole('dialog', { name: /假如/ })
  await whatIf.getByRole('checkbox', { name: '停止继承上级' }).check()
  await whatIf.getByText('1 人将看不到它').waitFor()
  await picture(page, 'what-if')
  await expectAccessible(page)
  await whatIf.getByRole('button', { name: '知道了' }).click()
  await page.getByRole('link', { name: '这个人能看到什么' }).click()
  await page.getByRole('combobox', { name: '成员' }).fill('贝恩')
  await page.getByRole('option', { name: /贝恩/ }).first().click()
  await page.getByRole('cell', { name: /文档库的所有者或管理员/ }).waitFor()
  await picture(page, 'access-person')
  expect(await rightsOf(fileId)).toBe(rightsGroup.preview)
})
