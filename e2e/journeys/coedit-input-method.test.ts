// Two people edit one paragraph at once, one of them with an input method.
import { rightsGroup } from '@cloudoc/domain'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linqing', '林青')
const chen = await company.person('chenyu', '陈宇')

const files = [
  { name: '要点.md', bytes: () => Buffer.from('甲方') },
  { name: '要点.docx', bytes: () => Buffer.from(emptyDocument('docx') ?? []) },
]

// [R148] Text composed with an input method, in a text and in a Word document, is inserted once while somebody else
// edits the same paragraph; the others see it when it is committed.
test.each(files)(
  '[R148] what is composed in $name is there once, whatever another one writes in its paragraph meanwhile',
  async ({ name, bytes }) => {
    await company.admin.call('setServerSetting', { multi_edit_type: 1 })
    try {
      const folderId = await company.sharedFolder(`输入 ${name}`, rightsGroup.edit, [lin, chen])
      const fileId = await lin.upload(folderId, name, bytes())
      const open = async (account: string, joins = false) => {
        const list = await new LoginPage(await browser.open(company.url)).signIn(company.account(account), password)
        const { page } = list
        await page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
        await list.choose(name, '编辑')
        if (joins) await page.getByRole('button', { name: '加入编辑' }).click()
        const editor = page.getByRole('dialog', { name })
        const words = editor.getByRole('textbox', { name })
        await words.waitFor()
        // The editor has the focus as soon as a file is open.
        await expect.poll(() => words.evaluate((node) => node.contains(document.activeElement))).toBe(true)
        const method = await page.context().newCDPSession(page)
        /** Shows uncommitted text like an input method. */
        const compose = (text: string) =>
          method.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
        const choose = (text: string) => method.send('Input.insertText', { text })
        /** The text of the paragraph without the names at cursors. */
        const text = () =>
          words.evaluate((node) => {
            const copy = node.cloneNode(true) as HTMLElement
            for (const caret of copy.querySelectorAll('.hr-caret, .cm-ySelectionCaret')) caret.remove()
            return (copy.textContent ?? '').replaceAll(/[\u2060\u200b\ufeff]/g, '').trim()
          })
        /** Presses a cursor key. The page updates its state a frame later, which a user would not outrun. */
        const go = async (key: string) => {
          await page.keyboard.press(key)
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
        }
        return { page, editor, words, compose, choose, text, go }
      }
      const hers = await open('linqing')
      const his = await open('chenyu', true)
      if (name.endsWith('docx')) {
        await hers.page.keyboard.type('甲方')
        await his.words.getByText('甲方').waitFor()
      }
      await hers.go('Control+End')
      await his.go('Control+Home')

      // During her composition, the other user types to its left and directly to its right, and deletes a part of the
      // paragraph.
      await hers.compose('jie')
      await his.page.keyboard.type('一')
      await his.go('Control+End')
      await his.page.keyboard.type('尾')
      await his.editor.getByText(/已存到服务器|已保存为/).waitFor()
      await hers.compose('jie k')
      await his.go('Control+Home')
      await his.page.keyboard.press('Delete')
      await his.page.keyboard.type('二')
      await hers.compose('jie kou')
      await hers.choose('接口')
      await hers.compose('fei')
      await hers.choose('费')
      await hers.page.keyboard.type('!')

      await expect.poll(hers.text).toMatch(/^二甲方(?=.*尾)(?=.*接口费!)[尾接口费!]{5}$/)
      await expect.poll(his.text).toBe(await hers.text())
      for (const { editor } of [hers, his]) {
        await editor.getByRole('button', { name: '关闭', exact: true }).click()
        await editor.waitFor({ state: 'detached' })
      }
      await expect.poll(async () => (await lin.call('getFileInfo', { fileId })).itemStatus & 67_108_864).toBe(0)
    } finally {
      await company.admin.call('setServerSetting', { multi_edit_type: 0 })
    }
  },
)
