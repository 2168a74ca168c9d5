// The habits of file manager users: rubber band selection, type-ahead, drag and drop, undo.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, type Person, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `资料${i + 1}`)

/** Opens a folder with subfolders of these names in a browser. */
async function openWith(name: string, pathList: string[]): Promise<{ page: Page; files: FilesPage; folderId: number }> {
  const folderId = await lin.folder(lin.library, name)
  if (pathList.length > 0) await lin.call('createFolderByPathList', { folderId, pathList })
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn(company.account('linxia'), password)
  await files.openFolder(name)
  return { page, files, folderId }
}

const namesIn = (person: Person, folderId: number): Promise<string[]> => person.names(folderId)

describe('the rubber band', () => {
  test('is drawn over three screens by holding it at the edge, and selects exactly what it covers', async () => {
    const { page, files } = await openWith('橡皮筋', names(2_000))
    const first = await files.row('资料3').boundingBox()
    const list = await page.locator('.dr-scroll').boundingBox()
    if (first === null || list === null) throw new Error('the rows are not drawn')
    const x = first.x + first.width - 200
    await page.mouse.move(x, first.y + 4)
    await page.mouse.down()
    await page.mouse.move(x - 60, list.y + list.height - 2, { steps: 4 })
    // It scrolls automatically: three screens are 48 rows.
    await page.waitForFunction(() => (document.querySelector('.dr-scroll')?.scrollTop ?? 0) > 3 * 600)
    // Back to a row in the middle of the visible area.
    await page.mouse.move(x - 60, list.y + list.height / 2, { steps: 4 })
    const under = await page.evaluate(
      ([left, top]) => Number(document.elementFromPoint(left ?? 0, top ?? 0)?.closest('[aria-rowindex]')?.ariaRowIndex),
      [x - 60, list.y + list.height / 2],
    )
    await page.mouse.up()
    // The selection is from the third row to the one under the pointer, including rows that were scrolled out.
    await files.expectChosen(under - 2)
    expect(under).toBeGreaterThan(48)
    await page.keyboard.press('Home')
    await files.row('资料1').and(page.locator('[aria-selected=true]')).waitFor()
  })

  longTest('with Ctrl turns over what it covers, and Esc gives it up', async () => {
    const { page, files } = await openWith('翻转', names(8))
    await files.select('资料2', '资料7')
    const from = await files.row('资料1').boundingBox()
    const to = await files.row('资料3').boundingBox()
    if (from === null || to === null) throw new Error('the rows are not drawn')
    const draw = async (): Promise<void> => {
      await page.keyboard.down('Control')
      await page.mouse.move(from.x + from.width - 150, from.y + 10)
      await page.mouse.down()
      await page.mouse.move(to.x + to.width - 300, to.y + 10, { steps: 3 })
    }
    await draw()
    await files.expectChosen(3)
    await page.keyboard.press('Escape')
    await files.expectChosen(2)
    await page.mouse.up()
    await draw()
    await page.mouse.up()
    await page.keyboard.up('Control')
    await files.expectChosen(3)
    expect(await files.row('资料2').getAttribute('aria-selected')).toBe('false')
    expect(await files.row('资料7').getAttribute('aria-selected')).toBe('true')
  })
})

longTest('letters go to the next name that begins with them: by pinyin, initials or itself', async () => {
  const { page, files } = await openWith('首字母', ['采购', '合同', '会议', '合作协议', 'Budget', '重庆'])
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.querySelector('[title]')?.getAttribute('title'))
  const expectFocus = (name: string) => files.row(name).and(page.locator('[aria-selected=true]')).waitFor()
  await files.rows().first().click()
  await page.keyboard.type('hui')
  await expectFocus('会议')
  expect(await focused()).toBe('会议')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Home')
  await page.keyboard.type('cq')
  await expectFocus('重庆')
})

