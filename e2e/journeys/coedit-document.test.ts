// Two people edit one Word document at once; one goes offline, continues to write, and merges on reconnecting.
import { demoFiles } from '@cloudoc/devkit/demo'
import { rightsGroup } from '@cloudoc/domain'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { writable } from '../pages/writable.ts'
import { partsOf } from '../zip.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linhe', '林荷')
const chen = await company.person('chenqi', '陈启')

const sample = async (): Promise<Buffer> => {
  for (const file of demoFiles(emptyDocument)) if (file.name.endsWith('.docx')) return Buffer.from(await file.bytes())
  throw new Error('no document')
}
const paragraphsOf = async (bytes: Buffer): Promise<string[]> =>
  (await partsOf(bytes))
    .get('word/document.xml')
    ?.toString()
    .match(/<w:p[ >].*?<\/w:p>/gs) ?? []

// [R148] Two people edit one Word document, one of them offline for a while.
test('[R148] [R397] two people write in one Word document, one of them without a network for a while; what nobody touched is byte for byte as it was', async () => {
  await company.admin.call('setServerSetting', { multi_edit_type: 1 })
  try {
    const folderId = await company.sharedFolder('合同起草', rightsGroup.edit, [lin, chen])
    const before = await sample()
    const fileId = await lin.upload(folderId, '合同.docx', before)
    const open = async (account: string, joins = false) => {
      const files = await new LoginPage(await browser.open(company.url)).signIn(company.account(account), password)
      const { page } = files
      await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
      await files.choose('合同.docx', '编辑')
      if (joins) await page.getByRole('button', { name: '加入编辑' }).click()
      const editor = page.getByRole('dialog', { name: '合同.docx' })
      const words = editor.getByRole('textbox', { name: '合同.docx' })
      await words.waitFor()
      return { page, editor, words, first: words.locator('p').first(), cell: words.locator('td p').first() }
    }
    const hers = await open('linhe')
    const his = await open('chenqi', true)
    await hers.editor.getByRole('group', { name: /正在编辑的人：.*陈启/ }).waitFor()

    for (const { words } of [hers, his]) await writable(words).waitFor()
    await hers.first.click()
    await hers.page.keyboard.press('End')
    await hers.page.keyboard.type('甲方付款')
    await his.words.getByText('甲方付款').waitFor()
    // Her cursor is shown with her name.
    await his.words.locator('.hr-caret-name').getByText('林荷').waitFor()

    // He goes offline: both continue to write, also in the same paragraph.
    await his.page.context().setOffline(true)
    await his.first.click()
    await his.page.keyboard.press('Control+Home')
    await his.page.keyboard.type('草案')
    await his.cell.click()
    await his.page.keyboard.press('End')
    await his.page.keyboard.type('一百元')
    await his.editor.getByText('连不上服务器，可以继续写，恢复后自动合并').waitFor()
    await hers.page.keyboard.press('Enter')
    await hers.page.keyboard.type('分两次')
    await hers.editor.getByText(/已存到服务器|已保存为/).waitFor()
    await his.page.context().setOffline(false)
    await hers.words.locator('p', { hasText: /草案.*甲方付款/ }).waitFor()
    await hers.words.locator('td p', { hasText: '一百元' }).waitFor()
    await his.words.getByText('分两次').waitFor()
    // Errors logged for requests while offline.
    browser.problems.splice(0)

    // Undo affects only the user's own changes.
    await hers.page.keyboard.press('Control+z')
    await his.words.getByText('分两次').waitFor({ state: 'detached' })
    // If she typed fast, undo also covers her text of half a second before, but none of his.
    await hers.words.locator('p', { hasText: '草案' }).waitFor()
    await hers.words.locator('td p', { hasText: '一百元' }).waitFor()
    await hers.page.keyboard.press('Control+y')
    await his.words.getByText('分两次').waitFor()
    await his.words.locator('p', { hasText: /草案.*甲方付款/ }).waitFor()

    for (const { editor } of [hers, his]) {
      await editor.getByRole('button', { name: '关闭', exact: true }).click()
      await editor.waitFor({ state: 'detached' })
    }
    await expect.poll(async () => (await lin.call('getFileInfo', { fileId })).itemStatus & 67_108_864).toBe(0)
    const [old, made] = [await paragraphsOf(before), await paragraphsOf(await lin.download(fileId))]
    const fresh = made.filter((one) => !old.includes(one))
    expect(fresh).toHaveLength(3)
    expect(fresh.join('')).toMatch(/草案.*甲方付款.*分两次.*一百元/s)
    expect(old.filter((one) => !made.includes(one))).toHaveLength(2)
    const { list } = await lin.call('getVersionList', { fileId, from: 0, rows: 10 })
    expect(list[0]?.creatorName).toMatch(/陈启.*林荷|林荷.*陈启/)

    // A user who loses the right to edit continues read-only.
    const again = await open('chenqi')
    await company.share(folderId, rightsGroup.download, [lin, chen])
    await again.editor.getByText('你没有编辑权限，现在只能阅读').waitFor()
    await again.editor.locator('[contenteditable="false"][role="textbox"]').waitFor()
    browser.problems.splice(0)
  } finally {
    await company.admin.call('setServerSetting', { multi_edit_type: 0 })
  }
})
