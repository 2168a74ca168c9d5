// A user shares a folder by an external link; a visitor opens it, on a desktop and on a phone, until it is cancelled.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser, patienceMs } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { printed, recordPrints } from '../pages/printing.ts'
import { writable } from '../pages/writable.ts'
import { openCompany, password } from './company.ts'
import { documentOf } from './demo-documents.ts'

const company = await openCompany()
const browser = await openBrowser()
const xia = await company.person('link-xia', '链林夏')
const shared = await company.sharedFolder('发布会资料', rightsGroup.full, [xia])
await xia.upload(shared, '进场须知.txt', Buffer.from('请从东门进场'))
await xia.upload(shared, '物料清单.csv', Buffer.from('名称,数量\n展板,4'))
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}

// [R051] The list of own links.
// [R076] The window for creating a link opens at 630x690.
// [R228] A visitor browses a folder as pictures and as a list, on desktop and phone (rows of 60 px with size and time
// below the name).
// [R228] A link that ends while its page is open: the next request says so.
// [R228] The visitor's page in the four skins: chosen by the visitor, dark by system preference, stored in the browser.
test('[R051] [R076] [R143] [R154] [R222] [R226] [R228] [R229] a link is made in two clicks, opened outside by its password, and dead as soon as it is ended', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(xia.account, password)
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`)
  await files.row('进场须知.txt').waitFor()
  await files.choose('进场须知.txt', '创建外链…')
  const create = page.getByRole('dialog', { name: /创建外链 — 进场须知/ })
  await create.getByRole('textbox', { name: '访问密码' }).fill('K7m2')
  const box = await create.boundingBox()
  expect(box).toMatchObject({ width: 630, height: 690 })
  await picture(page, 'link-create')
  await expectAccessible(page)
  await create.getByRole('button', { name: '创建外链' }).click()
  await create.getByText('外链已创建').waitFor()
  await create.getByRole('img', { name: '链接的二维码' }).waitFor()
  await picture(page, 'link-made')
  await expectAccessible(page)
  const url = (await create.locator('.sl-url b').textContent()) ?? ''
  expect(url).toMatch(/\/s\/[A-Za-z0-9]{16}$/)
  await create.getByRole('button', { name: '完成' }).click()

  // The visitor: a browser without a session.
  const outside = await browser.open(url)
  await outside.getByRole('textbox', { name: '访问密码' }).fill('k7m2')
  await picture(outside, 'visit-password')
  await expectAccessible(outside)
  await outside.getByRole('button', { name: '打开' }).click()
  await outside.getByText('密码不正确，请核对大小写').waitFor()
  await outside.getByRole('textbox', { name: '访问密码' }).fill('K7m2')
  await outside.getByRole('button', { name: '打开' }).click()
  await outside.getByText('请从东门进场').waitFor()
  await picture(outside, 'visit-file')
  const coming = outside.waitForEvent('download')
  await outside.getByRole('button', { name: '下载', exact: true }).click()
  expect((await coming).suggestedFilename()).toBe('进场须知.txt')
  await outside.setViewportSize({ width: 360, height: 740 })
  await picture(outside, 'visit-file-phone')
  // The visitor chooses another skin, which this browser remembers.
  await outside.getByRole('radio', { name: '黑色' }).check()
  expect(await outside.evaluate(() => document.documentElement.dataset['skin'])).toBe('black')
  await expectAccessible(outside)
  expect(await outside.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  // The creator sees who used the link, then cancels it.
  await page.goto(`${company.url}/doc/folder/share/link-creation`)
  await picture(page, 'link-creation')
  await page.getByRole('button', { name: /进场须知\.txt/ }).click()
  const detail = page.getByRole('dialog', { name: /外链详情 — 进场须知/ })
  await detail.getByRole('cell', { name: /下载 进场须知/ }).waitFor()
  await picture(page, 'link-detail')
  await expectAccessible(page)
  await detail.getByRole('button', { name: '取消外链' }).click()
  await page.getByRole('dialog', { name: '提示' }).getByRole('button', { name: '取消外链' }).click()
  await detail.getByText('已取消').waitFor()
  await outside.reload()
  await outside.getByRole('heading', { name: '这个链接打不开' }).waitFor()
  await picture(outside, 'visit-gone-phone')
  expect(await outside.evaluate(() => document.documentElement.dataset['skin'])).toBe('black')
  await outside.getByRole('radio', { name: '蓝色' }).check()
  await expectAccessible(outside)
  await xia.upload(shared, '展台效果图.png', await documentOf('png'))
  const folder = await xia.call('externalCreate', {
    folderId: shared,
    rights: 28,
    endTime: Date.now() + 3_600_000,
  })
  await outside.setViewportSize({ width: 1440, height: 900 })
  await outside.goto(`${company.url}/s/${folder.linkToken}`)
  await outside.getByRole('button', { name: '物料清单.csv' }).click()
  await outside.getByText('展板').waitFor()
  await outside.keyboard.press('Escape')
  await outside.getByRole('dialog').waitFor({ state: 'detached' })
  await picture(outside, 'visit-folder')
  await expectAccessible(outside)
  await outside.getByRole('button', { name: '图片', exact: true }).click()
  const small = outside.getByRole('button', { name: /展台效果图/ }).locator('img')
  // The thumbnail is queued behind other conversions.
  await small.waitFor({ timeout: 120_000 })
  await expect
    .poll(() => small.evaluate((img: HTMLImageElement) => img.naturalWidth), { timeout: patienceMs })
    .toBeGreaterThan(0)
  await outside.getByRole('checkbox', { name: '展台效果图.png' }).check()
  await outside.getByText('已选 1 项').waitFor()
  await picture(outside, 'visit-pictures')
  await expectAccessible(outside)
  await outside.setViewportSize({ width: 360, height: 740 })
  await picture(outside, 'visit-pictures-phone')
  await outside.getByRole('button', { name: '列表', exact: true }).click()
  const row = outside.getByRole('row', { name: /物料清单/ })
  await row.getByText(/B · \d{4}-\d\d-\d\d/).waitFor()
  expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(60)
  await picture(outside, 'visit-folder-phone')
  await expectAccessible(outside)
  await outside.getByRole('button', { name: '图片', exact: true }).click()
  await outside.getByRole('button', { name: /展台效果图/ }).click()
  await outside.getByRole('dialog', { name: '展台效果图.png' }).locator('img').first().waitFor()
  // The link is cancelled while its page is open: the next preview fails, and the page says so.
  await outside.keyboard.press('Escape')
  await outside.getByRole('dialog').waitFor({ state: 'detached' })
  await xia.call('cancelExternal', { externalId: folder.externalId })
  await outside.getByRole('button', { name: '列表', exact: true }).click()
  await outside.getByRole('button', { name: '物料清单.csv' }).click()
  await outside.getByRole('heading', { name: '这个链接打不开' }).waitFor()
})

// [R222] A visitor edits a text of a link and saves it, in the browser.
test('[R222] a visitor who may edit says who they are, writes in a text and saves it as a new version', async () => {
  const fileId = await xia.upload(shared, '发言提纲.txt', Buffer.from('第一稿'))
  const { linkToken } = await xia.call('externalCreate', { fileId, rights: 64, endTime: Date.now() + 3_600_000 })
  const outside = await browser.open(`${company.url}/s/${linkToken}`)
  await outside.getByRole('textbox', { name: '你的姓名' }).fill('周明')
  await outside.getByRole('button', { name: '打开' }).click()
  await outside.getByRole('button', { name: '编辑' }).click()
  const text = outside.getByRole('textbox', { name: '发言提纲.txt' })
  await writable(text).click()
  await outside.keyboard.press('Control+End')
  await outside.keyboard.type('，周明改过')
  await picture(outside, 'visit-edit')
  await expectAccessible(outside)
  await outside.keyboard.press('Control+s')
  await outside.getByText('已保存为新版本 2').waitFor()
  await outside.getByRole('dialog').getByRole('button', { name: '关闭' }).click()
  await outside.getByText('第一稿，周明改过').waitFor()
  const { list } = await xia.call('getVersionList', { fileId, from: 0, rows: 10 })
  expect(list[0]).toMatchObject({ version: 2, creatorName: '周明' })
})

// [R228] A visitor prints what a link allows to download, with its watermark, counted as a download; a preview-only
// link prints nothing.
longTest(
  '[R228] a visitor prints what a link hands out, counted as a download, and nothing of one that only shows',
  async () => {
    const fileId = await xia.upload(shared, '会议通知.txt', Buffer.from('周五下午三点'))
    const until = { endTime: Date.now() + 3_600_000 }
    const given = await xia.call('externalCreate', { fileId, rights: 12, downloadLimit: 1, watermark: true, ...until })
    const outside = await browser.open(`${company.url}/s/${given.linkToken}`)
    await outside.getByText('周五下午三点').waitFor()
    await recordPrints(outside)
    await picture(outside, 'visit-print')
    await outside.getByRole('button', { name: '打印' }).click()
    const paper = await printed(outside)
    expect(paper).toContain('周五下午三点')
    // Its watermark is on every page.
    expect(paper).toContain('position:fixed')
    await outside.getByText('下载次数已用完').first().waitFor()
    await outside.getByRole('button', { name: '打印' }).waitFor({ state: 'detached' })
    const { list } = await xia.call('getExternalVisitList', { externalId: given.externalId, what: 'print' })
    expect(list).toMatchObject([{ fName: '会议通知.txt' }])
    const shown = await xia.call('externalCreate', { fileId, rights: 4, ...until })
    await outside.goto(`${company.url}/s/${shown.linkToken}`)
    await outside.getByText('只能预览').waitFor()
    expect(await outside.getByRole('button', { name: '打印' }).count()).toBe(0)
  },
)

// [R228] A link is reported on the visitor's page and handled in the administration.
longTest('[R228] a visitor reports a link; who answers for security reads why and lets it stay', async () => {
  const fileId = await xia.upload(shared, '客户名单.txt', Buffer.from('王先生 13800000000'))
  // With download rights it is shown as it is stored, without a rendition.
  const { linkToken } = await xia.call('externalCreate', { fileId, rights: 12, endTime: Date.now() + 3_600_000 })
  const outside = await browser.open(`${company.url}/s/${linkToken}`)
  await outside.getByText('王先生').waitFor()
  await outside.getByRole('button', { name: '举报' }).click()
  const report = outside.getByRole('dialog', { name: '举报这个外链' })
  await report.getByRole('radio', { name: '泄露隐私或机密' }).check()
  await report.getByRole('textbox', { name: /说明/ }).fill('里面有我的电话')
  await picture(outside, 'visit-report')
  await expectAccessible(outside)
  await report.getByRole('button', { name: '提交举报' }).click()
  await outside.getByText('举报已收到').waitFor()

  const page = await browser.open(company.url)
  await new LoginPage(page).signIn(company.admin.account, password)
  await page.goto(`${company.url}/doc/admin/links/open?risk=reported`)
  await page
    .getByRole('row', { name: /客户名单/ })
    .getByRole('button', { name: '被举报 1' })
    .click()
  const reports = page.getByRole('dialog', { name: /举报 — 客户名单/ })
  await reports.getByText('里面有我的电话').waitFor()
  await picture(page, 'link-reports')
  await expectAccessible(page)
  await reports.getByRole('button', { name: '没有问题，保留外链' }).click()
  await page.getByRole('row', { name: /客户名单/ }).waitFor({ state: 'detached' })
  expect((await outside.reload())?.status()).toBe(200)
  await outside.getByText('王先生').waitFor()
})
