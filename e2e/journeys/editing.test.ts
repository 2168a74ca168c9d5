// Editing text in the page: input method input, saving, recovery after a crash, and no loss through concurrent changes.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { controlAddress, rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { writable } from '../pages/writable.ts'
import { callWith, openCompany, password } from './company.ts'
import { draftOf } from './drafts.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')

const signIn = async () => new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)

// [R171] A text is edited in the page.
// [R186] The list of files edited in this browser, with unsubmitted drafts.
test('[R171] [R174] [R186] [R198] a text is edited, found again after a crash, and saved on top of or beside what others made of it', async () => {
  const fileId = await lin.upload(lin.library, '接口说明.md', Buffer.from('第一行\r\n第二行\n'))
  const textOf = async () => (await lin.download(fileId)).toString()
  const versionNow = async () => (await lin.call('getFileInfo', { fileId })).version
  const files = await signIn()
  const { page } = files
  const editor = page.getByRole('dialog', { name: '接口说明.md' })
  const words = editor.getByRole('textbox', { name: '接口说明.md' })
  await files.choose('接口说明.md', '编辑')
  await words.getByText('第二行').waitFor()
  await files.row('接口说明.md').getByText('林夏 正在编辑').waitFor({ state: 'attached' })

  // As with an input method: composed text is not in the document before it is chosen.
  const typed = await page.context().newCDPSession(page)
  await writable(words).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Control+End')
  await typed.send('Input.imeSetComposition', { text: 'jie kou', selectionStart: 7, selectionEnd: 7 })
  await typed.send('Input.insertText', { text: '接口' })
  await page.keyboard.press('Control+s')
  await editor.getByText(/已保存 .* · 第 2 版/).waitFor()
  expect(await textOf()).toBe('第一行\r\n第二行\n接口')

  // Zooms in by the wheel; the line numbers scale as well.
  await words.hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await editor.getByText('110%').waitFor()
  const top = async (one: string) => (await editor.locator(one).last().boundingBox())?.y
  await expect.poll(async () => (await top('.cm-lineNumbers .cm-gutterElement')) === (await top('.cm-line'))).toBe(true)

  // After a tab crash, the draft is offered when the file is opened again.
  await page.keyboard.type('两')
  const draft = () => draftOf(page, fileId)
  await expect.poll(draft).toBe('第一行\r\n第二行\n接口两')
  await page.reload()
  // From the viewer, by its edit button.
  await files.open('接口说明.md')
  await page.getByRole('dialog').getByRole('button', { name: '编辑', exact: true }).click()
  await editor.getByRole('button', { name: '恢复' }).click()
  await words.getByText('接口两').waitFor()

  // The lock is released meanwhile, and another user makes a version.
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'cloudoc_session')
  const another = async (text: string) => {
    await callWith(company.url, cookie?.value ?? '', 'fileEditUnlock', { fileId })
    const url = `${company.url}/services2/upload/submit/${fileId}?expectedVersion=${await versionNow()}`
    const headers = { authorization: `Bearer ${lin.token}`, 'content-type': 'application/octet-stream' }
    await fetch(url, { method: 'PUT', headers, body: text })
  }
  await another('别人的')
  const conflict = page.getByRole('dialog', { name: '文件在你编辑时有了新版本' })
  const choose = async (choice: RegExp, { isUnlocked = false } = {}) => {
    await page.keyboard.press('Control+s')
    if (isUnlocked) await page.getByRole('button', { name: '重新锁定并保存' }).click()
    await conflict.getByRole('radio', { name: choice }).check()
    await conflict.getByRole('button', { name: '继续' }).click()
    await conflict.waitFor({ state: 'detached' })
  }
  await choose(/先不提交/, { isUnlocked: true })
  expect([await versionNow(), await textOf()]).toEqual([3, '别人的'])
  const download = page.waitForEvent('download')
  await choose(/另存为/)
  expect((await download).suggestedFilename()).toBe('接口说明（林夏）.md')
  await choose(/覆盖，成为第 4 版/)
  await editor.getByText(/已保存 .* · 第 4 版/).waitFor()
  expect(await textOf()).toBe('第一行\r\n第二行\n接口两')

  await editor.getByRole('button', { name: '关闭', exact: true }).click()
  await editor.waitFor({ state: 'detached' })
  await expect.poll(async () => (await lin.call('getFileInfo', { fileId })).editorId).toBe(-1)

  // The draft of a closed tab is submitted from the list of local edits, which then no longer lists it.
  await files.choose('接口说明.md', '编辑')
  await words.getByText('接口两').waitFor()
  await editor.getByText('没有改动').waitFor()
  await writable(words).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('三')
  await expect.poll(draft).toBe('第一行\r\n第二行\n接口两三')
  await page.goto(`${company.url}/doc/folder/recently/submit`)
  await page.getByRole('button', { name: '编辑记录' }).click()
  const records = page.getByRole('dialog', { name: '编辑记录' })
  await records.getByText('有改动没有提交').waitFor()
  await records.getByRole('button', { name: '提交“接口说明.md”的改动' }).click()
  await records.getByText('没有未提交的改动').waitFor()
  expect(await records.getByRole('button', { name: '放弃' }).count()).toBe(0)
  expect([await versionNow(), await textOf()]).toEqual([5, '第一行\r\n第二行\n接口两三'])
  await expect.poll(async () => (await lin.call('getFileInfo', { fileId })).editorId).toBe(-1)
})

