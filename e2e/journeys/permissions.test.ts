// Two people: one shares, the other finds the item and reads why. The first previews the effect of a change and makes
// it, and the item disappears for the other.
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser, patienceMs } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, chen] = [await company.person('rights-xia', '权林夏'), await company.person('rights-chen', '权陈晓')]
const folderId = await xia.folder(xia.library, '渠道方案')
await xia.upload(folderId, '报价.txt', Buffer.from('1'))
const pictures = process.env['PICTURES']

// [R075] The window of permissions is 1030x622.
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
  await expectAccessible(page)
  await share.getByRole('button', { name: '共享', exact: true }).click()
  await page.getByText('已共享给 权陈晓').waitFor()

  // The other user finds the item, although no ancestor is visible, and reads why.
  const other = await browser.open(company.url)
  const theirs = await new LoginPage(other).signIn(chen.account, password)
  await other.getByRole('link', { name: '与我共享' }).click()
  await theirs.row('渠道方案').waitFor()
  await picture('shared-with-me', other)
  await theirs.choose('渠道方案', '为什么是这些权限？')
  await other.getByRole('dialog').getByText('合并为 下载').waitFor()
  await picture('why', other)
  await expectAccessible(other)
  await other.keyboard.press('Escape')

  await files.choose('渠道方案', '权限管理…')
  const window = page.getByRole('dialog', { name: /权限管理/ })
  await window.getByRole('button', { name: /^权陈晓/ }).click()
  await picture('permission')
  await expectAccessible(page)
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

// [R208] Six refusals are explained in the browser, and removing access for forty people is announced before.
test('[R208] six refusals say why, each by what stands in the way; who takes the access of forty people is told before', async () => {
  const { preview, download, edit, full } = rightsGroup
  const place = await company.sharedFolder('六种拒绝', edit, [chen])
  const put = async (name: string, rights: number, forMs?: number): Promise<number> => {
    const fileId = await company.admin.upload(place, name, Buffer.from('1'))
    const expireTime = forMs === undefined ? null : Date.now() + forMs
    const entries = [
      { subjectType: 'user' as const, subjectId: chen.userId, rights, expireTime },
      { subjectType: 'user' as const, subjectId: xia.userId, rights: full },
    ]
    await company.admin.call('setShareList', { fileId, inherit: true, entries })
    return fileId
  }
  await company.admin.call('modifyAccount', { userId: xia.userId, secretLevel: 2 })
  const ended = await put('到期了.txt', full, 3000)
  await put('只能看.txt', preview)
  await xia.call('setSecretLevel', { fileIdArray: [await put('有密级.txt', edit)], secretLevel: 2 })
  await company.admin.call('setDocRestricted', { fileIdArray: [await put('受限的.txt', download)], restricted: true })
  await xia.call('fileEditLock', { fileId: await put('在编辑.txt', edit) })
  const readOnly = await company.admin.folder(place, '只读的')
  await company.admin.call('setFolderReadOnly', { folderIdArray: [readOnly], readOnly: true })
  const stepsOf = async () => (await chen.call('getRightsReasons', { fileId: ended })).steps.map(({ step }) => step)
  await expect.poll(stepsOf, { timeout: patienceMs }).toContain('expired')

  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(chen.account, password)
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${place}`)
  const dialog = page.getByRole('dialog')
  const why = async (name: string, entry: string, ...words: RegExp[]): Promise<void> => {
    await files.row(name).getByTitle(name, { exact: true }).click({ button: 'right' })
    // A disabled entry names the reason; clicking it shows more.
    await (await files.entry(new RegExp(`^${entry}`))).click({ force: true })
    for (const each of words) await dialog.getByText(each).first().waitFor()
    await dialog.getByRole('button', { name: '知道了' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await why('只能看.txt', '为什么是这些权限？', /合并为 预览/, /可以联系/)
  await why('到期了.txt', '为什么是这些权限？', /已到期，不再计入/)
  await why('受限的.txt', '为什么是这些权限？', /另受限制/, /受限文档/)
  await why('有密级.txt', '下载', /不能下载：.*密级/, /另受限制/)
  await why('在编辑.txt', '重命名', /不能重命名：.*锁定/)
  await why('只读的', '重命名', /不能重命名：.*只读/)

  // Removing a whole department: the dialog shows how many people are affected, names them, and requires confirmation.
  const groupName = `四十人部${company.account('')}`
  const { groupId } = await company.admin.call('createGroup', { groupName, parentId: 0 })
  const rows = Array.from({ length: 40 }, (_, n) => [
    `职员${n}`,
    company.account(`forty${n}`),
    groupName,
    ...Array.from({ length: 6 }, () => ''),
  ])
  await company.admin.call('importPeople', { rows })
  const shared = await company.admin.folder(place, '全员的')
  const entries = [
    { subjectType: 'group' as const, subjectId: groupId, rights: download },
    { subjectType: 'user' as const, subjectId: xia.userId, rights: full },
  ]
  await company.admin.call('setShareList', { folderId: shared, inherit: false, entries })
  const hers = await browser.open(company.url)
  const her = await new LoginPage(hers).signIn(xia.account, password)
  await hers.goto(`${company.url}/doc/folder/share/permission-shared`)
  await her.choose('全员的', '权限管理…')
  const list = hers.getByRole('dialog', { name: /权限管理/ })
  await list.getByRole('button', { name: `移除 ${groupName}` }).click()
  await list.getByRole('button', { name: '保存' }).click()
  await list.getByText('40 人将看不到它').waitFor()
  await list.getByRole('row', { name: /职员39/ }).waitFor()
  expect(await list.getByRole('button', { name: '保存' }).isDisabled()).toBe(true)
  await list.getByRole('checkbox', { name: '我知道 40 人会失去访问' }).check()
  await list.getByRole('button', { name: '保存' }).click()
  await list.waitFor({ state: 'detached' })
  expect((await company.admin.call('getShareList', { folderId: shared })).entries).toHaveLength(1)
})
