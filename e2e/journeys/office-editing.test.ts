// Editing workbooks in the page: input method input works, the edits are in the file, and nothing else in it changes.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { demoFiles } from '@cloudoc/devkit/demo'
import { writeText } from '@cloudoc/domain'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { LoginPage } from '../pages/login-page.ts'
import { writable } from '../pages/writable.ts'
import { partsOf } from '../zip.ts'
import { callWith, openCompany, password } from './company.ts'
import { draftOf } from './drafts.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')
/** A picture of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Resolves when the element has the keyboard focus: a closing dialog returns the focus in the next frame. */
const hasKeys = (place: Locator): Promise<void> =>
  place
    .page()
    .locator(':focus')
    .and(place.or(place.locator('*')))
    .waitFor()
const signIn = async () => new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)
const document = async (ext: string): Promise<Buffer> => {
  for (const file of demoFiles(emptyDocument)) if (file.name.endsWith(`.${ext}`)) return Buffer.from(await file.bytes())
  throw new Error(`no ${ext}`)
}

// [R171] A workbook is edited in a grid, with an input method, drafts and a conflict.
test('[R171] [R174] a workbook is edited in a grid with an input method; all that was not typed is as it was; a conflict leaves both', async () => {
  const bytes = await document('xlsx')
  const fileId = await lin.upload(lin.library, '销售预测.xlsx', bytes)
  const files = await signIn()
  const { page } = files
  const editor = page.getByRole('dialog', { name: '销售预测.xlsx' })
  await files.choose('销售预测.xlsx', '编辑')
  const grid = editor.getByRole('grid')
  await grid.waitFor()
  const cell = (ref: string) => grid.locator(`.gr-cell[data-ref="${ref}"]`)
  await cell('A4').click()

  // Composed text is shown over the cell, and enters it once chosen.
  const typed = await page.context().newCDPSession(page)
  await typed.send('Input.imeSetComposition', { text: 'jie kou', selectionStart: 7, selectionEnd: 7 })
  await typed.send('Input.insertText', { text: '接口费' })
  await page.keyboard.press('Enter')
  await cell('A4').getByText('接口费').waitFor()
  await page.keyboard.type('=1+2')
  await page.keyboard.press('Tab')
  await cell('A5').getByText('3', { exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+y')
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 2 版/).waitFor()

  const [before, after] = [await partsOf(bytes), await partsOf(await lin.download(fileId))]
  const differing = [...before].filter(([name, part]) => after.get(name)?.equals(part) !== true).map(([name]) => name)
  expect(differing.sort()).toEqual(['xl/workbook.xml', 'xl/worksheets/sheet1.xml'])
  const sheet = after.get('xl/worksheets/sheet1.xml')?.toString()
  expect(sheet).toContain('接口费')
  expect(sheet).toContain('<f>1+2</f>')

  // Finds, and replaces all in one step.
  await page.keyboard.press('Control+f')
  await editor.getByRole('textbox', { name: '查找' }).fill('接口费')
  await page.keyboard.press('Enter')
  await editor.getByText('第 1 处，共 1 处').waitFor()
  await editor.getByRole('textbox', { name: '替换为' }).fill('接口服务费')
  await editor.getByRole('button', { name: '全部替换' }).click()
  await cell('A4').getByText('接口服务费').waitFor()
  await editor.getByRole('button', { name: '撤销' }).click()
  await cell('A4').getByText('接口费', { exact: true }).waitFor()
  await editor.getByRole('button', { name: '关闭查找' }).click()

  // After a tab crash, the draft is offered. It replaces another user's newer version only after confirmation.
  await cell('B5').click()
  await page.keyboard.type('还没保存')
  await page.keyboard.press('Enter')
  await editor.getByText('有改动，还没保存').waitFor()
  await expect.poll(() => draftOf(page, fileId)).toContain('还没保存')
  await page.reload()
  await files.choose('销售预测.xlsx', '编辑')
  await editor.getByRole('button', { name: '恢复' }).click()
  await cell('B5').getByText('还没保存').waitFor()
  await hasKeys(grid)
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'cloudoc_session')
  await callWith(company.url, cookie?.value ?? '', 'fileEditUnlock', { fileId })
  await fetch(`${company.url}/services2/upload/submit/${fileId}?expectedVersion=2`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${lin.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: '重新锁定并保存' }).click()
  const conflict = page.getByRole('dialog', { name: '文件在你编辑时有了新版本' })
  await conflict.getByRole('radio', { name: /覆盖，成为第 4 版/ }).check()
  await conflict.getByRole('button', { name: '继续' }).click()
  await editor.getByText(/已保存 .* · 第 4 版/).waitFor()
  const newest = (await partsOf(await lin.download(fileId))).get('xl/worksheets/sheet1.xml')?.toString()
  expect([newest?.includes('还没保存'), newest?.includes('接口费')]).toEqual([true, true])

  // Cell formatting: by the toolbar, by the keyboard, undone, and stored in the file.
  await cell('B5').click()
  await page.keyboard.press('Control+b')
  await editor.getByRole('button', { name: '加粗', pressed: true }).waitFor()
  await editor.getByRole('button', { name: '填充颜色' }).click()
  await page.getByRole('button', { name: '颜色 #FFF3BF' }).click()
  await editor.getByRole('button', { name: '边框' }).click()
  await page.getByRole('button', { name: '所有框线' }).click()
  await editor.getByRole('button', { name: '右对齐' }).click()
  await editor.getByRole('button', { name: '右对齐', pressed: true }).waitFor()
  await editor.getByRole('button', { name: '撤销' }).click()
  await editor.getByRole('button', { name: '右对齐', pressed: false }).waitFor()
  await cell('A8').click()
  await page.keyboard.type('0.256')
  await page.keyboard.press('Enter')
  await cell('A8').click()
  await editor.getByRole('combobox', { name: '数字格式' }).click()
  await page.getByRole('option', { name: '百分比', exact: true }).click()
  await cell('A8').getByText('26%').waitFor()
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 5 版/).waitFor()
  const styles = (await partsOf(await lin.download(fileId))).get('xl/styles.xml')?.toString()
  expect(styles).toContain('<fgColor rgb="FFFFF3BF"/>')
  await files.page.reload()
  await files.choose('销售预测.xlsx', '编辑')
  await cell('B5').click()
  await editor.getByRole('button', { name: '加粗', pressed: true }).waitFor()
  await cell('A8').getByText('26%').waitFor()

  // Sheet structure: inserts a row, widens a column, freezes panes; undo, redo, and recovery after a crash.
  const build = async (name: string): Promise<void> => {
    await editor.getByRole('button', { name: '行、列和区域' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await build('在上方插入 1 行')
  await cell('B6').getByText('还没保存').waitFor()
  await hasKeys(grid)
  await page.keyboard.type('插入的行')
  await page.keyboard.press('Enter')
  await editor.getByRole('button', { name: '撤销' }).click()
  await editor.getByRole('button', { name: '撤销' }).click()
  await cell('B5').getByText('还没保存').waitFor()
  await editor.getByRole('button', { name: '重做' }).click()
  await editor.getByRole('button', { name: '重做' }).click()
  await cell('B5').getByText('插入的行').waitFor()
  const edge = await editor.getByRole('columnheader', { name: 'B', exact: true }).boundingBox()
  const [x, y] = [(edge?.x ?? 0) + (edge?.width ?? 0) - 1, (edge?.y ?? 0) + 8]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 60, y, { steps: 3 })
  await page.mouse.up()
  await expect
    .poll(async () => (await editor.getByRole('columnheader', { name: 'B', exact: true }).boundingBox())?.width)
    .toBe((edge?.width ?? 0) + 60)
  await expect.poll(() => draftOf(page, fileId)).toContain('"size"')
  const unsorted = await draftOf(page, fileId)
  await cell('C8').click()
  await build('降序')
  await expect.poll(() => draftOf(page, fileId)).not.toBe(unsorted)
  await page.reload()
  await files.choose('销售预测.xlsx', '编辑')
  await editor.getByRole('button', { name: '恢复' }).click()
  await hasKeys(grid)
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 6 版/).waitFor()
  const amounts = await Promise.all(['C3', 'C4', 'C5', 'C6'].map((ref) => cell(ref).textContent()))
  const numbers = amounts.map((text) => Number(text?.replaceAll(',', '')))
  expect([numbers, numbers.every(Number.isFinite)]).toEqual([numbers.toSorted((a, b) => b - a), true])
  expect((await partsOf(await lin.download(fileId))).get('xl/worksheets/sheet1.xml')?.toString()).toContain('插入的行')

  // Sheets: adds one, renames it with all references, drags it to the front, and deletes it after confirmation; undo.
  const tab = (name: string) => editor.getByRole('tab', { name, exact: true })
  await editor.getByRole('button', { name: '插入工作表' }).click()
  await editor.getByRole('tab', { name: 'Sheet3', exact: true, selected: true }).waitFor()
  await hasKeys(grid)
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await cell('A1').getByText('7', { exact: true }).waitFor()
  await tab('Sheet3').dblclick()
  await editor.getByRole('textbox', { name: '重命名' }).fill('二月 明细')
  await page.keyboard.press('Enter')
  await editor.getByRole('tab').first().click()
  await editor.getByRole('tab', { selected: true }).and(editor.getByRole('tab').first()).waitFor()
  await cell('F1').click()
  await page.keyboard.type("='二月 明细'!A1*3")
  await page.keyboard.press('Enter')
  await cell('F1').getByText('21').waitFor()
  const [from, to] = [await tab('二月 明细').boundingBox(), await editor.getByRole('tab').first().boundingBox()]
  await page.mouse.move((from?.x ?? 0) + 20, (from?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.move((to?.x ?? 0) + 6, (to?.y ?? 0) + 10, { steps: 4 })
  await page.mouse.up()
  await editor.getByRole('tab').first().getByText('二月 明细').waitFor()
  await tab('二月 明细').click({ button: 'right' })
  await page.getByRole('menuitem', { name: '删除工作表' }).click()
  await page.getByText('别处有 1 处引用了它').waitFor()
  await page.getByRole('button', { name: '删除工作表' }).click()
  await cell('F1').getByText('#REF!').waitFor()
  await editor.getByRole('button', { name: '撤销' }).click()
  await tab('二月 明细').waitFor()
  await hasKeys(editor)
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 7 版/).waitFor()
  const sheets = (await partsOf(await lin.download(fileId))).get('xl/workbook.xml')?.toString()
  expect(sheets).toMatch(/<sheets><sheet [^>]*name="二月 明细"/)

  // A filter by a searched value: stored in the file, then removed.
  await tab('明细').click()
  await editor.getByRole('tab', { name: '明细', exact: true, selected: true }).waitFor()
  await cell('B4').click()
  await editor.getByRole('button', { name: '筛选', exact: true }).click()
  await editor.getByRole('button', { name: '筛选 部门' }).click()
  const sieve = page.getByRole('dialog', { name: '筛选' })
  await sieve.getByRole('textbox', { name: '查找值' }).fill('还没保存')
  await sieve.getByRole('button', { name: '确定' }).click()
  await editor.getByText(/显示 1 \/ \d+ 行/).waitFor()
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 8 版/).waitFor()
  const filtered = (await partsOf(await lin.download(fileId))).get('xl/worksheets/sheet1.xml')?.toString()
  expect(filtered).toMatch(/<row [^>]*hidden="1".*<filterColumn colId="1"><filters><filter val="还没保存"\/>/s)
  await editor.getByRole('button', { name: '筛选', exact: true }).click()
  await editor.getByText(/显示 1 \/ \d+ 行/).waitFor({ state: 'detached' })
})

