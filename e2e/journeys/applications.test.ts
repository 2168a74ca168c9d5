// A download that is refused is applied for, approved, counted and revoked; in Chinese and in English. A security
// administrator writes a rule for it.
import { join } from 'node:path'
import { itemAddress, rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { followNotice } from '../pages/notices.ts'
import { openCompany, type Person, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const pictures = process.env['PICTURES']

const words = {
  zh: {
    apply: '申请下载…',
    title: /^申请下载/,
    why: '申请理由',
    three: '3 次',
    send: '提交申请',
    mine: '我的下载申请',
    theirs: '待审下载申请',
    pending: '待审批',
    review: /^审批下载申请/,
    application: /^下载申请|^申请下载/,
    openIt: '打开',
    approve: '同意 1 项',
    approved: '已同意',
    take: '下载',
    used: (n: number) => `已下载 ${n} / 3`,
    uses: '下载记录',
    handled: '我已处理',
    revoke: '撤销同意…',
    revokeNow: '撤销同意',
    revoked: '已撤销',
    close: '关闭',
  },
  en: {
    apply: 'Request download…',
    title: /^Request download/,
    why: 'Reason',
    three: '3 times',
    send: 'Send request',
    mine: 'My download requests',
    theirs: 'Downloads to review',
    pending: 'Pending',
    review: /^Review download request/,
    application: /^Download request|^Request download/,
    openIt: 'Open',
    approve: 'Approve 1',
    approved: 'Approved',
    take: 'Download',
    used: (n: number) => `${n} of 3 used`,
    uses: 'Downloads',
    handled: 'Decided by me',
    revoke: 'Revoke approval…',
    revokeNow: 'Revoke approval',
    revoked: 'Revoked',
    close: 'Close',
  },
} as const

/** A page whose texts are in the language. */
async function pageIn(locale: 'zh' | 'en', { account }: Person): Promise<FilesPage> {
  const files = await new LoginPage(await browser.open(company.url)).signIn(account, password)
  await files.page.evaluate((value) => localStorage.setItem('locale', value), locale)
  return files
}

// [R145] Where downloads need the right or a rule binds those who have it, the menu offers to apply instead, in a window
// of its own, while the setting for applications is on.
// [R053] Sensitive-creation, sensitive-review and the four pages of applications show what is stored, here with each step
// of an application; those of exchange have their own journey.
// [R084] The menu of an item that may not be downloaded opens the dialog apply-download.
// [R105] A click on an operation review opens the detail of the download or of the link, by its operateType.
// [R252] After a request for a download is sent, the page folder-security-apply-download-creation opens with its state.
test.each(inject('full') ? (['zh', 'en'] as const) : (['zh'] as const))(
  '[R251] [R252] [R254] [R145] [R053] [R084] [R105] in %s a refused download is applied for, approved, counted and revoked',
  async (locale) => {
    const w = words[locale]
    const picture = async (page: Page, name: string): Promise<void> => {
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `apply-${name}-${locale}.png`) })
    }
    const linName = locale === 'zh' ? '林夏' : 'Lin Xia'
    const lin = await company.person(`apply-lin-${locale}`, linName)
    const ben = await company.person(`apply-ben-${locale}`, locale === 'zh' ? '李思远' : 'Ben Li')
    const folderId = await lin.folder(lin.library, locale === 'zh' ? '渠道合同' : 'Contracts')
    const name = locale === 'zh' ? '合作协议.txt' : 'agreement.txt'
    const fileId = await lin.upload(folderId, name, Buffer.from('the agreement'))
    await lin.call('shareItems', {
      folderIdArray: [folderId],
      subjects: [{ subjectType: 'user', subjectId: ben.userId }],
      rights: rightsGroup.preview,
    })
    const status = async (): Promise<number> =>
      (
        await fetch(`${company.url}/DownloadServlet?fileId=${fileId}`, {
          headers: { authorization: `Bearer ${ben.token}` },
        })
      ).status
    expect(await status()).toBe(403)

    const his = await pageIn(locale, ben)
    await his.page.goto(`${company.url}${itemAddress({ fType: 2, fId: folderId })}`)
    await his.row(name).waitFor()
    await his.choose(name, w.apply)
    const form = his.page.getByRole('dialog', { name: w.title })
    await form.getByText(linName).first().waitFor()
    expect(await form.boundingBox()).toMatchObject({ width: 738, height: 580 })
    await form.getByRole('textbox', { name: w.why }).fill(locale === 'zh' ? '现场签约' : 'Signing on site')
    await form.getByRole('button', { name: w.three, exact: true }).click()
    await picture(his.page, 'form')
    await expectAccessible(his.page)
    await form.getByRole('button', { name: w.send }).click()
    await his.page.waitForURL(/security\/apply-download-creation/)
    const own = his.page.getByRole('dialog', { name: w.application })
    await own.getByText(w.pending).first().waitFor()
    expect(await own.boundingBox()).toMatchObject({ width: 738, height: 580 })
    await picture(his.page, 'own')
    await his.page.keyboard.press('Escape')
    await own.waitFor({ state: 'detached' })
    await picture(his.page, 'creation')

    const hers = await pageIn(locale, lin)
    if (locale === 'zh') await followNotice(hers.page, /申请下载/)
    else {
      await hers.page.goto(`${company.url}/doc/folder/security/apply-download-review`)
      await hers.page.getByRole('heading', { name: w.theirs }).waitFor()
      await hers.page.getByRole('button', { name: w.openIt, exact: true }).click()
    }
    const review = hers.page.getByRole('dialog', { name: w.review })
    await review.getByRole('button', { name: w.approve }).waitFor()
    await picture(hers.page, 'review')
    await expectAccessible(hers.page)
    await review.getByRole('button', { name: w.approve }).click()
    await review.waitFor({ state: 'detached' })

    // The list follows; the downloads that were granted are counted.
    await his.page.getByText(w.approved).first().waitFor()
    const side = his.page.getByRole('complementary').last()
    for (let n = 0; n < 3; n += 1) {
      await side.getByText(w.used(n)).waitFor()
      const taken = his.page.waitForEvent('download')
      await side.getByRole('button', { name: `${w.take} ${name}` }).click()
      await (await taken).path()
      await his.page.reload()
    }
    await side.getByText(w.used(3)).waitFor()
    expect(await side.getByRole('button', { name: `${w.take} ${name}` }).isDisabled()).toBe(true)
    expect(await status()).toBe(403)
    await picture(his.page, 'used')

    await hers.page.getByRole('tab', { name: w.handled }).click()
    await hers.page.getByRole('button', { name: w.openIt, exact: true }).click()
    await review.getByRole('region', { name: w.uses }).getByText(name).nth(2).waitFor()
    await picture(hers.page, 'uses')
    await review.getByRole('button', { name: w.revoke }).click()
    await hers.page.getByRole('button', { name: w.revokeNow, exact: true }).click()
    await review.waitFor({ state: 'detached' })
    await his.page.getByText(w.revoked).first().waitFor()
    expect(await status()).toBe(403)
    await picture(his.page, 'revoked')
  },
)