// [R182] The page of the office server in a window of the client, from the file's menu.
test('[R148] [R182] a file is opened on the page of an office server, in a window, by whoever may change it', async () => {
  const office = fork(fileURLToPath(new URL('../../packages/server/test/office-server.ts', import.meta.url)))
  const [{ port }] = (await once(office, 'message')) as [{ port: number }]
  try {
    await company.admin.call('setServerSetting', { multi_edit_type: 2, office_server: `http://127.0.0.1:${port}` })
    await lin.upload(lin.library, '供货合同.docx', Buffer.from('first'))
    const files = await signIn()
    await files.choose('供货合同.docx', '多人编辑')
    const shown = files.page.getByRole('dialog', { name: '供货合同.docx' }).frameLocator('iframe')
    await shown.getByText('Office: 供货合同.docx').waitFor()
  } finally {
    office.kill()
    await company.admin.call('setServerSetting', { multi_edit_type: 0, office_server: '' })
  }
})

// [R362] In part (edit; the sandbox schemes come with its driver, X42): an address with eight parameters opens a file
// in a local program, which submits the next version under its lock.
test('[R182] [R362] a file is edited with a program of the machine, where a control program answers', async () => {
  const program = fork(fileURLToPath(new URL('../../packages/server/test/control-program.ts', import.meta.url)), [
    '1.4.0',
  ])
  const [{ port }] = (await once(program, 'message')) as [{ port: number }]
  try {
    const control = { edit_control_version: '1.4.0', edit_control_address: '' }
    await company.admin.call('setServerSetting', { local_edit: true, ...control })
    const fileId = await lin.upload(lin.library, '总图.dwg', Buffer.from('lines'))
    const done = once(program, 'message')
    const page = await browser.open(company.url)
    // A free port: two runs on one machine must not conflict at the documented port.
    await page.routeWebSocket(controlAddress, (asking) => {
      const there = new WebSocket(`ws://127.0.0.1:${port}`)
      const open = once(there, 'open')
      asking.onMessage((told) => void open.then(() => there.send(String(told))))
      there.addEventListener('message', ({ data }) => asking.send(String(data)))
      asking.onClose(() => there.close())
    })
    await page.reload()
    const files = await new LoginPage(page).signIn(company.account('linxia'), password)
    // Replaces the operating system, which passes such addresses to the control program.
    await page.exposeFunction('openOnMachine', (address: string) => program.send(address))
    await files.page.evaluate(() => {
      HTMLAnchorElement.prototype.click = function click() {
        ;(window as unknown as { openOnMachine: (address: string) => void }).openOnMachine(this.href)
      }
    })
    await files.choose('总图.dwg', '用本机程序编辑')
    await files.page.getByText('正在用本机程序打开“总图.dwg”').waitFor()
    await done
    expect(String(await lin.download(fileId))).toBe('lines, and what a program wrote')
  } finally {
    program.kill()
    await company.admin.call('setServerSetting', { local_edit: false })
  }
})