// [R171] In the grid: Tab and Enter, the fill handle, pointing at cells in formulas, F4, copying with formats, a
// context menu, keys between sheets.
longTest(
  '[R171] a grid has the manners of hands: what goes on is filled, formulas point at cells, what is copied looks as it did',
  async () => {
    const bytes = await document('xlsx')
    const fileId = await lin.upload(lin.library, '手上功夫.xlsx', bytes)
    const files = await signIn()
    const { page } = files
    const editor = page.getByRole('dialog', { name: '手上功夫.xlsx' })
    await files.choose('手上功夫.xlsx', '编辑')
    const grid = editor.getByRole('grid')
    await grid.waitFor()
    const cell = (ref: string) => grid.locator(`.gr-cell[data-ref="${ref}"]`)
    const drawn = async (from: { x: number; y: number }, to: string): Promise<void> => {
      const there = await cell(to).boundingBox()
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move((there?.x ?? 0) + 9, (there?.y ?? 0) + 9, { steps: 4 })
      await page.mouse.up()
    }
    // Tab moves along a row; Enter continues in the next row, at the column of the first Tab.
    await cell('F3').click()
    for (const [word, key] of [
      ['第 1 周', 'Tab'],
      ['10', 'Enter'],
      ['第 2 周', 'Tab'],
      ['12', 'Enter'],
    ] as const) {
      await page.keyboard.type(word)
      await page.keyboard.press(key)
    }
    await grid.locator('.gr-active[data-ref="F5"]').waitFor()
    await cell('F3').click()
    await cell('G4').click({ modifiers: ['Shift'] })
    const handle = await grid.locator('.gr-handle').boundingBox()
    await drawn({ x: (handle?.x ?? 0) + 4, y: (handle?.y ?? 0) + 4 }, 'G6')
    await cell('F6').getByText('第 4 周').waitFor()
    await cell('G6').getByText('16').waitFor()
    // Cell references in a formula by pointing, and $ by F4.
    await cell('H3').click()
    await page.keyboard.type('=SUM(')
    const first = await cell('G3').boundingBox()
    await drawn({ x: (first?.x ?? 0) + 9, y: (first?.y ?? 0) + 9 }, 'G6')
    await page.keyboard.press('F4')
    await page.keyboard.type(')*12')
    await page.keyboard.press('Enter')
    await cell('H3').getByText('624').waitFor()
    await cell('H3').click()
    await cell('H4').click({ modifiers: ['Shift'] })
    await page.keyboard.press('Control+d')
    await cell('H4').getByText('624').waitFor()
    // Copying from the menu keeps the formatting; the clipboard contains it for other programs.
    await cell('A2').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '复制', exact: true }).click()
    await cell('J2').click()
    await page.keyboard.press('Control+v')
    await cell('J2').getByText('科目').waitFor()
    await editor.getByRole('button', { name: '加粗', pressed: true }).waitFor()
    await page.keyboard.press('Control+s')
    await editor.getByText(/已保存 .* · 第 2 版/).waitFor()
    const sheet = (await partsOf(await lin.download(fileId))).get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    expect(sheet).toContain('<f>SUM($G$3:$G$6)*12</f>')
    const styleOf = (ref: string) => new RegExp(`<c r="${ref}"[^>]* s="(\\d+)"`).exec(sheet)?.[1]
    expect(styleOf('J2')).toBe(styleOf('A2'))
    await page.keyboard.press('Control+PageDown')
    await editor.getByRole('tab', { name: '说明', exact: true, selected: true }).waitFor()
  },
)

