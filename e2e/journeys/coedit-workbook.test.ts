// Two people edit one workbook at once; one goes offline, can only read meanwhile, and decides afterwards which of
// their changes apply.
import { rightsGroup } from '@cloudoc/domain'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { partsOf } from '../zip.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linyu', '林雨')
const chen = await company.person('chenmo', '陈默')

// [R148] Two people edit one workbook; while offline a person reads, and afterwards decides whether unsent edits are
// written.
// [R148] On the screen: rows inserted above somebody else's typing move it along; typing into deleted cells is reported
// with the typed content; new sheets appear; undo removes one's own row.
test('[R148] [R397] two people write in one workbook; who is without a network reads, and is asked about what was not sent', async () => {
  await company.admin.call('setServerSetting', { multi_edit_type: 1 })
  try {
    const folderId = await company.sharedFolder('年度预算', rightsGroup.edit, [lin, chen])
    const fileId = await lin.upload(folderId, '预算.xlsx', Buffer.from(emptyDocument('xlsx') ?? []))
    const open = async (account: string, joins = false) => {
      const files = await new LoginPage(await browser.open(company.url)).signIn(company.account(account), password)
      const { page } = files
      await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
      await files.choose('预算.xlsx', '编辑')
      if (joins) await page.getByRole('button', { name: '加入编辑' }).click()
      const editor = page.getByRole('dialog', { name: '预算.xlsx' })
      await editor.getByRole('grid').waitFor()
      const cell = (ref: string) => editor.locator(`.gr-cell[data-ref="${ref}"]`)
      const begins = async (ref: string, text: string): Promise<void> => {
        const box = editor.getByRole('textbox', { name: '转到' })
        await box.fill(ref)
        await box.press('Enter')
        // The cell then has the focus.
        await editor.locator(`.gr-active[data-ref="${ref}"]`).waitFor()
        await editor.getByRole('grid').locator('textarea:focus').waitFor()
        await page.keyboard.type(text)
      }
      const types = async (ref: string, text: string): Promise<void> => {
        await begins(ref, text)
        await page.keyboard.press('Enter')
      }
      return { page, editor, cell, begins, types }
    }
    const hers = await open('linyu')
    const his = await open('chenmo', true)
    await hers.editor.getByRole('group', { name: /正在编辑的人：.*陈默/ }).waitFor()

    await hers.types('B2', '120')
    await his.cell('B2').getByText('120').waitFor()
    await his.types('B3', '=B2*2')
    await hers.cell('B3').getByText('240').waitFor()
    // Her grid shows his position with his name.
    await hers.editor.locator('.gr-other[data-ref="B4"]').getByText('陈默').waitFor({ state: 'attached' })

    // She inserts a row while he types below it: his input moves with its cell.
    const builds = async (ref: string, name: string): Promise<void> => {
      const box = hers.editor.getByRole('textbox', { name: '转到' })
      await box.fill(ref)
      await box.press('Enter')
      await hers.editor.getByRole('button', { name: '行、列和区域' }).click()
      await hers.page.getByRole('menuitem', { name }).click()
    }
    await his.begins('B6', '正在')
    await builds('A2', '在上方插入 1 行')
    await his.cell('B4').getByText('240').waitFor()
    await his.editor.locator('.gr-active[data-ref="B7"]').waitFor({ state: 'attached' })
    await his.page.keyboard.type('填')
    await his.page.keyboard.press('Enter')
    await hers.cell('B7').getByText('正在填').waitFor()
    await his.begins('B2', '白填了')
    await builds('A2', '删除 1 行')
    await his.page.getByText('林雨 删掉了你正在填的地方，没有写入：白填了').waitFor()
    await his.cell('B3').getByText('240').waitFor()
    // A user can undo their own structure changes.
    await hers.editor.getByRole('button', { name: '插入工作表' }).click()
    await his.editor.getByRole('tab', { name: 'Sheet2' }).waitFor()
    await hers.editor.getByRole('tab', { name: 'Sheet2', selected: true }).waitFor()
    await hers.editor.getByRole('tab', { name: 'Sheet1' }).click()
    await builds('A2', '在上方插入 1 行')
    await his.cell('B4').getByText('240').waitFor()
    await hers.cell('B4').getByText('240').waitFor()
    await hers.page.keyboard.press('Control+z')
    await his.cell('B3').getByText('240').waitFor()
    await hers.cell('B3').getByText('240').waitFor()

    // He goes offline: his current input stays local, and the workbook is read-only.
    await his.begins('C2', '离线填的')
    await his.page.context().setOffline(true)
    await his.page.keyboard.press('Enter')
    await his.editor.getByText('连不上服务器，恢复前只能阅读').waitFor()
    await his.editor.getByRole('grid').locator('textarea:focus').waitFor()
    await his.page.keyboard.type('x')
    await hers.types('C2', '在线填的')
    await hers.editor.getByRole('button', { name: '保存', exact: true }).click()
    await hers.editor.getByText(/^已保存为第 \d+ 版$/).waitFor()
    await his.page.context().setOffline(false)
    await his.editor.getByText('断网前填的单元格没有写入，别人这期间可能改过它们').waitFor()
    browser.problems.splice(0)
    await his.editor.getByRole('button', { name: '写入' }).click()
    await hers.cell('C2').getByText('离线填的').waitFor()
    expect(await hers.cell('C2').textContent()).toBe('离线填的')

    // Undo affects only the user's own changes.
    await hers.editor.getByRole('grid').click({ position: { x: 300, y: 200 } })
    await hers.page.keyboard.press('Control+z')
    expect(await hers.cell('C2').textContent()).toBe('离线填的')

    for (const { editor } of [hers, his]) {
      await editor.getByRole('button', { name: '关闭', exact: true }).click()
      await editor.waitFor({ state: 'detached' })
    }
    await expect.poll(async () => (await lin.call('getFileInfo', { fileId })).itemStatus & 67_108_864).toBe(0)
    const sheet = (await partsOf(await lin.download(fileId))).get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    expect(sheet).toContain('离线填的')
    expect(sheet).toMatch(/<f>B2\*2<\/f><v>240<\/v>/)
    const { list } = await lin.call('getVersionList', { fileId, from: 0, rows: 10 })
    expect(list[0]?.creatorName).toBe('陈默')
    expect(list.map(({ creatorName }) => creatorName).join('\n')).toMatch(/陈默.*林雨|林雨.*陈默/)
    browser.problems.splice(0)
  } finally {
    await company.admin.call('setServerSetting', { multi_edit_type: 0 })
  }
})
