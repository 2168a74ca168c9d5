/*
 * A short working day in Firefox and WebKit: what differs between engines is met on the way (sign-in, file fields, keys,
 * menus, pages drawn on a canvas, editors, the live channel, downloads, storage).
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rightsGroup } from '@cloudoc/domain'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openCompany, ownServer, password } from '../journeys/company.ts'
import { contractPdf } from '../journeys/contract-pdf.ts'
import { documentOf } from '../journeys/demo-documents.ts'
import { partsOf } from '../zip.ts'
import { openFirefox } from './firefox.ts'
import { type Named, Screen } from './screen.ts'
import { openWebKit } from './webkit.ts'

const company = await openCompany(await ownServer())
const pictures = join(import.meta.dirname, '../../screenshots/engines')
await mkdir(pictures, { recursive: true })

const named = (role: string, name: string, exact = true): Named => ({ role, name, exact })
/** The row of an item. */
const item = (name: string): Named => ({ css: `[role=grid] [title="${name}"]` })

/** Whether one of these is wide enough to be read. It runs in the page. */
const widthOf = (css: string): boolean =>
  [...document.querySelectorAll(`[role=dialog] :is(${css})`)].some(
    (one) => one.getBoundingClientRect().width > 300 || one.tagName === 'TD',
  )

