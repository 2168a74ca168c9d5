// A working day in a company as one story. A user finds a document, edits it with a colleague, shares it and makes an
// external link; a partner reads it on a phone. A user without a right requests it, and the manager decides and sees
// why the right exists. A deleted file is restored, and somebody signs out. A user leaves, and the work is handed over.
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { followNotice } from '../pages/notices.ts'
import { writable } from '../pages/writable.ts'
import { openCompany, ownServer, password } from './company.ts'

// The test freezes people and changes a global setting, so it needs its own server.
const company = await openCompany(await ownServer())
const browser = await openBrowser()

test('[R148] [R208] [R219] [R228] [R240] [R347] a document is found, written together, shared, given out, asked for, and goes on when its owner leaves', async () => {
  const { admin, url } = company
  const { groupId } = await admin.call('createGroup', { groupName: '展会组', parentId: 0 })
  const [lin, chen, zhou] = await Promise.all([
    company.person('linyi', '林一'),
    company.person('chener', '陈二'),
    company.person('zhousan', '周三'),
  ])
  for (const { userId } of [lin, chen]) await admin.call('modifyAccount', { userId, groupId })
  await admin.call('setGroupManagers', { groupId, userIds: [chen.userId] })
  const place = await lin.folder(lin.library, '秋季展会')
  await lin.upload(place, '预算归档.md', Buffer.from('# 预算归档\r\n'))
  const enter = async (account: string) => new LoginPage(await browser.open(url)).signIn(account, password)
  const hers = await enter(lin.account)

  // Four letters find the file.
  await (await hers.openSearch()).fill('ysgd')
  await hers.hit('预算归档.md').click()
  const shown = hers.page.getByRole('dialog')
  await shown.getByText('第 1 / 1 个文件').waitFor()
  await hers.page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })
  await hers.goTo('林一')
  for (const [account, name, may] of [
    ['chener', '陈二', '编辑'],
    ['zhousan', '周三', '预览'],
  ] as const) {
    await hers.choose('秋季展会', '共享…')
    const share = hers.page.getByRole('dialog', { name: /共享/ })
    await share.getByRole('combobox', { name: '共享给' }).fill(account)
    await hers.page.getByRole('option', { name: new RegExp(name) }).waitFor()
    await share.getByRole('combobox', { name: '共享给' }).press('Enter')
    await share.getByRole('combobox', { name: '允许' }).click()
    await hers.page.getByRole('option', { name: may, exact: true }).click()
    await share.getByRole('button', { name: '共享', exact: true }).click()
    await hers.page.getByText(`已共享给 ${name}`).waitFor()
  }
  await hers.openFolder('秋季展会')

  // The user that it was shared with gets a notice, opens the file from it, and edits it with her.
  const his = await enter(chen.account)
  await followNotice(his.page, /林一.*秋季展会/)
  await his.folder('秋季展会').waitFor()
  const words = (files: typeof hers) =>
    files.page.getByRole('dialog', { name: '预算归档.md' }).getByRole('textbox', { name: '预算归档.md' })
  await hers.choose('预算归档.md', '编辑')
  // Her editor is open before he joins.
  await writable(words(hers)).waitFor()
  await his.choose('预算归档.md', '编辑')
  await his.page.getByRole('button', { name: '加入编辑' }).click()
  await words(his).getByText('# 预算归档').waitFor()
  await writable(words(hers)).click()
  await hers.page.keyboard.press('Control+End')
  await hers.page.keyboard.type('东区两个展位')
  await words(his).getByText('东区两个展位').waitFor()
  await writable(words(his)).click()
  await his.page.keyboard.press('Control+End')
  await his.page.keyboard.type('，西区一个')
  await words(hers).getByText('东区两个展位，西区一个').waitFor()
  for (const { page } of [his, hers]) {
    const editor = page.getByRole('dialog', { name: '预算归档.md' })
    await editor.getByRole('button', { name: '关闭', exact: true }).click()
    await editor.waitFor({ state: 'detached' })
  }

  // Creates a link in two clicks; the partner opens it on a phone.
  await hers.choose('预算归档.md', '创建外链…')
  const create = hers.page.getByRole('dialog', { name: /创建外链 — 预算归档/ })
  await create.getByRole('textbox', { name: '访问密码' }).fill('K7m2')
  await create.getByRole('button', { name: '创建外链' }).click()
  const address = (await create.locator('.sl-url b').textContent()) ?? ''
  await create.getByRole('button', { name: '完成' }).click()
  const phone = await browser.open(address, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await phone.getByRole('textbox', { name: '访问密码' }).fill('K7m2')
  await phone.getByRole('button', { name: '打开' }).tap()
  const line = phone.getByText('东区两个展位，西区一个')
  await line.waitFor()
  // The text is readable without zooming.
  expect((await line.boundingBox())?.height).toBeGreaterThan(14)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  // A user who may only view requests more rights from the refusal. The owner decides, and reads the reason for the new
  // rights.
  const theirs = await enter(zhou.account)
  await theirs.page.getByRole('link', { name: '与我共享' }).click()
  await theirs.open('秋季展会')
  await theirs.choose('预算归档.md', '为什么是这些权限？')
  const why = theirs.page.getByRole('dialog')
  await why.getByText('合并为 预览').waitFor()
  await why.getByRole('button', { name: '申请授权…' }).click()
  const apply = theirs.page.getByRole('dialog', { name: /申请权限/ })
  await apply.getByRole('textbox', { name: '说明' }).fill('要带去现场')
  await apply.getByRole('button', { name: '提交申请' }).click()
  await apply.getByText('申请已提交').waitFor()
  await apply.getByRole('button', { name: '关闭' }).last().click()
  await hers.page.getByRole('link', { name: /^审批/ }).click()
  await hers.page.getByRole('button', { name: /^预算归档\.md/ }).click()
  const review = hers.page.getByRole('dialog', { name: /权限审批/ })
  await review.getByText('要带去现场').waitFor()
  await review.getByRole('button', { name: /^同意/ }).click()
  await review.waitFor({ state: 'detached' })
  await theirs.page.getByRole('dialog', { name: '申请授权' }).getByRole('button', { name: '打开文件' }).click()
  const taken = theirs.page.waitForEvent('download')
  await theirs.choose('预算归档.md', '下载')
  expect((await taken).suggestedFilename()).toBe('预算归档.md')

  // What was deleted is in the recycle bin, and comes back to its folder; signing out leads to the sign-in page.
  await chen.upload(chen.library, '旧稿.txt', Buffer.from('旧'))
  await his.goTo('陈二')
  await his.choose('旧稿.txt', '删除')
  await his.row('旧稿.txt').waitFor({ state: 'detached' })
  await his.page.getByRole('navigation', { name: '模块' }).getByRole('link', { name: '回收站' }).click()
  await his.row('旧稿.txt').click()
  await his.page.getByRole('button', { name: '恢复', exact: true }).click()
  await his.row('旧稿.txt').waitFor({ state: 'detached' })
  await his.page.getByRole('navigation', { name: '模块' }).getByRole('link', { name: '文件', exact: true }).click()
  await his.goTo('陈二')
  await his.row('旧稿.txt').waitFor()
  await his.page.getByRole('button', { name: /账号/ }).click()
  await his.page.getByRole('menuitem', { name: '退出登录' }).click()
  await his.page.getByRole('button', { name: '登录', exact: true }).waitFor()

  // She leaves: her manager gets her files, and the partner's link keeps working under the manager's name.
  const office = await enter('admin')
  await office.page.goto(`${url}/doc/admin/people`)
  await office.page.getByRole('grid', { name: '组织与成员' }).getByText('林一').click()
  await office.page.getByRole('button', { name: '离职移交…' }).click()
  const leaving = office.page.getByRole('dialog', { name: '离职移交 — 林一' })
  await leaving.getByText('秋季展会').waitFor()
  await leaving.getByRole('row', { name: /外链/ }).waitFor()
  await leaving.getByRole('button', { name: '冻结并移交' }).click()
  await leaving.getByText('已移交给 陈二，与预览一致').waitFor()
  await hers.page.reload()
  await hers.page.getByRole('button', { name: '登录', exact: true }).waitFor()
  await phone.reload()
  await phone.getByText('东区两个展位，西区一个').waitFor()
  const { list } = await chen.call('getRootFolderSetting', {})
  const left = list.find(({ fName }) => fName === '林一 移交')
  expect(await chen.names(left?.fId ?? 0)).toEqual(['秋季展会'])
})
