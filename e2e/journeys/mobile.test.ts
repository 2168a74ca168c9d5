// The pages for phones.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { expect, inject, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const pictures = process.env['PICTURES']
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

// [R375] A phone is led to /m/index.html, which shows the files and all that is waiting after signing in; whoever chooses
// the desktop page gets it.
test('[R375] a phone finds, reads, renames and adds files, and comes to all that waits', async () => {
  const owner = await company.person('mobilesu', '苏手机')
  const folderId = await owner.folder(owner.library, '现场')
  await owner.upload(folderId, '清单.txt', Buffer.from('展位三个，灯箱两个'))
  const page = await browser.open(company.url, phone)
  await page.waitForURL(/\/m\/index\.html|\/doc\/login/)
  await page.getByLabel('账号', { exact: true }).fill(owner.account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).tap()
  await page.waitForURL(/\/m\/index\.html/)
  const tabs = page.getByRole('navigation', { name: '主要页面' })
  await tabs.getByRole('link', { name: '文件' }).waitFor()
  await page.getByRole('button', { name: '苏手机' }).tap()
  await page.getByRole('button', { name: /^现场/ }).tap()
  const file = page.getByRole('button', { name: /^清单\.txt/ })
  await file.waitFor()
  await expectAccessible(page)
  await file.tap()
  await page.getByText('展位三个，灯箱两个').waitFor()
  await page.getByRole('button', { name: '关闭' }).first().tap()

  // The actions of the desktop page, in a sheet.
  await page.getByRole('button', { name: '“清单.txt”的更多操作' }).tap()
  const sheet = page.getByRole('dialog', { name: '清单.txt' })
  await sheet.getByRole('button', { name: '收藏' }).waitFor()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: /^重命名/ }).tap()
  await page.getByRole('textbox', { name: '新名称' }).fill('展位清单.txt')
  await page.getByRole('button', { name: '重命名' }).tap()
  await page.getByRole('button', { name: /^展位清单\.txt/ }).waitFor()

  // A photo goes up from the phone.
  await page.getByLabel('拍照').setInputFiles({ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('jpg') })
  await page.getByRole('button', { name: /^IMG_1\.jpg/ }).waitFor()

  await page.getByRole('button', { name: '搜索' }).tap()
  await page.getByRole('searchbox').fill('zwqd')
  await page.getByRole('button', { name: /^展位清单\.txt/ }).waitFor()
  // What leads to the desktop page elsewhere stays in the frame of the phone.
  await tabs.getByRole('link', { name: '我的' }).tap()
  await page.getByRole('button', { name: '传输' }).tap()
  await page.getByRole('link', { name: /^已完成/ }).tap()
  await page.waitForURL(/\/m\/page\/transfer\/done/)
  await page.getByText('IMG_1.jpg').first().waitFor()
  await page.getByRole('button', { name: '返回' }).tap()
  await page.getByRole('button', { name: '回收站' }).tap()
  await page.getByRole('button', { name: '回到我的文档' }).tap()
  await page.waitForURL(/\/m\/index\.html/)
  await tabs.waitFor()
  for (const name of ['消息', '审批', '通知', '我的']) {
    await tabs.getByRole('link', { name }).tap()
    await page.waitForFunction(() => document.querySelector('.k-spinner') === null)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: '使用电脑版页面' }).tap()
  await page.waitForURL(/\/doc\/folder\/files/)
})

test('[R145] [R375] on a phone a download that is refused is applied for, and the application is shown there', async () => {
  const owner = await company.person('mobileowner', '林主人')
  const reader = await company.person('mobilereader', '陈读者')
  const folderId = await owner.folder(owner.library, '只读资料')
  await owner.upload(folderId, '图纸.txt', Buffer.from('图纸'))
  await owner.call('shareItems', {
    folderIdArray: [folderId],
    subjects: [{ subjectType: 'user', subjectId: reader.userId }],
    rights: rightsGroup.preview,
  })
  const page = await browser.open(company.url, phone)
  await page.getByLabel('账号', { exact: true }).fill(reader.account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).tap()
  await page.waitForURL(/\/m\/index\.html/)
  await page.goto(`${company.url}/m/files/0/${folderId}`)
  await page.getByRole('button', { name: '“图纸.txt”的更多操作' }).tap()
  const sheet = page.getByRole('dialog', { name: '图纸.txt', exact: true })
  expect(await sheet.getByRole('button', { name: '下载', exact: true }).count()).toBe(0)
  await sheet.getByRole('button', { name: /^申请下载/ }).tap()
  const form = page.getByRole('dialog', { name: '申请下载 — 图纸.txt' })
  await form.getByText('林主人').first().waitFor()
  await form.getByRole('textbox', { name: '申请理由' }).fill('现场核对')
  await expectAccessible(page)
  await form.getByRole('button', { name: '提交申请' }).tap()
  await page.waitForURL(/\/m\/page\/security\/apply-download-creation/)
  await page.getByText('待审批').first().waitFor()
})

const sizes = { phone: { width: 390, height: 844 }, tablet: { width: 820, height: 1180 } }
const paths = [
  ...['index.html', 'search', 'list/favorite', 'list/recent', 'list/shared', 'approvals', 'notices', 'offline'],
  ...['push', 'me', 'page/share/link-creation', 'page/email', 'page/transfer/doing', 'page/recycle', 'page/im/index'],
  ...['page/share/auth-review', 'page/cooperate/workflow-pending', 'page/cooperate/sign-review'],
  ...['page/cooperate/urge-review', 'page/share/auth-creation'],
]
const looks = [
  ...[['phone', 'zh'] as const, ['tablet', 'en'] as const],
  ...(inject('full') ? [['phone', 'en'] as const, ['tablet', 'zh'] as const] : []),
]

test.each(looks)('every page is accessible and as wide as a %s, in %s', async (size, locale) => {
  const owner = await company.person(`look${size}${locale}`, '白看看')
  const folderId = await owner.folder(owner.library, '现场')
  await owner.upload(folderId, '清单.txt', Buffer.from('展位三个'))
  await owner.folder(folderId, '一个名字很长的文件夹，长到一行里放不下，所以后面的字会被省略，而不是把页面撑宽')
  await owner.call('setFavorites', { folderIdArray: [folderId] })
  const localStorage = [{ name: 'locale', value: locale }]
  const page = await browser.open(`${company.url}/m/me`, {
    ...phone,
    viewport: sizes[size],
    storageState: { cookies: [], origins: [{ origin: new URL(company.url).origin, localStorage }] },
  })
  await page.getByRole('textbox').first().fill(owner.account)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('.m-tabs').waitFor()
  for (const path of [...paths, `files/0/${folderId}`]) {
    await page.goto(`${company.url}/m/${path}`)
    await page.locator('.m-tabs').waitFor()
    await page.waitForFunction(() => document.querySelector('.k-spinner') === null)
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect([path, tooWide]).toEqual([path, 0])
    expect(new URL(page.url()).pathname).toBe(`/m/${path}`)
    await expectAccessible(page)
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `${size}-${locale}-${path.replaceAll('/', '-')}.png`) })
  }
})