describe.each([
  ['firefox', openFirefox],
  ['webkit', openWebKit],
] as const)('%s', (name, openEngine) => {
  const opened = openEngine()
  afterAll(async () => (await opened).close())
  const screens: Screen[] = []
  const open = async (): Promise<Screen> => {
    const screen = new Screen(await (await opened).open(company.url))
    screens.push(screen)
    return screen
  }
  afterEach(async ({ task }) => {
    for (const screen of screens.splice(0)) {
      try {
        if (task.result?.state === 'fail')
          await screen.driver.picture(join(pictures, `${name}-failed-${task.name.slice(0, 30)}.png`))
      } finally {
        // WebKit's driver has one browser at a time.
        await screen.driver.close()
      }
    }
  })
  const signIn = async (account: string): Promise<Screen> => {
    const screen = await open()
    await screen.enter({ css: 'input[autocomplete=username]' }, account)
    await screen.enter({ css: 'input[autocomplete=current-password]' }, password)
    await screen.driver.press('Enter', false)
    await screen.shown({ css: '[role=grid]' })
    return screen
  }
  const drawn = (screen: Screen, of: string): Promise<void> =>
    screen.driver.picture(join(pictures, `${name}-${of}.png`))

  test('a wrong password is told in words, and the right one leads to the files', async () => {
    await company.person(`${name}-ann`, '安娜')
    const screen = await open()
    await screen.enter({ css: 'input[autocomplete=username]' }, company.account(`${name}-ann`))
    await screen.enter({ css: 'input[autocomplete=current-password]' }, 'Wrong#2026')
    await screen.driver.press('Enter', false)
    await screen.shown({ role: 'alert' })
    await drawn(screen, 'login')
    await screen.enter({ css: 'input[autocomplete=current-password]' }, password)
    await screen.driver.press('Enter', false)
    await screen.shown({ css: '[role=grid]' })
  })

  test('files are uploaded, named anew, deleted and brought back', async () => {
    const lin = await company.person(`${name}-lin`, '林夏')
    const screen = await signIn(lin.account)
    const folder = await mkdtemp(join(tmpdir(), 'cloudoc-engines-'))
    try {
      await writeFile(join(folder, '年度总结.txt'), '第一行\r\n')
      await screen.chooseFile({ css: 'input[type=file]:not([webkitdirectory])' }, join(folder, '年度总结.txt'))
      await screen.click(item('年度总结.txt'))
    } finally {
      await rm(folder, { recursive: true })
    }
    await screen.driver.press('F2', false)
    await screen.shown({ css: '[role=grid] input:focus' })
    await screen.driver.type('年度总结终稿')
    await screen.driver.press('Enter', false)
    await screen.click(item('年度总结终稿.txt'))
    await screen.driver.press('Delete', false)
    await screen.gone(item('年度总结终稿.txt'))
    await screen.click(named('link', '回收站'))
    await screen.click(item('年度总结终稿.txt'))
    await drawn(screen, 'bin')
    await screen.click(named('button', '恢复'))
    await screen.gone(item('年度总结终稿.txt'))
    expect(await lin.names(lin.library)).toEqual(['年度总结终稿.txt'])
  })

  test('what is found by four letters is shown: a text, a document, a workbook, a PDF, a picture, a film of letters', async () => {
    const lin = await company.person(`${name}-wu`, '吴敏')
    await lin.upload(lin.library, '预算归档.md', Buffer.from('# 预算归档\n\n三个展位'))
    await lin.upload(lin.library, '会议纪要.docx', await documentOf('docx'))
    await lin.upload(lin.library, '销售预测.xlsx', await documentOf('xlsx'))
    await lin.upload(lin.library, '季度汇报.pptx', await documentOf('pptx'))
    await lin.upload(lin.library, '采购合同.pdf', contractPdf())
    const screen = await signIn(lin.account)
    await screen.shown(item('预算归档.md'))
    await screen.driver.press('k', true)
    await screen.shown({ css: 'input[role=combobox]:focus' })
    await screen.driver.type('ysgd')
    await screen.click({ role: 'option', name: '预算归档.md' })
    const viewer: Named = { role: 'dialog' }
    await screen.shown({ css: 'h1', name: '预算归档', within: viewer })
    await drawn(screen, 'text')
    await screen.driver.press('Escape', false)
    await screen.gone(viewer)
    for (const [file, sign] of [
      ['会议纪要.docx', { css: 'p,h1,h2,td' }],
      ['销售预测.xlsx', { css: '[data-ref],td,[role=gridcell]' }],
      ['季度汇报.pptx', { css: '.rd-slide-room .rd-slide' }],
      ['采购合同.pdf', { css: 'canvas' }],
    ] as const) {
      await screen.click(item(file), 'twice')
      await screen.shown({ ...sign, within: viewer })
      await screen.gone({ role: 'progressbar', within: viewer })
      // What is shown fills its room.
      await screen.until(() => screen.driver.ask(widthOf, sign.css), sign.css)
      await drawn(screen, file.slice(-4))
      await screen.driver.press('Escape', false)
      await screen.gone(viewer)
    }
  })

  test('a text and a workbook are edited, and what was typed is stored', async () => {
    const lin = await company.person(`${name}-he`, '何平')
    const textId = await lin.upload(lin.library, '备忘.txt', Buffer.from('旧的一行'))
    const bookId = await lin.upload(lin.library, '报销.xlsx', await documentOf('xlsx'))
    const screen = await signIn(lin.account)
    const choose = async (file: string, entry: string): Promise<void> => {
      await screen.click(item(file), 'context')
      await screen.click(named('menuitem', entry, false))
    }
    await choose('备忘.txt', '编辑')
    await screen.click({ css: '[role=dialog] .cm-content' })
    await screen.driver.press('End', true)
    // WebKit's driver has no keys for Chinese characters in editors.
    await screen.driver.type(' and two booths')
    await screen.shown({ css: '.cm-line', name: '旧的一行 and two booths' })
    await screen.driver.press('s', true)
    await screen.until(async () => (await lin.download(textId)).toString().includes('two booths'), '备忘.txt')
    await screen.click({ ...named('button', '关闭'), within: { role: 'dialog' } })
    await screen.gone({ role: 'dialog' })

    await choose('报销.xlsx', '编辑')
    // Debian's WebKit has no pointer events of the mouse, by which cells are chosen.
    await screen.enter({ css: '[aria-label="转到"]' }, 'A4')
    await screen.driver.press('Enter', false)
    await screen.shown({ css: '.gr-active[data-ref="A4"]' })
    await screen.shown({ css: '[role=grid] textarea', focused: true })
    await screen.driver.type('travel')
    await screen.driver.press('Enter', false)
    await screen.shown({ css: '.gr-cell[data-ref="A4"]', name: 'travel' })
    await drawn(screen, 'grid')
    await screen.driver.press('s', true)
    const holds = async (): Promise<boolean> =>
      [...(await partsOf(await lin.download(bookId))).values()].some((part) => part.includes('travel'))
    await screen.until(holds, '报销.xlsx')
  })

  test('two people see each other’s changes at once, and a skin and a language stay', async () => {
    const lin = await company.person(`${name}-xu`, '徐静')
    const folderId = await company.sharedFolder(`${name} 共用`, rightsGroup.edit, [lin])
    const screen = await signIn(lin.account)
    await screen.driver.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
    await screen.shown({ css: '[role=grid]' })
    await company.admin.upload(folderId, '刚刚上传.txt', Buffer.from('新'))
    await screen.shown(item('刚刚上传.txt'))
    await screen.driver.ask((skin) => localStorage.setItem('skin', skin), 'black')
    await screen.driver.ask((locale) => localStorage.setItem('locale', locale), 'en')
    await screen.driver.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
    await screen.shown({ css: 'html[data-skin=black]' })
    await screen.shown(named('button', 'Upload', false))
    await drawn(screen, 'black')
  })

  test('no page of the above has logged an error', async () => {
    expect((await opened).problems).toEqual([])
  })
})
