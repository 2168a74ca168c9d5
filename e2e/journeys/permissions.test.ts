// Two people: one shares, the other finds it and reads why; the first sees what a change would do, makes it, and it is gone.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectNoBarrier } from '../barriers.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, chen] = [await company.person('rights-xia', '权林夏'), await company.person('rights-chen', '权陈晓')]
const folderId = await xia.folder(xia.library, '渠道方案')
await xia.upload(folderId, '报价.txt', Buffer.from('1'))
const pictures = process.env['PICTURES']

test('[R051] [R075] [R208] [R213] [R214] a folder is shared, found and explained; a change is seen before it is made, and binds at once', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(xia.account, password)
  const picture = async (name: string, of = page): Promise<void> => {
    if (pictures !== undefined) await of.screenshot({ path: join(pictures, `${name}.png`) })
  }
  await files.choose('渠道方案', '共享…')
  const share = page.getByRole('dialog', { name: /共享/ })
  const field = share.getByRole('combobox', { name: '共享给' })
  await field.fill('quanchen')
  await page.getByRole('option', { name: /权陈晓/ }).waitFor()
  await picture('share')
  await field.press('Enter')
  await share.getByRole('textbox', { name: /留言/ }).fill('请看报价')
  await expectNoBarrier(page)
  await share.getByRole('button', { name: '共享', exact: true }).click()
  await page.getByText('已共享给 权陈晓').waitFor()

  // The other one finds it, though nothing above it can be seen, and reads why.
  const other = await browser.open(company.url)
  const theirs = await new LoginPage(other).signIn(chen.account, password)
  await other.getByRole('link', { name: '与我共享' }).click()
  await theirs.row('渠道方案').waitFor()
  await picture('shared-with-me', other)
  await theirs.choose('渠道方案', '为什么是这些权限？')
  await other.getByRole('dialog').getByText('合并为 下载').waitFor()
  await picture('why', other)
  await expectNoBarrier(other)
  await other.keyboard.press('Escape')

  await files.choose('渠道方案', '权限管理…')
  const window = page.getByRole('dialog', { name: /权限管理/ })
  await window.getByRole('button', { name: '权陈晓', exact: true }).click()
  await picture('permission')
  await expectNoBarrier(page)
  await window.getByRole('button', { name: '移除 权陈晓' }).click()
  await window.getByRole('button', { name: '保存' }).click()
  await window.getByText('1 人将看不到它').waitFor()
  await picture('effect')
  expect(await chen.call('getSharedToMeList', {})).toMatchObject({ total: 1 })
  await window.getByRole('button', { name: '保存' }).click()
  await window.waitFor({ state: 'detached' })
  await theirs.row('渠道方案').waitFor({ state: 'detached' })
  expect(await chen.call('getSharedToMeList', {})).toMatchObject({ total: 0 })
  if (pictures === undefined) return
  await files.choose('渠道方案', '权限管理…')
  await window.getByRole('tab', { name: '修改历史' }).click()
  await window.getByText('共享', { exact: true }).waitFor()
  await picture('history')
  await window.getByRole('tab', { name: '谁能访问' }).click()
  await window.getByText('文档库管理员').waitFor()
  await page.evaluate(() => {
    localStorage.setItem('skin', 'black')
    localStorage.setItem('locale', 'en')
  })
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto(`${company.url}/doc/folder/files`)
  await files.choose('渠道方案', 'Manage permissions…')
  await page.getByRole('dialog').getByRole('tab', { name: 'Before saving' }).waitFor()
  await picture('permission-black')
})
