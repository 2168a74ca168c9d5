// Three administrators: the first one gives up the powers, then each does the work of its own power. In Chinese, the
// auditor in English.
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

const url = await ownServer()
const browser = await openBrowser()
const company = await openCompany(url)

test('the first administrator gives up the powers; then one proposes, another agrees, and each has pages of its own', async () => {
  const [sys, sec, aud, next] = [
    await company.person('xitong', '系统员'),
    await company.person('anquan', '安全员'),
    await company.person('shenji', '审计员'),
    await company.person('houren', '后任者'),
  ]

  const first = await browser.open(url)
  await new LoginPage(first).signIn('admin', password)
  await first.goto(`${url}/doc/admin/roles/administrators`)
  const steps = first.getByRole('region', { name: '把三项管理权交给三个人' })
  await steps.getByText('还没有指定，请在下面指定').first().waitFor()
  expect(await steps.getByRole('button', { name: '交出三项管理权…' }).isDisabled()).toBe(true)
  await expectAccessible(first)
  for (const [power, person] of [
    ['系统管理员', '系统员'],
    ['安全管理员', '安全员'],
    ['审计管理员', '审计员'],
  ] as const) {
    const card = first.getByRole('region', { name: power, exact: true })
    await card.getByRole('button', { name: '指定…' }).click()
    const dialog = first.getByRole('dialog', { name: power })
    await dialog.getByRole('combobox').fill(person)
    await dialog.getByRole('option', { name: person }).first().click()
    await dialog.getByRole('button', { name: '保存' }).click()
    await card.getByText(person).waitFor()
  }
  await steps.getByRole('button', { name: '交出三项管理权…' }).click()
  await first.getByRole('dialog').getByRole('button', { name: '交出三项管理权…' }).click()
  await first.waitForURL(/folder\/files/)
  await expect.poll(() => first.getByRole('link', { name: '管理', exact: true }).count()).toBe(0)

  // The system administrator announces something and proposes another auditor.
  const system = await browser.open(url)
  await new LoginPage(system).signIn(sys.account, password)
  await system.goto(`${url}/doc/admin/announcements`)
  await system.getByRole('button', { name: '新建公告…' }).click()
  const window = system.getByRole('dialog', { name: '公告' })
  await window.getByLabel('标题').fill('今晚升级')
  await window.getByRole('checkbox', { name: '请读者点“我知道了”' }).check()
  await window.getByRole('button', { name: '发布', exact: true }).click()
  await system.getByRole('region', { name: '公告', exact: true }).getByText('今晚升级').first().waitFor()
  expect(await system.getByRole('link', { name: '审计日志' }).count()).toBe(0)
  await system.goto(`${url}/doc/admin/roles/administrators`)
  await system
    .getByRole('region', { name: '审计管理员', exact: true })
    .getByRole('button', { name: '提议更换…' })
    .click()
  const pick = system.getByRole('dialog', { name: '审计管理员' })
  await pick.getByRole('combobox').fill('后任者')
  await pick.getByRole('option', { name: '后任者' }).first().click()
  await pick.getByRole('button', { name: '保存' }).click()
  await system.getByRole('button', { name: '收回提议' }).waitFor()

  // The security administrator agrees, and sees who approves what.
  const security = await browser.open(url)
  await new LoginPage(security).signIn(sec.account, password)
  await security.getByRole('button', { name: '我知道了' }).click()
  await security.goto(`${url}/doc/admin/roles/administrators`)
  await security.getByRole('button', { name: '同意', exact: true }).click()
  await security.getByRole('region', { name: '审计管理员', exact: true }).getByText('后任者').waitFor()
  await security.goto(`${url}/doc/admin/approvers`)
  await security.getByRole('table', { name: '谁来审批' }).getByText('申请权限').waitFor()
  await expectAccessible(security)

  // The auditor, in English, sees what the others did.
  const auditor = await browser.open(url, { locale: 'en-US' })
  await auditor.evaluate(() => localStorage.setItem('locale', 'en'))
  await auditor.reload()
  await auditor.getByLabel('Account').fill(next.account)
  await auditor.getByLabel('Password', { exact: true }).fill(password)
  await auditor.getByRole('button', { name: 'Sign in', exact: true }).click()
  await auditor.getByRole('button', { name: 'Got it' }).waitFor()
  await auditor.goto(`${url}/doc/admin/audit`)
  for (const title of ['Gave up the three powers', 'Decided about a proposed administrator', 'Wrote an announcement'])
    await auditor.getByText(title).first().waitFor()
  await expectAccessible(auditor)
  expect(aud.userId).not.toBe(next.userId)
})