test('what was done is taken back and done again, one key each', async () => {
  const { page, files, folderId } = await openWith('撤销', ['甲', '乙', '丙'])
  const target = await lin.folder(lin.library, '撤销的目标')
  await page.getByRole('treeitem', { name: '林夏', exact: true }).press('ArrowRight')
  await files.select('甲')
  await page.keyboard.press('F2')
  await files.nameField.fill('甲改')
  await page.keyboard.press('Enter')
  await files.row('甲改').waitFor()
  await files
    .row('乙')
    .getByTitle('乙', { exact: true })
    .dragTo(page.getByRole('treeitem', { name: '撤销的目标', exact: true }))
  await files.row('乙').waitFor({ state: 'detached' })
  await files.select('丙')
  await page.keyboard.press('Delete')
  await files.row('丙').waitFor({ state: 'detached' })
  await expect.poll(() => namesIn(lin, target)).toEqual(['乙'])

  await page.keyboard.press('Control+z')
  await files.row('丙').waitFor()
  await files.toasts.getByText('已恢复 丙', { exact: true }).waitFor()
  await files.row('丙').and(page.locator('[aria-selected=true]')).waitFor()
  await page.keyboard.press('Control+z')
  await files.row('乙').waitFor()
  await files.toasts.getByText('已移回 乙', { exact: true }).waitFor()
  await files.row('乙').and(page.locator('[aria-selected=true]')).waitFor()
  await page.keyboard.press('Control+z')
  await files.row('甲').waitFor()
  await expect.poll(async () => (await namesIn(lin, folderId)).toSorted()).toEqual(['丙', '乙', '甲'])

  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Control+Shift+z')
  await files.row('丙').waitFor({ state: 'detached' })
  await files.row('甲改').waitFor()
  await expect.poll(() => namesIn(lin, folderId)).toEqual(['甲改'])
  expect(await namesIn(lin, target)).toEqual(['乙'])
})

longTest(
  'Esc and a deletion end what was cut, letters find a folder in the tree, and a filter says of how many and is cleared',
  async () => {
    const { page, files } = await openWith('剪切', ['甲', '乙', '合同', '丁'])
    const waits = page.getByText('已剪切 1 项，等待粘贴')
    await files.select('甲')
    await page.keyboard.press('Control+x')
    await waits.waitFor()
    await page.keyboard.press('Escape')
    await waits.waitFor({ state: 'detached' })
    await files.select('甲')
    await page.keyboard.press('Control+x')
    await waits.waitFor()
    await page.keyboard.press('Delete')
    await files.row('甲').waitFor({ state: 'detached' })
    await waits.waitFor({ state: 'detached' })

    const field = page.getByRole('textbox', { name: '筛选当前文件夹' })
    await field.fill('ht')
    await page.locator('.dr-path').getByText('1 / 3 项').waitFor()
    await page.getByRole('button', { name: '清除筛选' }).click()
    await page.locator('.dr-path').getByText('3 项', { exact: true }).waitFor()
    expect(await field.inputValue()).toBe('')

    await page.getByRole('treeitem', { name: '林夏', exact: true }).press('ArrowRight')
    const folder = page.getByRole('treeitem', { name: '剪切', exact: true })
    await folder.press('ArrowRight')
    await page.getByRole('treeitem', { name: '合同', exact: true }).waitFor()
    await folder.press('h')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('合同')
  },
)

test('a drag over a folder says what it would do, and opens the folder it rests on', async () => {
  const { page, files } = await openWith('拖动', ['来源', '目标'])
  const box = async (name: string) => {
    const found = await files.row(name).getByTitle(name, { exact: true }).boundingBox()
    if (found === null) throw new Error(`${name} is not drawn`)
    return { x: found.x + 8, y: found.y + 8 }
  }
  const [source, target] = [await box('来源'), await box('目标')]
  await page.mouse.move(source.x, source.y)
  await page.mouse.down()
  // The first move starts the drag; the next ones are over a target.
  for (const by of [4, 5, 6]) await page.mouse.move(target.x + by, target.y)
  await page
    .locator('.dr-drop')
    .getByText(/移动到.*目标/)
    .waitFor()
  // The pointer rests: the folder opens under it, and the drop lands inside.
  await files.folder('目标').waitFor()
  for (const by of [60, 61]) await page.mouse.move(target.x + by, target.y + 200)
  await page.mouse.up()
  await files.row('来源').waitFor()
})

// [R085] The list of items to delete permanently scrolls at 240 px.
longTest(
  '[R085] Shift+Del asks with a list that scrolls at 240 px, and then removes for good what was selected, past the bin',
  async () => {
    const gone = Array.from({ length: 12 }, (_, n) => `去掉 ${n + 1}`)
    const { page, files, folderId } = await openWith('彻底', ['留下', ...gone])
    await files.select('去掉 1')
    await files.row('去掉 12').click({ modifiers: ['Shift'] })
    await page.keyboard.press('Shift+Delete')
    const question = files.dialog('彻底删除')
    const listed = question.getByRole('list')
    await listed.getByText('去掉 1', { exact: true }).waitFor()
    expect(await listed.evaluate((all) => [all.getBoundingClientRect().height, all.scrollHeight > 240])).toEqual([
      240,
      true,
    ])
    await question.getByRole('button', { name: '彻底删除' }).click()
    await files.row('去掉 1').waitFor({ state: 'detached' })
    // The server is still processing some of the others.
    await expect.poll(() => namesIn(lin, folderId)).toEqual(['留下'])
    const { list } = await lin.call('getRecycleList', {})
    expect(list.map(({ fName }) => fName)).not.toContain('去掉 1')
  },
)