// [R180] On the screen: one requests, the other saves and releases, the file is reserved for the requester; after a
// forced unlock the typed content can be saved as another file.
test('[R149] [R171] [R179] [R180] [R181] [R339] who wants a file asks for it and has it when it is left; whose lock is forced keeps every word', async () => {
  const wang = await company.person('wangmin', '王敏')
  const folderId = await lin.folder(lin.library, '共用')
  const fileId = await lin.upload(folderId, '计划.md', Buffer.from('第一行\n'))
  const entries = [{ subjectType: 'user' as const, subjectId: wang.userId, rights: rightsGroup.edit }]
  await lin.call('setShareList', { folderId, inherit: false, entries })
  const textOf = async () => (await lin.download(fileId)).toString()
  const openFolder = async (account: string) => {
    const files = await new LoginPage(await browser.open(company.url)).signIn(company.account(account), password)
    await files.page.goto(`${company.url}/doc/folder/files?itemIdStr=s0f-${folderId}`)
    return files
  }
  const [hers, his] = [await openFolder('wangmin'), await openFolder('linxia')]
  const editorOn = ({ page }: typeof hers) => page.getByRole('dialog', { name: '计划.md' })
  const type = async (files: typeof hers, words: string): Promise<void> => {
    await writable(editorOn(files).getByRole('textbox')).getByText('第一行').click()
    await files.page.keyboard.press('Control+End')
    await files.page.keyboard.type(words)
  }

  // She edits; he requests the lock; she saves and hands the lock over.
  await hers.choose('计划.md', '编辑')
  await type(hers, '她的')
  await his.choose('计划.md', '编辑')
  const asking = his.page.getByRole('dialog', { name: '打开 计划.md' })
  await asking.getByRole('radio', { name: /让我编辑/ }).check()
  await asking.getByRole('button', { name: '确定' }).click()
  await editorOn(hers).getByText('林夏 想编辑这个文件').waitFor()
  await editorOn(hers).getByRole('button', { name: '保存并交出' }).click()
  await hers.page.getByText('已交给 林夏').waitFor()
  const turn = his.page.getByRole('dialog', { name: '可以编辑了' })
  await turn.getByText(/最新是第 2 版/).waitFor()
  await turn.getByRole('button', { name: '打开最新版' }).click()
  await type(his, '他的')
  await his.page.keyboard.press('Control+s')
  await editorOn(his)
    .getByText(/已保存 .* · 第 3 版/)
    .waitFor()
  expect(await textOf()).toBe('第一行\n她的他的')
  await editorOn(his).getByRole('button', { name: '关闭', exact: true }).click()
  await editorOn(his).waitFor({ state: 'detached' })
  // The file is free once the server and her page know it.
  await expect.poll(async () => (await lin.call('getFileInfo', { fileId })).editorId).toBe(-1)
  await hers.row('计划.md').getByText('林夏 正在编辑').waitFor({ state: 'detached' })

  // She edits again; he removes the lock by force; she can download her unsaved text.
  await hers.choose('计划.md', '编辑')
  await type(hers, '没保存')
  await his.choose('计划.md', '强制解锁')
  const force = his.page.getByRole('dialog', { name: '强制解锁' })
  await force.getByText('结束 王敏 对这个文件的编辑？').waitFor()
  await force.getByRole('button', { name: '强制解锁' }).click()
  const notice = hers.page.getByRole('dialog', { name: '文件已被解锁' })
  await notice.getByText('林夏 解除了你对文件的锁定').waitFor()
  const copy = hers.page.waitForEvent('download')
  await notice.getByRole('button', { name: '另存' }).click()
  expect(await readFile((await (await copy).path()) ?? '', 'utf8')).toBe('第一行\n她的他的没保存')
  expect(await textOf()).toBe('第一行\n她的他的')
})
