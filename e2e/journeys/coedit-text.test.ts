// Two people edit one text at once; one goes offline and merges on reconnecting.
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { writable } from '../pages/writable.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')
const chen = await company.person('chenxiao', '陈晓')

// [R148] Two people edit one text at once, one of them offline for a while; undo affects only one's own edits, and
// after losing the right a person continues as a reader.
// [R397] Two people see each other's changes and cursors; the version names both, the rest of the file is unchanged.
test('[R148] [R397] two people write in one text, one of them without a network for a while; the version that the last one leaves names both', async () => {
  await company.admin.call('setServerSetting', { multi_edit_type: 1 })
  try {
    const folderId = await company.sharedFolder('周会', rightsGroup.edit, [lin, chen])
    const fileId = await lin.upload(folderId, '纪要.md', Buffer.from('# 周会\r\n\r\n'))
    const open = async (account: string, joins = false) => {
      const files = await new LoginPage(await browser.open(company.url)).signIn(company.account(account), password)
      const { page } = files
      await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
      await files.choose('纪要.md', '编辑')
      if (joins) await page.getByRole('button', { name: '加入编辑' }).click()
      const editor = page.getByRole('dialog', { name: '纪要.md' })
      const words = editor.getByRole('textbox', { name: '纪要.md' })
      await words.getByText('# 周会').waitFor()
      return { page, editor, words }
    }
    const hers = await open('linxia')
    const his = await open('chenxiao', true)
    await hers.editor.getByRole('group', { name: /正在编辑的人：.*陈晓/ }).waitFor()
    for (const { words } of [hers, his]) await writable(words).and(words.page().locator(':focus')).waitFor()

    // Her edits are pushed to him each time. He need not poll, which pages do every few seconds and after a gap.
    const asking = Promise.withResolvers<void>()

    await his.page.route(/(present|join)Together/, async (route) => {
      await asking.promise
      await route.continue()
    })
    await hers.page.keyboard.press('Control+End')
    await hers.page.keyboard.type('林夏')
    await his.words.getByText('林夏').waitFor()
    await hers.page.keyboard.type('的一行')
    await his.words.getByText('林夏的一行').waitFor()
    asking.resolve()
    // Her cursor is shown with her name.
    await his.editor.getByText('林夏', { exact: true }).waitFor({ state: 'attached' })

    // He goes offline: both continue to write.
    await his.page.context().setOffline(true)
    await his.page.keyboard.press('Control+Home')
    await his.page.keyboard.type('陈晓离线写的 ')
    await his.editor.getByText('连不上服务器，可以继续写，恢复后自动合并').waitFor()
    await hers.page.keyboard.type('，还有')
    await hers.editor.getByText(/已存到服务器|已保存为/).waitFor()
    expect(await hers.words.getByText('陈晓离线写的').count()).toBe(0)
    await his.page.context().setOffline(false)
    await hers.words.getByText(/陈晓离线写的 .*# 周会/).waitFor()
    await his.words.getByText('林夏的一行，还有').waitFor()

    // Errors logged for requests while offline.
    browser.problems.splice(0)

    // Undo affects only the user's own changes.
    await hers.page.keyboard.press('Control+z')
    await his.words.getByText('林夏的一行，还有').waitFor({ state: 'detached' })
    await hers.words.getByText(/陈晓离线写的 .*# 周会/).waitFor()
    await hers.page.keyboard.press('Control+y')
    await his.words.getByText('林夏的一行，还有').waitFor()

    for (const { editor } of [hers, his]) {
      await editor.getByRole('button', { name: '关闭', exact: true }).click()
      await editor.waitFor({ state: 'detached' })
    }
    await expect.poll(async () => (await lin.call('getFileInfo', { fileId })).itemStatus & 67_108_864).toBe(0)
    expect((await lin.download(fileId)).toString()).toBe('陈晓离线写的 # 周会\r\n\r\n林夏的一行，还有')
    const { list } = await lin.call('getVersionList', { fileId, from: 0, rows: 10 })
    expect(list[0]?.creatorName).toMatch(/陈晓.*林夏|林夏.*陈晓/)

    // A user who loses the right to edit continues read-only.
    const again = await open('chenxiao')
    await company.share(folderId, rightsGroup.download, [lin, chen])
    await again.editor.getByText('你没有编辑权限，现在只能阅读').waitFor()
    browser.problems.splice(0)
  } finally {
    await company.admin.call('setServerSetting', { multi_edit_type: 0 })
  }
})
