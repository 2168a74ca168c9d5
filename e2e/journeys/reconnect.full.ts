// The server stops and restarts while a page is open without user input.
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password, signIn, startRestartable } from './company.ts'

const server = await startRestartable()
const company = await openCompany(server.url)
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')
const chen = await company.person('chenxiao', '陈晓')
const folderId = await company.sharedFolder('项目', rightsGroup.edit, [lin, chen])

// [R308] A page whose server was unreachable finds it again and receives the missed events (test:full).
test('[X25] [R308] a server that was killed and started again is found without a click, and what was missed is caught up', async () => {
  const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
  const { page } = files
  await files.goTo('公司文档')
  await files.openFolder('项目')
  const status = page.getByRole('contentinfo', { name: '状态栏' }).getByRole('status')
  await status.getByText('已连接').waitFor()

  await server.kill()
  await status.getByText('未连接，稍后自动重连').waitFor()
  // The first reconnect fails: the page shows it above the list, which stays.
  await page.getByRole('alert').getByText('网络已断开').waitFor({ timeout: 40_000 })
  await page.getByText('正在重新连接（第 2 次）').waitFor()
  await files.folder('项目').waitFor()

  await server.start()
  // A second user works before and after the page has reconnected.
  const again = await signIn(company.url, 'chenxiao', password)
  await again.folder(folderId, '断线时建的')
  await status.getByText('已重新连接，内容已是最新').waitFor({ timeout: 60_000 })
  await page.getByRole('main').getByText('已重新连接，内容已是最新').waitFor()
  await files.row('断线时建的').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await again.folder(folderId, '恢复后建的')
  await files.row('恢复后建的').waitFor()
  await status.getByText('已连接').waitFor()
  await page.getByRole('main').getByText('已重新连接，内容已是最新').waitFor({ state: 'detached' })
  // The browser's own messages about failed requests are not errors of the page.
  const problems = browser.problems.splice(0)
  const ofTheNetwork = /ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|WebSocket/
  expect(problems.filter((text) => !ofTheNetwork.test(text))).toEqual([])
})
