// A user's own settings, and the same user in visitor mode.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const xia = await company.person('own-xia', '林夏')
await xia.upload(xia.library, '报价.txt', Buffer.from('one'))
const pictures = process.env['PICTURES']
const visitorPassword = 'Visit#2026'
/** A synthetic picture of two colours. */
const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFklEQVR4nGMQiXwGRyfufIAjhqElAQC7CXzhqr+TAwAAAABJRU5ErkJggg==',
  'base64',
)

// [R025] Profile, picture and password are changed in personal settings.
// [R078] The window of settings is 550x480.
test('[R008] [R021] [R025] [R072] [R078] [R350] one sets profile, picture, skin and a visitor password, and comes back as a visitor', async () => {
  const page = await browser.open(company.url)
  await new LoginPage(page).signIn(xia.account, password)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
  }
  const me = page.getByRole('button', { name: '账号: 林夏' })
  const fromMenu = async (entry: string): Promise<void> => {
    await me.click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await fromMenu('设置')
  const setting = page.getByRole('dialog', { name: '设置', exact: true })
  await setting.getByText('改动即时保存').waitFor()
  expect(await setting.boundingBox()).toMatchObject({ width: 550, height: 480 })
  await picture('setting-general')
  for (const [name, id] of [
    ['通知', 'notices'],
    ['传输', 'transfer'],
    ['快捷键', 'shortcuts'],
    ['缓存', 'cache'],
    ['外观', 'appearance'],
  ] as const) {
    await setting.getByRole('button', { name, exact: true }).click()
    await picture(`setting-${id}`)
  }
  await setting.getByRole('button', { name: '黑色' }).click()
  expect(await page.locator('html').getAttribute('data-skin')).toBe('black')
  await expectAccessible(page)
  await picture('setting-black')
  await setting.getByRole('button', { name: '蓝色' }).click()
  await page.keyboard.press('Escape')

  await fromMenu('个人设置')
  const own = page.getByRole('dialog', { name: '个人设置' })
  await own.getByLabel('职位').fill('渠道运营经理')
  await own.getByLabel('邮箱').fill('linxia@huaxin.example')
  await own.getByLabel('不公开').check()
  await own.getByText('2 处修改未保存').waitFor()
  await picture('personal-profile')
  await own.getByRole('button', { name: '保存', exact: true }).click()
  await own.getByText('处修改未保存').waitFor({ state: 'detached' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    own.getByRole('button', { name: '更换头像' }).click(),
  ])
  await chooser.setFiles({ name: '林夏.png', mimeType: 'image/png', buffer: photo })
  const crop = page.getByRole('dialog', { name: '裁剪图片' })
  await picture('personal-crop')
  await crop.getByRole('button', { name: '使用', exact: true }).click()
  await own.getByRole('button', { name: '恢复默认' }).waitFor()
  expect(await me.locator('img').getAttribute('src')).toContain('getPicture')
  expect(await xia.call('getAccountInfo', {})).toMatchObject({ title: '渠道运营经理', email: 'linxia@huaxin.example' })
  await own.getByRole('button', { name: '登录的地方' }).click()
  await own.getByText('本机').waitFor()
  await picture('personal-sessions')
  await own.getByRole('button', { name: '密码', exact: true }).click()
  await picture('personal-password')
  await own.getByRole('button', { name: '访客密码', exact: true }).click()
  await own.getByLabel('新访客密码').fill(visitorPassword)
  await own.getByLabel('确认新密码').fill(visitorPassword)
  await picture('personal-visitor')
  await expectAccessible(page)
  await own.getByRole('button', { name: '设置访客密码' }).click()
  await own.getByText('使用中').waitFor()
  await page.keyboard.press('Escape')
  await fromMenu('我的名片')
  await page.getByRole('dialog', { name: '名片' }).getByText('渠道运营经理').waitFor()
  await picture('card')
  await page.keyboard.press('Escape')

  // The same user in visitor mode: fewer menu entries, and the server refuses what is hidden.
  await fromMenu('退出登录')
  await page.getByRole('button', { name: '访客登录' }).click()
  await page.getByLabel('账号').fill(xia.account)
  await page.getByLabel('访客密码').fill('wrong')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByText('访客密码无效').waitFor()
  await picture('login-visitor')
  await page.getByLabel('访客密码').fill(visitorPassword)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  const files = new FilesPage(page)
  await files.grid.waitFor()
  await me.click()
  await page.getByRole('menuitem', { name: '我的名片' }).waitFor()
  expect(await page.getByRole('menuitem', { name: '个人设置' }).count()).toBe(0)
  expect(await page.getByRole('menuitem', { name: '修改密码' }).count()).toBe(0)
  await picture('visitor')
})