// [R171] A document is edited on its page, with an input method and drafts.
test('[R171] a document is edited on its page with an input method; what was not touched is as it was', async () => {
  const bytes = await document('docx')
  const fileId = await lin.upload(lin.library, '会议纪要.docx', bytes)
  const files = await signIn()
  const { page } = files
  const editor = page.getByRole('dialog', { name: '会议纪要.docx' })
  await files.choose('会议纪要.docx', '编辑')
  const words = editor.getByRole('textbox', { name: '会议纪要.docx' })
  await writable(words).locator('td p').first().click()
  await hasKeys(words)
  const typed = await page.context().newCDPSession(page)
  await page.keyboard.press('End')
  await typed.send('Input.imeSetComposition', { text: 'he tong', selectionStart: 7, selectionEnd: 7 })
  await typed.send('Input.insertText', { text: '合同' })
  await words.getByText('合同').waitFor()
  await words.getByRole('heading').nth(1).click()
  await editor.getByRole('button', { name: '加粗', pressed: true }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await editor.getByRole('button', { name: '加粗' }).click()
  await hasKeys(words)
  await page.keyboard.type('新的一段')
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 2 版/).waitFor()

  const [before, after] = [await partsOf(bytes), await partsOf(await lin.download(fileId))]
  const differing = [...before].filter(([name, part]) => after.get(name)?.equals(part) !== true).map(([name]) => name)
  expect(differing).toEqual(['word/document.xml'])
  const paragraphs = (part: Buffer | undefined): string[] => part?.toString().match(/<w:p[ >].*?<\/w:p>/gs) ?? []
  const [old, made] = [paragraphs(before.get('word/document.xml')), paragraphs(after.get('word/document.xml'))]
  const fresh = made.filter((one) => !old.includes(one))
  expect(fresh).toHaveLength(2)
  expect(fresh.join('')).toMatch(/<w:rPr><w:b\/><\/w:rPr><w:t xml:space="preserve">新的一段.*合同/s)

  // Adds a table row, another one by Tab in its last cell, and a new table.
  const lines = words.locator('table').first().locator('tr')
  const count = await lines.count()
  await words.locator('td p').first().click()
  await editor.getByRole('button', { name: '表格', exact: true }).click()
  await page.getByRole('menuitem', { name: '在下方插入行' }).click()
  await expect.poll(() => lines.count()).toBe(count + 1)
  await hasKeys(words)
  await page.keyboard.type('插入的行')
  await lines.last().locator('td p').last().click()
  await page.keyboard.press('End')
  await page.keyboard.type('天')
  await page.keyboard.press('Tab')
  await page.keyboard.type('最后一行')
  await expect.poll(() => lines.count()).toBe(count + 2)
  await lines.nth(1).getByText('插入的行').waitFor()
  await words.getByText('新的一段').click()
  await page.keyboard.press('End')
  await editor.getByRole('button', { name: '插入表格' }).click()
  await editor.getByRole('button', { name: '2 行 3 列' }).click()
  await expect.poll(() => words.locator('table').count()).toBe(2)
  await hasKeys(words)
  await page.keyboard.type('表头')
  await words.getByText('表头').waitFor()
  // Merges two cells and splits them again.
  const cells = words.locator('table').first().locator('td:visible')
  await cells.nth(0).locator('p').click()
  await cells
    .nth(1)
    .locator('p')
    .click({ modifiers: ['Shift'] })
  await editor.getByRole('button', { name: '表格', exact: true }).click()
  await page.getByRole('menuitem', { name: '合并单元格' }).click()
  await expect.poll(() => cells.count()).toBe(5)
  await editor.getByRole('button', { name: '表格', exact: true }).click()
  await page.getByRole('menuitem', { name: '拆分单元格' }).click()
  await expect.poll(() => cells.count()).toBe(6)
  await words.getByText('新的一段').click()
  await editor.getByRole('button', { name: '编号' }).click()
  await editor.getByRole('button', { name: '编号', pressed: true }).waitFor()
  await hasKeys(words)
  await page.keyboard.press('Control+e')
  await page.keyboard.press('End')
  await page.keyboard.type('，见')
  await words.getByText('新的一段，见').waitFor()

  // A link, and a picture pasted from a file.
  await page.keyboard.press('Control+k')
  await editor.getByRole('textbox', { name: '网址或邮箱' }).fill('www.example.com')
  await page.keyboard.press('Enter')
  await words.locator('.dc-link', { hasText: 'www.example.com' }).waitFor()
  await editor.locator('input[type=file]').setInputFiles({ name: '图.png', mimeType: 'image/png', buffer: dot })
  await words.locator('.dc-picture').waitFor()
  await hasKeys(words)
  await page.keyboard.press('Control+Enter')
  await words.locator('.is-break').waitFor()

  // After a tab crash, the draft is offered and restored into the document.
  await page.keyboard.type('还没保存')
  await expect.poll(() => draftOf(page, fileId)).toContain('还没保存')
  await page.reload()
  await files.choose('会议纪要.docx', '编辑')
  await editor.getByRole('button', { name: '恢复' }).click()
  await words.getByText('还没保存').waitFor()
  await words.locator('.dc-picture').waitFor()
  await hasKeys(words)
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 3 版/).waitFor()
  const last = await partsOf(await lin.download(fileId))
  const saved = last.get('word/document.xml')?.toString()
  expect(saved).toMatch(/<w:numPr>.*?<\/w:numPr>.*?<w:jc w:val="center"\/>.*?新的一段/s)
  expect([...last.keys()].filter((name) => name.startsWith('word/media/cd'))).toHaveLength(1)
  expect(last.get('word/_rels/document.xml.rels')?.toString()).toContain('Target="https://www.example.com"')
  expect(last.get('word/numbering.xml')?.toString()).toContain('<w:lvlText w:val="%1."/>')
  for (const text of ['还没保存', '插入的行', '最后一行', '表头']) expect(saved).toContain(text)
})

