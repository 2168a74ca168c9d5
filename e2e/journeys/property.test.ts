// The property window: versions, comparison, history, and the contents of a folder.
import { join } from 'node:path'
import { calls } from '@cloudoc/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser, patienceMs } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, type Person, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const wait = { timeout: patienceMs }

/** Uploads a content into a folder as a new version of the file with that name. */
async function put(person: Person, folderId: number, fileName: string, content: string): Promise<number> {
  const query = new URLSearchParams({ folderId: String(folderId), fileName, conflict: 'version' })
  const response = await fetch(`${person.url}${calls.uploadRaw.path}?${query}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    body: content,
  })
  return ((await response.json()) as { data: { fileId: number } }).data.fileId
}

/** Takes screenshots in both skins, if pictures are requested. */
async function draw(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder === undefined) return
  for (const skin of ['blue', 'black']) {
    await page.evaluate((one) => {
      document.documentElement.dataset['skin'] = one
    }, skin)
    await page.screenshot({ path: join(folder, `${name}-${skin}.png`) })
  }
  await page.evaluate(() => {
    document.documentElement.dataset['skin'] = 'blue'
  })
}

// [R077] The window of properties is 938x580: versions and their number, log with avatars and the number of rows shown,
// and details.
// [R187] The window of properties has versions, log and details, each loaded from the server.
// [R189] The log of a file in its window: by type, including the most recent operation.
test('[R077] [R187] [R188] [R189] [R190] versions are described, compared and brought back; the log tells of it, and the details of a file are told', async () => {
  const lin = await company.person('property-lin', '林夏')
  const folderId = await lin.folder(lin.library, '合同')
  const lines = ['第四条 结算方式', '4.2 付款周期为 60 个自然日', '第五条 返点', '5.2 返点以现金方式支付']
  const fileId = await put(lin, folderId, '协议.md', lines.join('\n'))
  await put(lin, folderId, '协议.md', [...lines, '第六条 质保'].join('\n'))
  await put(lin, folderId, '协议.md', [lines[0], '4.2 付款周期为 45 个自然日', lines[2], '第六条 质保'].join('\n'))
  await put(lin, folderId, '报价.csv', '名称,单价\n螺栓,3\n')
  await put(lin, folderId, '报价.csv', '名称,单价\n螺栓,5\n')

  const view = await new LoginPage(await browser.open(company.url)).signIn(lin.account, password)
  const { page } = view
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
  await view.folder('合同').waitFor()
  await view.select('协议.md')
  await page.keyboard.press('Alt+Enter')
  const window = page.getByRole('dialog', { name: '属性 — 协议.md' })
  const rows = window.locator('tbody tr')
  await expect.poll(() => rows.count(), wait).toBe(3)

  // A comment by keyboard.
  await rows.nth(1).focus()
  await page.keyboard.press('F2')
  await window.getByRole('textbox', { name: '修改说明' }).fill('加上质保')
  await page.keyboard.press('Enter')
  await rows.nth(1).getByText('加上质保').waitFor()
  await rows.nth(1).click({ button: 'right', position: { x: 300, y: 10 } })
  await page.getByRole('menuitem', { name: '命名这一版…' }).click()
  await window.getByRole('textbox', { name: '命名这一版…' }).fill('送审稿')
  await page.keyboard.press('Enter')
  await rows.nth(1).getByText('送审稿').waitFor()
  await draw(page, 'property-versions')
  await expectAccessible(page)

  // Saves a version as a separate file beside the current one.
  await rows.nth(1).click({ button: 'right', position: { x: 300, y: 10 } })
  await page.getByRole('menuitem', { name: '另存为新文件…' }).click()
  await page.getByRole('dialog', { name: '把版本 2 另存为新文件' }).getByRole('button', { name: '复制到 合同' }).click()
  await page.getByText('已另存为“协议（版本 2）.md”').waitFor(wait)
  await page.getByText('协议（版本 2）.md', { exact: true }).first().waitFor()
  await window.getByRole('checkbox', { name: '选择全部版本' }).check()
  await window.getByText('已选 3 版').waitFor()
  await window.getByRole('checkbox', { name: '选择全部版本' }).uncheck()

  // The comparison.
  await window.getByRole('checkbox', { name: '选择版本 1' }).check()
  await window.getByRole('checkbox', { name: '选择版本 3' }).check()
  await window.getByRole('button', { name: '比较版本 1 和 3' }).click()
  await window.locator('.dr-compare ins', { hasText: '45' }).waitFor(wait)
  await expect.poll(() => window.locator('.dr-compare del').allTextContents()).toEqual(['60', '5.2 返点以现金方式支付'])
  await draw(page, 'property-compare')
  await expectAccessible(page)
  await window.getByRole('button', { name: '恢复到版本 1' }).click()
  await page.getByRole('dialog', { name: '提示' }).getByRole('button', { name: '恢复', exact: true }).click()
  await expect.poll(() => rows.count(), wait).toBe(4)
  await rows.first().getByText('恢复自版本 1').waitFor()
  expect((await lin.download(fileId)).toString()).toBe(lines.join('\n'))

  // The history.
  await window.getByRole('tab', { name: '版本 4' }).waitFor()
  await window.getByRole('tab', { name: '日志' }).click()
  await window.getByRole('cell', { name: /版本 4 · 恢复自版本 1/ }).waitFor(wait)
  await draw(page, 'property-log')
  await window.getByRole('button', { name: '全部类型' }).click()
  await window.getByRole('checkbox', { name: '添加', exact: true }).check()
  await expect.poll(() => rows.count(), wait).toBe(1)
  await page.keyboard.press('Escape')
  await window.getByRole('combobox', { name: '人员' }).click()
  await page.getByRole('option', { name: '林夏' }).click()
  await expect.poll(() => rows.count(), wait).toBe(1)

  await window.getByRole('tab', { name: '详情' }).click()
  await window.getByText(`s0f${fileId}`).waitFor()
  await draw(page, 'property-detail')
  await expectAccessible(page)
})

// [R170] A version without the right to download is previewed; without the right to preview a message is shown.
longTest('[R170] whoever may not download a version is shown it, and whoever may not even look is told', async () => {
  const lin = await company.person('version-lin', '林夏')
  const wang = await company.person('version-wang', '王敏')
  const folderId = await lin.folder(lin.library, '制度')
  await put(lin, folderId, '办法.txt', '第一版的条款')
  await put(lin, folderId, '办法.txt', '第二版的条款')
  const share = (rights: number) =>
    lin.call('setShareList', {
      folderId,
      inherit: false,
      entries: [{ subjectType: 'user', subjectId: wang.userId, rights }],
    })
  await share(6)

  const view = await new LoginPage(await browser.open(company.url)).signIn(wang.account, password)
  const { page } = view
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
  const takeFirst = async (): Promise<void> => {
    await view.select('办法.txt')
    await page.keyboard.press('Alt+Enter')
    const row = page.getByRole('dialog', { name: '属性 — 办法.txt' }).locator('tbody tr').nth(1)
    await row.hover()
    await row.getByRole('button', { name: '下载', exact: true }).click()
  }
  await takeFirst()
  const shown = page.getByRole('dialog', { name: '预览' })
  await shown.getByText('第一版的条款').waitFor(wait)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await share(2)
  await page.reload()
  await takeFirst()
  await page.getByText('不能下载：没有权限').waitFor(wait)
  expect(await shown.count()).toBe(0)
  await page.getByRole('button', { name: '申请下载', exact: true }).click()
  await page.getByRole('dialog', { name: '申请下载 — 办法.txt' }).waitFor(wait)
})

// [R188] The retention is set on the library's screen, with a question before it removes versions, and shown beside the
// versions, with the log of removals.
test('[R188] [R245] what a library keeps is set at its screen, acts at once, and is said beside the versions and in the log', async () => {
  const lin = await company.person('keeping-lin', '林夏')
  const { libraryId } = await company.admin.call('createLibrary', {
    name: '少留旧版的库',
    kind: 'project',
    entries: [{ subjectType: 'user', subjectId: lin.userId, rights: 1022 }],
  })
  for (const line of ['初稿', '二稿', '三稿', '四稿', '五稿']) await put(lin, libraryId, '方案.txt', line)

  const { page: office } = await new LoginPage(await browser.open(company.url)).signIn(company.admin.account, password)
  await office.goto(`${company.url}/doc/admin/libraries`)
  await office.getByRole('button', { name: '少留旧版的库' }).click()
  const drawer = office.getByRole('complementary', { name: '少留旧版的库' })
  await drawer.getByRole('combobox', { name: '版本', exact: true }).click()
  await office.getByRole('option', { name: '单独设置' }).click()
  await drawer.getByRole('spinbutton', { name: '版本', exact: true }).fill('2')
  await drawer.getByRole('button', { name: '保存', exact: true }).click()
  await draw(office, 'library-keeps-less')
  await office.getByRole('button', { name: '保存并清理' }).click()
  await office.getByText('已保存“少留旧版的库”').waitFor(wait)

  const view = await new LoginPage(await browser.open(company.url)).signIn(lin.account, password)
  const { page } = view
  await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${libraryId}`)
  await view.select('方案.txt')
  await page.keyboard.press('Alt+Enter')
  const window = page.getByRole('dialog', { name: '属性 — 方案.txt' })
  await window.getByRole('tab', { name: '版本 2' }).waitFor(wait)
  await window.getByText('最多保留 2 版').waitFor()
  await window.getByText('另有 3 个版本已清理或删除').waitFor()
  await draw(page, 'property-version-thinned')
  await window.getByRole('button', { name: '查看日志' }).click()
  await window.getByRole('cell', { name: /1, 2, 3/ }).waitFor(wait)
  await draw(page, 'property-log-thinned')
})
