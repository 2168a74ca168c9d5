// A user leaves the company, and a user has forgotten a password, in the browser.
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()
const pictures = process.env['PICTURES']

// [R347] What belongs to a leaver is listed in the browser and handed over as listed.
test('[R347] somebody leaves: what the window shows is what happens, and who follows has it', async () => {
  const { admin, url } = company
  const { groupId } = await admin.call('createGroup', { groupName: '华南大区', parentId: 0 })
  const [gone, next] = [await company.person('fengyue', '冯越'), await company.person('luyuan', '陆远')]
  for (const { userId } of [gone, next]) await admin.call('modifyAccount', { userId, groupId })
  await admin.call('setGroupManagers', { groupId, userIds: [next.userId] })
  await gone.folder(gone.library, '01 经销商档案')
  const folderId = await gone.folder(gone.library, '02 华南区月报')
  await gone.upload(folderId, '九月.txt', Buffer.from('九月'))
  await company.share(await admin.folder(company.library, '报价'), rightsGroup.edit, [gone])

  const { page } = await new LoginPage(await browser.open(url)).signIn('admin', password)
  await page.goto(`${url}/doc/admin/people`)
  await page.getByRole('grid', { name: '组织与成员' }).getByText('冯越').click()
  await page.getByRole('button', { name: '离职移交…' }).click()
  const dialog = page.getByRole('dialog', { name: '离职移交 — 冯越' })
  await dialog
    .getByRole('row', { name: /个人文档/ })
    .getByText('3', { exact: true })
    .waitFor()
  await dialog.getByRole('row', { name: /自己的权限条目/ }).waitFor()
  await dialog.getByText('01 经销商档案').waitFor()
  await expectAccessible(page)
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/leaver.png` })
  await dialog.getByRole('button', { name: '冻结并移交' }).click()
  await dialog.getByText('已移交给 陆远，与预览一致').waitFor()
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/leaver-done.png` })
  await dialog.getByRole('button', { name: '关闭' }).last().click()
  expect((await admin.call('getPerson', { userId: gone.userId })).state).toBe('frozen')
  const { list } = await next.call('getRootFolderSetting', {})
  const library = list.find(({ fName }) => fName === '冯越 移交')
  expect(library?.kind).toBe('project')
  expect(await next.names(library?.fId ?? 0)).toEqual(['01 经销商档案', '02 华南区月报'])
})

// [R024] The login page links to the password reset, and says on opening when the company has no mail server yet, as
// the server reports it.
test('[R024] who has forgotten the password is told when the company has no mail yet, and comes to the code from there', async () => {
  const page = await browser.open(company.url)
  await page.getByRole('button', { name: '忘记密码' }).click()
  await page.getByText('公司还没有设置邮件服务，请管理员重置密码').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: '我有验证码' }).click()
  await page.getByRole('heading', { name: '设置密码' }).waitFor()
})