longTest('[R171] the words of a note are edited under the text; its part alone is another', async () => {
  const bytes = await readFile(createRequire(import.meta.url).resolve('mammoth/test/test-data/footnotes.docx'))
  const fileId = await lin.upload(lin.library, '带脚注.docx', bytes)
  const files = await signIn()
  const { page } = files
  const editor = page.getByRole('dialog', { name: '带脚注.docx' })
  await files.choose('带脚注.docx', '编辑')
  const note = editor.getByRole('region', { name: '脚注 1' })
  await note.locator('p').last().click()
  await editor.locator('[contenteditable=true]:focus').waitFor()
  await page.keyboard.press('End')
  const typed = await page.context().newCDPSession(page)
  await typed.send('Input.imeSetComposition', { text: 'zhu', selectionStart: 3, selectionEnd: 3 })
  await typed.send('Input.insertText', { text: '补注' })
  // Select all within the footnote selects the footnote only, not the body.
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 2 版/).waitFor()
  const [before, after] = [await partsOf(bytes), await partsOf(await lin.download(fileId))]
  const differing = [...before].filter(([name, part]) => after.get(name)?.equals(part) !== true).map(([name]) => name)
  expect(differing).toEqual(['word/footnotes.xml'])
  expect(after.get('word/footnotes.xml')?.toString()).toContain('补注')
  await page.keyboard.press('Delete')
  await expect.poll(() => note.textContent()).toBe('脚注 1')
})