// [R254] The windows to apply for downloads and links, of both sides of an application, of the review and of the content
// of a folder have 738x580 pixels, show what is stored, and carry what applicant and reviewer may do.
test('[R251] [R254] a link is applied for and approved; the content of a folder is shown', async () => {
  const lin = await company.person('link-lin', '林外')
  const min = await company.person('link-min', '敏审')
  const folderId = await lin.folder(lin.library, '给客户')
  await lin.upload(folderId, '报价.txt', Buffer.from('报价'))
  const { admin } = company
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '外链审批', operation: 'link', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: lin.userId }],
    rounds: [{ by: 'people', ids: [min.userId], needs: 'one', fromLevel: 0 }],
  })
  const size = { width: 738, height: 580 }
  const picture = async (page: Page, name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `link-${name}.png`) })
  }
  const hers = await new LoginPage(await browser.open(company.url)).signIn(lin.account, password)
  await hers.page.goto(`${company.url}${itemAddress({ fType: 2, fId: folderId })}`)
  await hers.row('报价.txt').waitFor()
  await hers.choose('报价.txt', '申请外链…')
  const form = hers.page.getByRole('dialog', { name: /^申请外链/ })
  await form.getByText('敏审').first().waitFor()
  expect(await form.boundingBox()).toMatchObject(size)
  await form.getByRole('textbox', { name: '申请理由' }).fill('发给客户')
  await picture(hers.page, 'form')
  await form.getByRole('button', { name: '提交申请' }).click()
  await hers.page.waitForURL(/security\/apply-link-creation/)
  const own = hers.page.getByRole('dialog', { name: /^外链审批/ })
  await own.getByText('待审批').first().waitFor()
  expect(await own.boundingBox()).toMatchObject(size)
  await picture(hers.page, 'own')
  await hers.page.keyboard.press('Escape')

  const theirs = await new LoginPage(await browser.open(company.url)).signIn(min.account, password)
  await followNotice(theirs.page, /申请.*外链/)
  const review = theirs.page.getByRole('dialog', { name: /^外链审批/ })
  await picture(theirs.page, 'review')
  await review.getByRole('button', { name: '同意', exact: true }).click()
  await review.waitFor({ state: 'detached' })
  await hers.page.getByText('已同意').first().waitFor()
  await admin.call('removeOperationRule', { ruleId })
  // The application leads to its link, and the link to its application.
  await hers.page.getByRole('button', { name: '打开', exact: true }).click()
  await own.getByRole('region', { name: '外链使用记录' }).getByText('还没有人打开').waitFor()
  await picture(hers.page, 'approved')
  await own.getByRole('button', { name: /^查看外链/ }).click()
  const link = hers.page.getByRole('dialog', { name: /^外链详情/ })
  await link.getByRole('button', { name: '查看审批申请' }).waitFor()
  await picture(hers.page, 'detail')
  await expectAccessible(hers.page)
  await link.getByRole('button', { name: '查看审批申请' }).click()
  await own.last().getByText('已同意').first().waitFor()

  // A folder is applied for with what it contains.
  await lin.call('shareItems', {
    ...{ folderIdArray: [folderId], rights: rightsGroup.preview },
    subjects: [{ subjectType: 'user', subjectId: min.userId }],
  })
  await min.call('applyDownload', { folderIdArray: [folderId], comment: '离线评审' })
  await hers.page.goto(`${company.url}/doc/folder/security/apply-download-review`)
  await hers.page.getByRole('button', { name: '打开', exact: true }).click()
  await hers.page.getByRole('dialog').getByRole('button', { name: '查看内容' }).click()
  const content = hers.page.getByRole('dialog', { name: '给客户', exact: true })
  await content.getByText('报价.txt').waitFor()
  expect(await content.boundingBox()).toMatchObject(size)
  await picture(hers.page, 'folder')
})

