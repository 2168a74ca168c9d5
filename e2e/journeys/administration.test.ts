// An administrator sets up people, departments and the server; signed-in users see the effects.
import { readFile } from 'node:fs/promises'
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser, patienceMs } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()
const wait = { timeout: patienceMs }

test('[R347] [R024] departments and people are made, moved with a way back, and a person begins with a code of their own', async () => {
  const { admin, url } = company
  const { groupId: sales } = await admin.call('createGroup', { groupName: '销售中心', parentId: 0 })
  const { groupId: east } = await admin.call('createGroup', { groupName: '华东大区', parentId: 0 })
  const anna = await company.person('anna', '安娜')
  await admin.call('modifyAccount', { userId: anna.userId, groupId: east })

  const { page } = await new LoginPage(await browser.open(url)).signIn('admin', password)
  await page.getByRole('link', { name: '管理' }).click()
  await page.getByRole('link', { name: '组织与成员' }).click()
  const tree = page.getByRole('tree', { name: '部门' })
  const grid = page.getByRole('grid', { name: '组织与成员' })
  await grid.getByText('安娜').waitFor()
  await expectAccessible(page)

  // Moves a department by dragging; a dialog shows the affected people first, and the move can be undone.
  await tree.getByRole('treeitem', { name: /华东大区/ }).dragTo(tree.getByRole('treeitem', { name: /销售中心/ }))
  await page.getByText('影响 1 人').waitFor()
  await page.getByRole('button', { name: '移动', exact: true }).click()
  await page.getByText('已把“华东大区”移到“销售中心”').waitFor()
  expect((await admin.call('getDepartment', { groupId: east })).parentId).toBe(sales)
  await page.getByRole('button', { name: '撤销' }).click()
  await expect.poll(async () => (await admin.call('getDepartment', { groupId: east })).parentId).not.toBe(sales)

  // Creates a person without a password; the person sets it with the code.
  await tree.getByRole('treeitem', { name: /销售中心/ }).click()
  await page.getByText('这个部门还没有成员').waitFor()
  await page.getByRole('button', { name: '新增成员' }).click()
  await page.getByRole('textbox', { name: '姓名' }).fill('林夏')
  await page.getByRole('textbox', { name: '账号' }).fill('linxia')
  await page.getByRole('button', { name: '创建' }).click()
  const code = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  await page.getByRole('button', { name: '完成' }).click()
  await grid.getByText('未激活').waitFor()
  await page.getByRole('button', { name: '关闭' }).click()

  const hers = await browser.open(`${url}/doc/set-password?code=${code}`)
  await hers.getByText('林夏（linxia），请设置你的密码。').waitFor()
  await expectAccessible(hers)
  await hers.getByLabel('新密码', { exact: true }).fill(password)
  await hers.getByLabel('确认新密码').fill(password)
  await hers.getByRole('button', { name: '设置密码' }).click()
  await hers.waitForURL(/\/doc\/login/)
  const { page: files } = await new LoginPage(hers).signIn('linxia', password)

  // After freezing, her next request is refused. A wiped device deletes its local data.
  await page.getByRole('button', { name: '刷新' }).click()
  await grid.getByText('林夏').click()
  await page.getByRole('tab', { name: /登录/ }).click()
  await page.getByRole('button', { name: '擦除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '擦除' }).click()
  await page.getByText('等待擦除').waitFor()
  await files.evaluate(() => localStorage.setItem('kept', 'here'))
  await files.reload()
  await files.getByText('管理员擦除了这台设备').waitFor()
  expect(await files.evaluate(() => [localStorage.length, document.cookie.includes('cloudoc_account=1')])).toEqual([
    0,
    false,
  ])
  await files.getByRole('button', { name: '确定' }).click()
  await files.getByLabel('账号').waitFor()
})

test('[R348] a department is put into a role, which lets its people in where they are signed in, and is taken out again', async () => {
  const { admin, url } = company
  const { groupId } = await admin.call('createGroup', { groupName: '法务部', parentId: 0 })
  const { roleId } = await admin.call('createRole', { roleName: '外聘法务' })
  const ben = await company.person('ben', '本')
  await admin.call('modifyAccount', { userId: ben.userId, groupId })
  const folderId = await admin.folder(company.library, '案卷')
  const entries = [{ subjectType: 'role' as const, subjectId: roleId, rights: rightsGroup.download }]
  await admin.call('setShareList', { folderId, inherit: false, entries })
  await expect(ben.call('getFolderInfo', { folderId })).rejects.toThrow()

  const { page } = await new LoginPage(await browser.open(url)).signIn('admin', password)
  await page.goto(`${url}/doc/admin/roles`)
  await page.getByRole('button', { name: /外聘法务/ }).click()
  await page.getByRole('button', { name: '添加部门…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('treeitem', { name: /法务部/ }).click()
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  await page.getByText('“外聘法务”现有 1 人，已立即生效').waitFor()
  expect((await ben.call('getFolderInfo', { folderId })).fName).toBe('案卷')
  await page.getByRole('button', { name: '撤销' }).click()
  await expectAccessible(page)
  await expect.poll(async () => (await admin.call('getRole', { roleId })).groups).toEqual([])
  await expect(ben.call('getFolderInfo', { folderId })).rejects.toThrow()
})

// [R165] The administrator removes a format from a list and adds it again in the settings form; such a file then shows
// a message, can be downloaded, and is previewed again afterwards.
test('[R165] a kind is taken out of what is shown, which who opens such a file reads beside its download, and is put back', async () => {
  const { url } = company
  const csv = Buffer.from('名称,单价\n螺栓,3\n')
  const dora = await company.person('dora', '多拉')
  await dora.upload(dora.library, '报价.csv', csv)
  const hers = await new LoginPage(await browser.open(url)).signIn(dora.account, password)
  await hers.goTo('多拉')
  const previewer = hers.page.getByRole('dialog')
  const shown = previewer.getByText('螺栓', { exact: true })
  await hers.open('报价.csv')
  await shown.waitFor(wait)

  const { page } = await new LoginPage(await browser.open(url)).signIn('admin', password)
  await page.goto(`${url}/doc/admin/settings`)
  const kinds = page.getByRole('textbox', { name: '由本服务器显示', exact: true })
  const save = page.getByRole('button', { name: '保存 1 处修改' })
  const lines = (await kinds.inputValue()).split('\n')
  await kinds.fill(lines.filter((line) => line !== 'csv').join('\n'))
  await expectAccessible(page)
  await save.click()
  await save.waitFor({ state: 'detached' })
  await page.getByRole('complementary', { name: '最近修改' }).getByText('“由本服务器显示”').waitFor()

  await hers.page.reload()
  await hers.open('报价.csv')
  await previewer.getByRole('heading', { name: '这类文件没有开放在线预览' }).waitFor()
  await previewer.getByText('管理员没有为 csv 文件开放在线预览').waitFor()
  await expectAccessible(hers.page)
  const begun = hers.page.waitForEvent('download')
  await previewer.getByRole('main').getByRole('button', { name: '下载', exact: true }).click()
  expect(await readFile(await (await begun).path())).toEqual(csv)

  await page.getByRole('button', { name: '恢复默认' }).click()
  expect((await kinds.inputValue()).split('\n')).toEqual(lines)
  await save.click()
  await save.waitFor({ state: 'detached' })
  await hers.page.reload()
  await hers.open('报价.csv')
  await shown.waitFor(wait)
})