// [R171] A table as text (CSV) is edited in the grid; encoding, line ends and quotes of untouched cells are preserved;
// larger files open as text, with a message.
longTest(
  '[R171] [R198] a table as text is edited in a grid; what was not typed into is byte for byte as it was, in its encoding',
  async () => {
    const text = '型号,"单价"\r\n螺栓;M8,"3"\n\r\n"垫 ""圈""", 007'
    const bytes = Buffer.from(writeText(text, { encoding: 'gb18030', hasMark: false }))
    const fileId = await lin.upload(lin.library, '紧固件报价.csv', bytes)
    const files = await signIn()
    const { page } = files
    const editor = page.getByRole('dialog', { name: '紧固件报价.csv' })
    await files.choose('紧固件报价.csv', '编辑')
    const cell = (ref: string) => editor.getByRole('grid').locator(`.gr-cell[data-ref="${ref}"]`)
    await cell('B2').click()
    const typed = await page.context().newCDPSession(page)
    await typed.send('Input.imeSetComposition', { text: 'si yuan', selectionStart: 7, selectionEnd: 7 })
    await typed.send('Input.insertText', { text: '四元' })
    await page.keyboard.press('Enter')
    await cell('B2').getByText('四元').waitFor()
    await page.keyboard.press('Control+s')
    await editor.getByText(/已保存 .* · 第 2 版/).waitFor()
    const made = text.replace('"3"', '"四元"')
    expect((await lin.download(fileId)).equals(writeText(made, { encoding: 'gb18030', hasMark: false }))).toBe(true)

    // After a tab crash, the draft is offered.
    await cell('A1').click()
    await page.keyboard.type('还没保存')
    await page.keyboard.press('Enter')
    await expect.poll(() => draftOf(page, fileId)).toContain('还没保存')
    await page.reload()
    await files.choose('紧固件报价.csv', '编辑')
    await editor.getByRole('button', { name: '恢复' }).click()
    await cell('A1').getByText('还没保存').waitFor()
    await hasKeys(editor.getByRole('grid'))
    await page.keyboard.press('Control+s')
    await editor.getByText(/已保存 .* · 第 3 版/).waitFor()
    const again = writeText(made.replace('型号', '还没保存'), { encoding: 'gb18030', hasMark: false })
    expect((await lin.download(fileId)).equals(again)).toBe(true)
  },
)

