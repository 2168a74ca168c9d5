// Two real servers: their administrators link them, and somebody copies and moves folders from one to the other.
import { join } from 'node:path'
import { itemAddress } from '@cloudoc/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { type Company, openCompany, ownServer, type Person, password } from './company.ts'

const [here, there] = await Promise.all([ownServer().then(openCompany), ownServer().then(openCompany)])
const browser = await openBrowser()
const pictures = process.env['PICTURES']

const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `linked-${name}.png`) })
}

/** Links the other server on the page of the administration. Returns the two fingerprints that were compared. */
async function link(company: Company, other: Company, name: string): Promise<(string | null)[]> {
  const { page } = await new LoginPage(await browser.open(company.url)).signIn('admin', password)
  await page.goto(`${company.url}/doc/admin/servers`)
  await page.getByRole('button', { name: '互联新服务器' }).click()
  const form = page.getByRole('dialog', { name: '互联服务器' })
  await form.getByRole('textbox', { name: '地址' }).fill(other.url)
  await form.getByRole('button', { name: '读取' }).click()
  await form.getByText('对方的密钥指纹').waitFor()
  await form.getByRole('textbox', { name: '名称' }).fill(name)
  const confirm = form.getByRole('button', { name: '互联', exact: true })
  // Nothing is linked before the fingerprints were compared.
  expect(await confirm.isDisabled()).toBe(true)
  const keys = await form.locator('.ls-key').allTextContents()
  await form.getByRole('textbox', { name: '与谁核对' }).fill('王芳，电话')
  await form.getByRole('checkbox', { name: /指纹已核对一致/ }).check()
  const names = form.getByRole('checkbox', { name: /账号名相同/ })
  await names.check()
  await picture(page, `add-${name}`)
  await confirm.click()
  await page.getByRole('complementary', { name }).waitFor()
  await page.getByRole('button', { name: '立即检测' }).click()
  await picture(page, `admin-${name}`)
  await expectAccessible(page)
  return keys
}

/** The names and hashes below a folder. */
async function below(person: Person, folderId: number): Promise<unknown[]> {
  const { list } = await person.call('getSubItemList3', { folderId, rows: 1000, fields: 'sha256' })
  return Promise.all(
    list.map(async ({ fType, fId, fName, sha256 }) => [fName, fType === 1 ? sha256 : await below(person, fId)]),
  )
}

// [R343] Administrators link two servers with their keys after they have compared the fingerprints, on a page that tells
// the state of each link with its cause.
test('[R123] [R343] administrators link two servers, and a folder is copied and another moved between them', async () => {
  const keysHere = await link(here, there, '深圳分部')
  const keysThere = await link(there, here, '总部')
  expect(keysThere).toEqual(keysHere.toReversed())
  const lin = await here.person('ls-lin', '林远')
  const linThere = await there.person('ls-lin', '林远')
  await here.admin.call('checkLinkedServer', { serverId: 1 })
  const top = (await linThere.call('folderCreate', { parentId: linThere.library, folderName: '竣工资料' })).folderId
  const inner = (await linThere.call('folderCreate', { parentId: top, folderName: '图纸' })).folderId
  await linThere.upload(top, '目录.txt', Buffer.from('目录'))
  await linThere.upload(inner, '总图.txt', Buffer.from('总图'))

  const view = await new LoginPage(await browser.open(here.url)).signIn(lin.account, password)
  const { page } = view
  const paste = async (mode: 'copy' | 'cut'): Promise<void> => {
    // What a page of the same browser has put on the clipboard.
    const item = { format: 1, serverId: 1, fId: top, fType: 2, fName: '竣工资料', parentFolderId: linThere.library }
    await page.evaluate(
      (text) => localStorage.setItem('drive.clipboard', text),
      [JSON.stringify({ userId: lin.userId, mode, entries: [{ ...item, linkId: 0 }] })][0] ?? '',
    )
    await page.goto(`${here.url}${itemAddress({ fType: 2, fId: lin.library })}`)
    await page.getByRole('grid').first().waitFor()
    await page.getByRole('grid').first().focus()
    await page.keyboard.press('Control+v')
  }
  await paste('copy')
  const ask = page.getByRole('dialog', { name: '复制到另一台服务器' })
  await ask.getByText('“深圳分部”').first().waitFor()
  await picture(page, 'ask')
  await ask.getByRole('button', { name: '复制', exact: true }).click()
  await page.getByText(/已复制 竣工资料 到/).waitFor()
  await view.row('竣工资料').waitFor()
  const copied = (await lin.call('getSubItemList3', { folderId: lin.library })).list.find(
    ({ fName }) => fName === '竣工资料',
  )
  expect(await below(lin, copied?.fId ?? 0)).toEqual(await below(linThere, top))

  await page.getByRole('button', { name: '查看' }).click()
  const list = page.getByRole('dialog', { name: '跨服务器的复制和移动' })
  await list.getByText('全部 2 个文件已核对一致').waitFor()
  await picture(page, 'list')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await paste('cut')
  const askMove = page.getByRole('dialog', { name: '移动到另一台服务器' })
  // The name is taken by the copy: the server of the target says so before anything is sent.
  await askMove.getByText('竣工资料 → 竣工资料 (2)').waitFor()
  await picture(page, 'ask-move')
  await askMove.getByRole('button', { name: '移动', exact: true }).click()
  await page.getByText(/已移动 竣工资料 到/).waitFor()
  await view.row('竣工资料 (2)').waitFor()
  expect((await linThere.call('getSubItemList3', { folderId: linThere.library })).list).toEqual([])
})
