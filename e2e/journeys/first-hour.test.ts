// The first hour of an installation: its administrator is led through it.
import { afterAll, expect, test } from 'vitest'
import { expectNoBarrier } from '../barriers.ts'
import { openBrowser } from '../browser.ts'
import { password, signIn, startServer } from './company.ts'

const pictures = process.env['PICTURES']
const url = await startServer([], afterAll)
const browser = await openBrowser()

test('[R286] [R288] an empty installation becomes a company with departments and a library, and says how it is', async () => {
  const page = await browser.open(url)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` })
  }
  await page.getByLabel('账号').fill('admin')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByRole('heading', { name: '首次设置' }).waitFor()
  const next = page.getByRole('button', { name: '保存并继续' })
  const at = (title: string) => page.getByRole('heading', { name: title }).waitFor()

  await page.getByRole('textbox', { name: '公司名称' }).fill('华信集团')
  await expectNoBarrier(page)
  await picture('setup-company')
  await next.click()
  await at('换成你自己的密码')
  // What was done stays done, wherever one goes meanwhile.
  await page.getByRole('button', { name: '以后再设置' }).click()
  await page.getByRole('link', { name: '管理' }).click()
  await page.getByRole('link', { name: '继续设置' }).click()
  await at('换成你自己的密码')
  await next.click()
  await at('文件存放在哪里？')
  await picture('setup-storage')
  await next.click()
  await at('文件分几个密级？')
  await next.click()
  await at('公司有哪些部门？')
  await page.getByRole('button', { name: '填入示例' }).click()
  await picture('setup-organisation')
  await next.click()
  await at('每个人和每个库能存多少？')
  await page.getByRole('textbox', { name: '第一个项目库' }).fill('B2 厂房')
  await picture('setup-libraries')
  await page.getByRole('button', { name: '完成', exact: true }).click()
  await page.getByRole('grid').first().waitFor()
  // What has ended does not come again.
  await page.goto(`${url}/doc/setup`)
  await page.waitForURL(/\/doc\/folder/)

  const admin = await signIn(url, 'admin', password)
  const { list } = await admin.call('getLibraries', {})
  expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['市场中心', '研发中心', 'B2 厂房']))

  await page.goto(`${url}/doc/admin/libraries/storage`)
  await page.getByText('按部门').waitFor()
  await picture('storage')
  await page.goto(`${url}/doc/admin/overview`)
  await page.getByText('还没有做过备份').waitFor()
  await expectNoBarrier(page)
  await picture('overview')
  await page.goto(`${url}/doc/admin/reports/absent`)
  await page.getByText('没有数据').waitFor()
})