// [R171] A presentation is edited in place, with an input method and drafts.
test('[R171] the words of a presentation are edited at their places with an input method; what was not touched is as it was', async () => {
  const bytes = await document('pptx')
  const fileId = await lin.upload(lin.library, '年度汇报.pptx', bytes)
  const files = await signIn()
  const { page } = files
  const editor = page.getByRole('dialog', { name: '年度汇报.pptx' })
  await files.choose('年度汇报.pptx', '编辑')
  const words = editor.getByRole('button', { name: /^文字：/ })
  const field = editor.locator('.sl-room textarea')
  await words.first().click()
  await hasKeys(field)
  const typed = await page.context().newCDPSession(page)
  await typed.send('Input.imeSetComposition', { text: 'cao an', selectionStart: 6, selectionEnd: 6 })
  await typed.send('Input.insertText', { text: '草案' })
  await page.keyboard.press('Escape')
  await words.first().getByText('草案').waitFor()
  await editor.getByRole('button', { name: '第 2 张' }).click()
  await words.nth(1).click()
  await hasKeys(field)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('新的一行')
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 2 版/).waitFor()

  const [before, after] = [await partsOf(bytes), await partsOf(await lin.download(fileId))]
  const differing = [...before].filter(([name, part]) => after.get(name)?.equals(part) !== true).map(([name]) => name)
  expect(differing.sort()).toEqual(['ppt/slides/slide1.xml', 'ppt/slides/slide2.xml'])
  expect(after.get('ppt/slides/slide1.xml')?.toString()).toContain('草案</a:t>')
  expect(after.get('ppt/slides/slide2.xml')?.toString()).toContain('<a:t>新的一行</a:t>')

  // Finds, and replaces all; each occurrence is one undo step.
  await page.keyboard.press('Control+f')
  await editor.getByRole('textbox', { name: '查找' }).fill('草案')
  await page.keyboard.press('Enter')
  await editor.getByText('第 1 处，共 1 处').waitFor()
  await editor.getByRole('textbox', { name: '替换为' }).fill('定稿')
  await editor.getByRole('button', { name: '全部替换' }).click()
  await editor.getByRole('button', { name: '关闭查找' }).click()

  // After a tab crash, the draft is offered, and editing continues from it.
  await expect.poll(() => draftOf(page, fileId)).toContain('定稿')
  await page.reload()
  await files.choose('年度汇报.pptx', '编辑')
  await editor.getByRole('button', { name: '恢复' }).click()
  await words.first().getByText('定稿').waitFor()
  await hasKeys(editor)
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 3 版/).waitFor()
  expect((await partsOf(await lin.download(fileId))).get('ppt/slides/slide1.xml')?.toString()).toContain('定稿')

  // A shape and a picture are inserted; the shape is moved by keys, taken back by undo, and removed.
  const count = await editor.getByRole('button', { name: /^(图形|图片|对象) \d/ }).count()
  await editor.getByRole('button', { name: '插入图形' }).click()
  await page.getByRole('menuitem', { name: '五角星' }).click()
  const star = editor.getByRole('button', { name: `图形 ${count + 1}` })
  await star.focus()
  await page.keyboard.press('ArrowRight')
  await editor.locator('input[type=file]').setInputFiles({ name: '图.png', mimeType: 'image/png', buffer: dot })
  const picture = editor.getByRole('button', { name: `图片 ${count + 2}` })
  await picture.waitFor()
  await star.focus()
  await page.keyboard.press('Delete')
  await editor.getByRole('button', { name: `图片 ${count + 1}` }).waitFor()
  await editor.locator('.sl-room').press('Control+z')
  await picture.waitFor()
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 4 版/).waitFor()
  const shaped = await partsOf(await lin.download(fileId))
  expect(shaped.get('ppt/slides/slide1.xml')?.toString()).toMatch(/prst="star5"[\s\S]*<p:pic/)
  expect([...shaped.keys()].filter((name) => name.startsWith('ppt/media/cdImage'))).toHaveLength(1)
})

