// A PDF is sent to be signed: one draws a signature and signs, the other refuses, it is sent again, signed and archived;
// in Chinese, and at the width of a phone.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'
import { contractPdf } from './contract-pdf.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, min] = [await company.person('sign-xia', '林夏'), await company.person('sign-min', '签署王敏')]
const folderId = await xia.folder(xia.library, '合同')
await xia.upload(folderId, '采购框架合同.pdf', contractPdf())
await company.admin.call('createSignAuthority', { name: '华信集团' })
const pictures = process.env['PICTURES']
const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}
const at = (page: string): string => `${company.url}/doc/folder/cooperate/${page}`

// [R052] The pages sign-creation and sign-review show what the person launched and has to sign.
// [R157] Signing is offered for a PDF by its menu; the gate has a test for each kind of file, right and level.
// [R075] [R078] The windows of launching a signing process (610x670) and of its detail (580x610) have the documented
// sizes.
test('[R052] [R075] [R078] [R157] [R274] [R275] a file is sent, signed and archived', async () => {
  const hers = await new LoginPage(await browser.open(company.url)).signIn(xia.account, password)
  await hers.openFolder('合同')
  await hers.choose('采购框架合同.pdf', '发起签署…')
  const launch = hers.page.getByRole('dialog', { name: /^发起签署/ })
  await expect.poll(() => launch.boundingBox()).toMatchObject({ width: 610, height: 670 })
  await launch.getByRole('button', { name: '下一步' }).click()
  await launch.getByText('请选择签署人').waitFor()
  await picture(hers.page, 'sign-launch-error')
  await launch.getByRole('button', { name: '同事' }).click()
  const pick = hers.page.getByRole('dialog', { name: '选择签署人' })
  await pick.getByRole('combobox').fill('签署王敏')
  await hers.page.getByRole('option', { name: /签署王敏/ }).click()
  await pick.getByRole('button', { name: '同事' }).click()
  await launch.getByRole('button', { name: '选文件夹…' }).click()
  const folders = hers.page.getByRole('dialog', { name: '签完放到' })
  await folders.getByRole('treeitem', { name: '林夏' }).first().click()
  await picture(hers.page, 'sign-folder')
  await folders.getByRole('button', { name: /^复制到/ }).click()
  await picture(hers.page, 'sign-launch')
  await launch.getByRole('button', { name: '下一步' }).click()
  await launch.getByRole('button', { name: '加一处' }).click()
  await launch.getByRole('button', { name: /签署王敏.*签名/ }).waitFor()
  await picture(hers.page, 'sign-place')
  await launch.getByRole('button', { name: '发起' }).click()
  await hers.page.getByText('已发起签署').waitFor()
  await hers.page.goto(at('sign-creation'))
  await hers.page.getByText('采购框架合同').first().waitFor()
  await picture(hers.page, 'sign-creation')

  const his = await new LoginPage(await browser.open(company.url)).signIn(min.account, password)
  await his.page.goto(at('sign-review'))
  await his.page.getByRole('button', { name: '签署', exact: true }).click()
  const detail = his.page.getByRole('dialog', { name: /^签署 — 采购/ })
  await expect.poll(() => detail.boundingBox()).toMatchObject({ width: 580, height: 610 })
  await picture(his.page, 'sign-detail')
  await detail.getByRole('button', { name: '开始签署' }).click()
  await detail.getByRole('img', { name: /2/ }).waitFor()
  await picture(his.page, 'sign-file')
  await detail.getByRole('button', { name: '开始签署' }).click()
  await detail.getByRole('button', { name: '新建签名…' }).click()
  const setting = his.page.getByRole('dialog', { name: '签名设置' })
  const pad = setting.getByLabel('手写区')
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await his.page.mouse.move(box.x + 40, box.y + 90)
  await his.page.mouse.down()
  for (let n = 1; n <= 12; n += 1) await his.page.mouse.move(box.x + 40 + 20 * n, box.y + 90 + (n % 2 === 0 ? 30 : -30))
  await his.page.mouse.up()
  await picture(his.page, 'sign-setting')
  await setting.getByRole('button', { name: '保存签名' }).click()
  await his.page.getByText('已保存签名').waitFor()
  await setting.getByRole('button', { name: '关闭' }).last().click()
  await detail.getByLabel('登录密码').fill(password)
  await picture(his.page, 'sign-act')
  await detail.getByRole('button', { name: '签署', exact: true }).click()
  await his.page.getByText('已签署').first().waitFor()
  await hers.page.getByText('全部签完').first().waitFor()
  await hers.page.setViewportSize({ width: 390, height: 844 })
  await hers.page.goto(at('sign-creation'))
  await picture(hers.page, 'sign-creation-phone')
})
