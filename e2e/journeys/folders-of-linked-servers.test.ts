// Two servers in one page: their folders in one tree, files opened, and lists that name the one that does not answer.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { type Company, openCompany, ownServer, password, startRestartable } from './company.ts'

const other = await startRestartable()
const here = await openCompany(await ownServer())
const there = await openCompany(other.url)
const browser = await openBrowser()
const pictures = process.env['PICTURES']
const branch = '深圳分部'

const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `linked-${name}.png`) })
}

/** The administrators of two servers name each other and compare their keys. */
async function link(from: Company, to: Company, serverName: string): Promise<void> {
  const { publicKey } = await from.admin.call('probeServer', { apiHost: to.url })
  const names = { serverName, apiHost: to.url, publicKey, sameNames: true }
  await from.admin.call('setLinkedServer', names)
}

// [R343] One main and optional linked servers: the servers that the page is signed in to are kept in session storage;
// items of several servers are listed, opened, fetched and moved in one session, and their changes are pushed.
// [R344] Search asks every server at which the person is signed in; the failed one is dropped and named.
// [R345] A linked server that does not respond is shown with its state in words, and the rest goes on.
test('[R343] [R344] [R345] folders and files of a linked server are used beside the own ones', async () => {
  await link(here, there, branch)
  await link(there, here, '总部')
  await here.admin.call('checkLinkedServer', { serverId: 1 })
  const lin = await here.person('ls-lin', '林夏')
  const linThere = await there.person('ls-lin', '林夏')
  await lin.upload(lin.library, '展位预算.txt', Buffer.from('budget of the booth'))
  const folder = await linThere.folder(linThere.library, '高交会')
  await linThere.upload(folder, '展位方案.txt', Buffer.from('plan of the booth in Shenzhen'))

  const { page, ...files } = await new LoginPage(await browser.open(here.url)).signIn(lin.account, password)
  void files
  const tree = page.getByRole('tree', { name: `互联 · ${branch}` })
  await tree.getByRole('treeitem').first().click()
  await page.getByTitle('高交会', { exact: true }).first().waitFor()
  await picture(page, 'library')
  expect(await page.evaluate(() => sessionStorage.getItem('signedInServers'))).toContain('/linked/1')
  await page.getByRole('row').getByTitle('高交会', { exact: true }).dblclick()
  const file = page.getByRole('row').getByTitle('展位方案.txt', { exact: true })
  await file.waitFor()
  expect(decodeURIComponent(page.url())).toContain('itemIdStr=s1f-')
  await expectAccessible(page)

  // What the gateway does not relay is not offered.
  await file.click({ button: 'right' })
  await page.getByRole('menuitem', { name: '下载', exact: true }).waitFor()
  expect(await page.getByRole('menuitem', { name: /共享|编辑/ }).count()).toBe(0)
  await picture(page, 'menu')
  const downloaded = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: '下载', exact: true }).click()
  expect((await downloaded).suggestedFilename()).toBe('展位方案.txt')

  await file.dblclick()
  await page.getByText('plan of the booth in Shenzhen').waitFor()
  await picture(page, 'preview')
  await page.keyboard.press('Escape')

  // What changes there is pushed to the page here.
  await linThere.upload(folder, '展位图.txt', Buffer.from('drawing of the booth'))
  const drawing = page.getByRole('row').getByTitle('展位图.txt', { exact: true })
  await drawing.waitFor()

  // It is moved to a folder of this server, by the folder picker.
  await drawing.click({ button: 'right' })
  await page.getByRole('menuitem', { name: '移动到…' }).click()
  const picker = page.getByRole('dialog', { name: '移动到' })
  await picker.getByRole('tree', { name: '我的文档' }).getByRole('treeitem').first().click()
  await picture(page, 'move')
  await picker.getByRole('button', { name: '移动到 林夏' }).click()
  await page.getByRole('button', { name: '移动', exact: true }).click()
  await drawing.waitFor({ state: 'detached' })
  expect(await lin.names(lin.library)).toContain('展位图.txt')

  // The search of everything finds both.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '搜索文件和文件夹' }).fill('展位')
  await page
    .getByRole('group', { name: `互联 · ${branch}` })
    .getByText('展位方案.txt')
    .waitFor()
  await picture(page, 'palette')
  await page.keyboard.press('Escape')

  await page.goto(`${here.url}/doc/folder/search?keyword=${encodeURIComponent('展位')}`)
  await page.getByTitle('展位方案.txt').first().waitFor()
  await page.getByTitle('展位预算.txt').first().waitFor()
  await picture(page, 'search')

  await other.kill()
  await page.reload()
  await page.getByText(`${branch} 没有响应，这里不包含它的内容。`).waitFor()
  await page.getByTitle('展位预算.txt').first().waitFor()
  await picture(page, 'search-without')
  await page.goto(`${here.url}/doc/folder/files?itemIdStr=s1f-${folder}`)
  await page.getByRole('heading', { name: `${branch} 暂时用不了` }).waitFor()
  await picture(page, 'down')
})