// [R118] A new file is named and opens in its editor; Markdown is offered too.
test('[R118] [R171] what is made new is named, and opens in its editor', async () => {
  const folderId = await lin.folder(lin.library, '新写的')
  const files = await signIn()
  const { page } = files
  await files.openFolder('新写的')
  /** The editor has the focus as soon as it appears. */
  const writeAtOnce = async (title: string): Promise<void> => {
    const paper = page.getByRole('dialog', { name: title }).getByRole('textbox')
    await paper.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('欢迎')
  }
  for (const { entry, name, write, holds } of [
    {
      entry: 'PPT 演示文稿',
      name: '开场.pptx',
      write: async () => {
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^文字：/ })
          .first()
          .click()
        await hasKeys(page.getByRole('dialog').locator('.sl-room textarea'))
        await page.keyboard.type('欢迎')
      },
      holds: async (bytes: Buffer) => (await partsOf(bytes)).get('ppt/slides/slide1.xml')?.toString(),
    },
    {
      entry: 'Markdown 文档',
      name: '说明.md',
      write: () => writeAtOnce('说明.md'),
      holds: (bytes: Buffer) => Promise.resolve(bytes.toString()),
    },
    {
      entry: 'Word 文档',
      name: '开头.docx',
      write: () => writeAtOnce('开头.docx'),
      holds: async (bytes: Buffer) => (await partsOf(bytes)).get('word/document.xml')?.toString(),
    },
  ]) {
    await page.getByRole('button', { name: '新建', exact: true }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    const field = page.getByRole('textbox', { name: '重命名' })
    await field.fill(name)
    await field.press('Enter')
    const editor = page.getByRole('dialog', { name })
    await write()
    await page.keyboard.press('Control+s')
    await editor.getByText(/已保存 .* · 第 2 版/).waitFor()
    await editor.getByRole('button', { name: '关闭', exact: true }).click()
    await editor.waitFor({ state: 'detached' })
    const { list } = await lin.call('getSubItemList3', { folderId })
    const made = list.find(({ fName }) => fName === name)
    expect(await holds(await lin.download(made?.fId ?? 0))).toContain('欢迎')
  }
})