test('[R251] [R145] a rule of the security administrator lets people who hold the right apply as well', async () => {
  const lin = await company.person('rule-lin', '林安')
  const ben = await company.person('rule-ben', '贝控')
  const folderId = await lin.folder(lin.library, '受控')
  await lin.upload(folderId, '图纸.txt', Buffer.from('图'))
  await lin.call('shareItems', {
    folderIdArray: [folderId],
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rights: rightsGroup.edit,
  })
  const picture = async (page: Page, name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `rule-${name}.png`) })
  }
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/operations`)
  await page.getByRole('heading', { name: '操作管控', exact: true }).waitFor()
  await picture(page, 'list-empty')
  await page.getByRole('button', { name: '新建规则' }).click()
  const form = page.getByRole('dialog', { name: '新建操作管控规则' })
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByRole('alert').getByText('请填写名称').waitFor()
  await form.getByRole('textbox', { name: '名称' }).fill('图纸外发')
  await form.getByRole('checkbox', { name: '所有人' }).uncheck()
  await form.getByRole('combobox', { name: '添加人员、部门或角色' }).fill('贝控')
  await page.getByRole('option', { name: /贝控/ }).click()
  await picture(page, 'form')
  await expectAccessible(page)
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: '图纸外发 下载' }).waitFor()
  await picture(page, 'list')
  await expectAccessible(page)

  const his = await new LoginPage(await browser.open(company.url)).signIn(ben.account, password)
  await his.page.goto(`${company.url}${itemAddress({ fType: 2, fId: folderId })}`)
  await his.row('图纸.txt').waitFor()
  await his.choose('图纸.txt', '申请下载…')
  const apply = his.page.getByRole('dialog', { name: /^申请下载/ })
  await apply.getByText('林安').first().waitFor()
  await his.page.keyboard.press('Escape')

  await page.getByRole('button', { name: '删除规则' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除规则' }).click()
  await page.getByText('还没有操作管控规则').waitFor()
})
