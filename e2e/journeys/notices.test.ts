// Two people: one follows an item, the other changes it. The notice opens the item, and its read state is the same on
// all devices.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, chen] = [await company.person('notice-xia', '林夏'), await company.person('notice-chen', '陈晓')]
const shared = await company.sharedFolder('华东大区通知', rightsGroup.edit, [xia, chen])
const pictures = process.env['PICTURES']

// [R052] The pages watch-change and watch-download list what is followed, with its menu.
// [R089] An entry leads to its item in its folder, and can open its folder.
test('[R052] [R088] [R089] [R096] [R239] [R313] what is followed is told, leads to the item, and is read on both machines', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(xia.account, password)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
  }
  // Sharing the folder also causes a notice.
  await page.getByRole('button', { name: /条未读/ }).waitFor()
  await xia.call('ignoreNotices', { all: true })
  await page.getByRole('button', { name: '通知', exact: true }).waitFor()
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`)
  await files.grid.waitFor()
  const fileId = await chen.upload(shared, '渠道报价.txt', Buffer.from('one'))
  await files.row('渠道报价.txt').waitFor()
  await files.choose('渠道报价.txt', '关注变更')
  await page.getByRole('img', { name: '已关注' }).waitFor()

  // On a change the panel opens by itself, and the bell shows the number.
  await chen.call('renameFile', { fileId, fileName: '渠道报价（终稿）.txt' })
  const panel = page.getByRole('region', { name: '通知中心' })
  await panel.getByText('渠道报价（终稿）.txt').waitFor()
  await page.getByRole('button', { name: /条未读/ }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^\(1\) /)
  await picture('panel-blue')
  await expectAccessible(page)
  await page.goto(`${company.url}/doc/folder/files`)
  await page.getByRole('button', { name: /条未读/ }).click()
  await panel.getByRole('button', { name: /陈晓.*渠道报价/ }).click()
  await files.row('渠道报价（终稿）.txt').waitFor()
  await expect.poll(() => files.row('渠道报价（终稿）.txt').getAttribute('aria-selected')).toBe('true')
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '通知', exact: true }).waitFor()

  // Two more notices, read on another device.
  await chen.call('renameFile', { fileId, fileName: '渠道报价（新）.txt' })
  await page.getByRole('button', { name: /条未读/ }).waitFor()
  await xia.call('ignoreNotices', { all: true })
  await page.getByRole('button', { name: '通知', exact: true }).waitFor()
  await panel.waitFor({ state: 'detached' })

  // In quiet hours notices are counted, but the panel does not open. Ignoring them on one device marks them as read on
  // all.
  const choices = { desktop: false, sound: false, quiet: true, quietFrom: 0, quietTo: 24 * 60 }
  await page.evaluate((value) => localStorage.setItem('noticeChoices', value), JSON.stringify(choices))
  await page.reload()
  await page.getByRole('button', { name: '通知', exact: true }).waitFor()
  await chen.call('renameFile', { fileId, fileName: '渠道报价（夜里）.txt' })
  await page.getByRole('button', { name: '通知，1 条未读' }).waitFor()
  expect(await panel.count()).toBe(0)
  await page.getByRole('button', { name: '通知，1 条未读' }).click()
  await panel.getByRole('button', { name: '忽略全部' }).click()
  await expect.poll(async () => (await xia.call('getNotices', {})).total).toBe(0)

  await page.goto(`${company.url}/notify/list`)
  await page.getByText('渠道报价（夜里）.txt').waitFor()
  await picture('list-blue')
  await expectAccessible(page)
  await page.goto(`${company.url}/doc/folder/cooperate/watch-change`)
  await files.row('渠道报价（夜里）.txt').waitFor()
  await picture('watch-blue')
  // The panel also works in the black skin and in English.
  const dress = (skin: string, locale: string): Promise<void> =>
    page.evaluate(
      (choices) => {
        for (const [key, value] of Object.entries(choices)) localStorage.setItem(key, value)
      },
      { skin, locale, noticeChoices: '{}' },
    )
  await dress('black', 'en')
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`)
  await files.grid.waitFor()
  // The panel opens by itself only with a connected channel.
  await page.getByText(/^Connected/).waitFor()
  await chen.call('renameFile', { fileId, fileName: 'Channel quote.txt' })
  const centre = page.getByRole('region', { name: 'Notification centre' })
  await centre.getByText('renamed it to').waitFor()
  // The panel closes by itself after a while, but not while the user points at it.
  await centre.hover()
  await expectAccessible(page)
  await centre.getByRole('button', { name: 'Ignore all' }).click()
  await page.getByRole('button', { name: 'Notify', exact: true }).waitFor()
  await expect.poll(async () => (await xia.call('getNotices', {})).total).toBe(0)
  if (pictures === undefined) return
  for (const [skin, locale] of [
    ['black', 'en'],
    ['red', 'zh'],
  ] as const) {
    await dress(skin, locale)
    await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${shared}`)
    await files.grid.waitFor()
    for (let n = 0; n < 5; n += 1)
      await chen.upload(shared, `新品发布会主视觉提案 ${skin} v${n}.pptx`, Buffer.from('x'))
    await xia.call('addInterest', { interestType: 1, folderIdArray: [shared] })
    for (let n = 0; n < 5; n += 1) await chen.upload(shared, `采购框架合同 ${skin} ${n}.docx`, Buffer.from('x'))
    await page.locator('.nt-rest').waitFor()
    await picture(`panel-${skin}`)
    await page.locator('.nt-foot button').last().click()
    await page.getByRole('dialog').getByRole('switch').nth(3).click()
    await page.getByRole('dialog').locator('input[type=time]').first().waitFor()
    await picture(`settings-${skin}`)
    await page.getByRole('dialog').getByRole('switch').nth(3).click()
    await page.keyboard.press('Escape')
    await page.goto(`${company.url}/notify/list`)
    await page.locator('.nt-entry').first().waitFor()
    await picture(`list-${skin}`)
    await xia.call('ignoreNotices', { all: true })
  }
})
