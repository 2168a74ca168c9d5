// Errors during work on files: in each case the users keep what they had, and get one clear message.
import { codes, rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import type { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { writable } from '../pages/writable.ts'
import { callWith, openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')

const open = async (): Promise<FilesPage> =>
  new LoginPage(await browser.open(company.url)).signIn(company.account('linxia'), password)

test('[R120] names that cannot be are refused below the field, the typed text stays and nothing changes', async () => {
  const fileId = await lin.upload(lin.library, '纪要.txt', Buffer.from('正文'))
  const files = await open()
  await files.select('纪要.txt')
  await files.page.keyboard.press('F2')
  const illegal = /^名称不能为空，不能含/
  const cases: [string, RegExp][] = [
    ['a/b.txt', illegal],
    ['con.txt', illegal],
    ['  ', illegal],
    ['发票\u202Efdp.txt', illegal],
    ['纪\u200B要.txt', illegal],
    [`${'长'.repeat(300)}.txt`, /^名称最多 255 个字符$/],
  ]
  for (const [name, text] of cases) {
    await files.nameField.fill(name)
    await files.page.keyboard.press('Enter')
    await files.grid.getByRole('alert').getByText(text).waitFor()
    expect(await files.nameField.inputValue()).toBe(name)
  }
  await files.page.keyboard.press('Escape')
  await files.row('纪要.txt').waitFor()
  expect((await lin.call('getFileInfo', { fileId })).fName).toBe('纪要.txt')

  // With slow answers, a new folder can be named as soon as it is created: no other request comes first.
  await files.page.route(/getFolderInfo|getSubItemList3/, () => undefined)
  await files.page.keyboard.press('Alt+m')
  await files.nameField.waitFor()
})

// [R120] On a slow server a renamed item shows its new name with the answer; a deletion or opening in progress is shown
// and done once.
test('[R120] on a slow server what was asked for is said to be on its way, and is done once', async () => {
  const folderId = await lin.folder(lin.library, '慢')
  for (const name of ['甲.txt', '乙.md']) await lin.upload(folderId, name, Buffer.from('1'))
  const files = await open()
  const { page } = files
  await files.openFolder('慢')
  /** Blocks the answers of matching calls until released; the returned function gives their number. */
  const slow = async (call: RegExp): Promise<() => number> => {
    const letGo = Promise.withResolvers<void>()
    let asked = 0
    await page.route(call, async (route) => {
      asked += 1
      await letGo.promise
      await route.continue()
    })
    return () => {
      letGo.resolve()
      return asked
    }
  }
  const deleting = await slow(/fileOrFolderDelete/)
  await files.select('甲.txt')
  await page.keyboard.press('Delete')
  await files.toasts.getByText('正在删除…').waitFor()
  await page.keyboard.press('Delete')
  expect(deleting()).toBe(1)
  await files.row('甲.txt').waitFor({ state: 'detached' })
  await files.toasts.getByText('正在删除…').waitFor({ state: 'detached' })

  const opening = await slow(/fileEditLock/)
  await files.select('乙.md')
  await page.keyboard.press('F4')
  await files.toasts.getByText('正在打开…').waitFor()
  await page.keyboard.press('F4')
  expect(opening()).toBe(1)
  const editor = page.getByRole('dialog', { name: '乙.md' })
  await writable(editor.getByRole('textbox')).waitFor()
  expect(opening()).toBe(1)
  await editor.getByRole('button', { name: '关闭', exact: true }).click()
  await editor.waitFor({ state: 'detached' })

  // The new name appears with its answer, without waiting for other requests.
  await page.route(/getFileItemInfo|getSubItemList3/, () => undefined)
  await files.select('乙.md')
  await page.keyboard.press('F2')
  await files.nameField.fill('丙.md')
  await page.keyboard.press('Enter')
  await files.row('丙.md').waitFor()
})

longTest(
  '[R130] the longest names end with their extension right behind the ellipsis, and those written from the right stay in their row',
  async () => {
    const folderId = await lin.folder(lin.library, '长名')
    const long = `${'关于渠道合作协议补充条款的说明'.repeat(16)}终稿.docx`
    const arabic = `${'تقرير المبيعات السنوي '.repeat(9).trim()}.docx`
    for (const name of [long, arabic, `${'W'.repeat(240)}.pdf`]) await lin.upload(folderId, name, Buffer.from('1'))
    const files = await open()
    await files.openFolder('长名')
    for (const view of ['Alt+1', 'Alt+2']) {
      await files.page.keyboard.press(view)
      await files.row(long).waitFor()
      await files.page.evaluate(() => new Promise(requestAnimationFrame))
      const names = await files.page.locator('.dr-name').evaluateAll((all) =>
        all.map((name) => {
          const [head, tail] = [...name.children].map((part) => part.getBoundingClientRect())
          const room = name.parentElement?.getBoundingClientRect()
          const range = document.createRange()
          const text = name.firstElementChild?.firstChild
          if (!head || !tail || !room || !text) throw new Error('a name is not in two parts')
          range.selectNodeContents(text)
          return {
            cut: range.getBoundingClientRect().width > head.width,
            gap: tail.left - head.right,
            over: tail.right - room.right,
          }
        }),
      )
      expect(names).toHaveLength(3)
      for (const { cut, gap, over } of names) {
        expect(cut).toBe(true)
        expect(Math.abs(gap)).toBeLessThan(1)
        expect(over).toBeLessThanOrEqual(0)
      }
      // The visible text ends with a whole character: the gap before the ellipsis is narrower than one character.
      const room = await files
        .row(long)
        .locator('.dr-name > span')
        .first()
        .evaluate((head) => (head as HTMLElement).style.maxWidth)
      expect(room).toMatch(/px$/)
    }
    await files.page.keyboard.press('Alt+1')
  },
)

longTest('[R035] a session that ends in the middle of a drag asks for the password, and the drop is done', async () => {
  const target = await lin.folder(lin.library, '收件')
  await lin.upload(lin.library, '待归档.txt', Buffer.from('1'))
  const files = await open()
  const { page } = files
  const box = async (name: string): Promise<{ x: number; y: number }> => {
    const found = await files.row(name).getByTitle(name, { exact: true }).boundingBox()
    if (found === null) throw new Error(`${name} is not drawn`)
    return { x: found.x + 8, y: found.y + 8 }
  }
  const [from, to] = [await box('待归档.txt'), await box('收件')]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (const by of [2, 3, 4]) await page.mouse.move(to.x + by, to.y)
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'cloudoc_session')?.value ?? ''
  await callWith(company.url, token, 'logout2', {})
  await page.mouse.up()
  const dialog = files.dialog('登录已过期')
  await dialog.getByLabel('密码', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: '继续' }).click()
  await files.row('待归档.txt').waitFor({ state: 'detached' })
  expect(await lin.names(target)).toEqual(['待归档.txt'])
})

test('a folder that is deleted under somebody says so in its place, and leads on', async () => {
  const folderId = await lin.folder(lin.library, '临时')
  await lin.folder(folderId, '里面')
  const files = await open()
  await files.openFolder('临时')
  await files.row('里面').waitFor()
  await lin.call('fileOrFolderDelete', { folderIdArray: [folderId] })
  await files.page.getByText('你还不能打开这个文件夹').waitFor()
  await files.page.getByRole('button', { name: '回到我的文档' }).click()
  await files.folder('林夏').waitFor()
  expect(await files.row('临时').count()).toBe(0)
})

longTest(
  'without the network what is shown stays, a change is refused with the reason, and goes on when it is back',
  async () => {
    await lin.folder(lin.library, '离线')
    const files = await open()
    const { page } = files
    await files.row('离线').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('alert').getByText('网络已断开').waitFor()
    await files.select('离线')
    await page.keyboard.press('F2')
    await files.toasts.getByText('不能重命名：网络已断开，恢复连接后可用').waitFor()
    expect(await files.nameField.count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByText('已连接').waitFor()
    await files.select('离线')
    await page.keyboard.press('F2')
    await files.nameField.fill('在线')
    await page.keyboard.press('Enter')
    await files.row('在线').waitFor()
    // The browser's own messages about failed requests are not errors of the page.
    const problems = browser.problems.splice(0)
    expect(problems.filter((text) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(text))).toEqual([])
  },
)

longTest(
  '[R120] of files with names that cannot be the good one arrives, the others are listed with their reason',
  async () => {
    const folderId = await lin.folder(lin.library, '外来')
    const files = await open()
    await files.openFolder('外来')
    const wrong = [`${'长'.repeat(300)}.txt`, '发票\u202Efdp.txt', '纪\u200B要.txt']
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('1') })
    await files.chooseFiles([...wrong, '好.txt'].map(file))
    await files.row('好.txt').waitFor()
    await files.transfers.getByText('成功 1 个，未成功 3 个').waitFor()
    await files.transfers.getByRole('button', { name: '查看' }).click()
    for (const name of wrong) await files.dialog('传输详情').getByTitle(name, { exact: true }).waitFor()
    expect(
      await files
        .dialog('传输详情')
        .getByText(/请改名后再上传/)
        .count(),
    ).toBe(3)
    expect(await lin.names(folderId)).toEqual(['好.txt'])
  },
)

longTest('a name written from the right does not turn the sentence around it', async () => {
  const arabic = 'تقرير المبيعات.txt'
  const folderId = await lin.folder(lin.library, 'ملفات')
  await lin.upload(folderId, arabic, Buffer.from('1'))
  const files = await open()
  const { page } = files
  await files.openFolder('ملفات')
  await files.select(arabic)
  await page.keyboard.press('Delete')
  await files.toasts.getByText(`已将 \u2068${arabic}\u2069 移到回收站`).waitFor()
  await page.keyboard.press('Control+z')
  await files.row(arabic).waitFor()
  await files.select(arabic)
  await page.keyboard.press('Shift+Delete')
  await files.dialog('彻底删除').getByTitle(arabic, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await files.dialog('彻底删除').waitFor({ state: 'detached' })
})

longTest(
  '[R383] when the server’s disk is full an upload and a new folder say so in one sentence, and work when there is room',
  async () => {
    const folderId = await lin.folder(lin.library, '满')
    const files = await open()
    const { page } = files
    await files.openFolder('满')
    const full = { result: codes.capacityNotSatisfied.code, data: null, msg: codes.capacityNotSatisfied.zh }
    const calls = /\/operate\/(folderCreate|createFolder|addFolder)|\/upload\/(raw|uploadOpen)/
    await page.route(calls, (route) => route.fulfill({ json: full }))
    await files.chooseFiles([{ name: '账本.txt', mimeType: 'text/plain', buffer: Buffer.from('账') }])
    await files.transfers.getByText('空间不足。请清理空间或请管理员扩容，然后重试').waitFor()
    await page.getByRole('button', { name: '新建', exact: true }).click()
    await page.getByRole('menuitem', { name: '新建文件夹' }).click()
    await files.toasts.getByText(codes.capacityNotSatisfied.zh).waitFor()
    expect(await files.grid.getByRole('textbox').count()).toBe(0)
    expect(await lin.names(folderId)).toEqual([])
    await page.unroute(calls)
    await files.transfers.getByRole('button', { name: '重试未成功的' }).click()
    await files.row('账本.txt').waitFor()
    expect(await lin.names(folderId)).toEqual(['账本.txt'])
  },
)

longTest(
  'a refused key says why and names whom to ask, and one that takes a single item offers to leave one',
  async () => {
    const chen = await company.person('chenxiao', '陈晓')
    const folderId = await company.sharedFolder('制度', rightsGroup.preview, [chen])
    for (const name of ['考勤', '差旅']) await company.admin.folder(folderId, name)
    const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('chenxiao'), password)
    const { page } = files
    await files.goTo('公司文档')
    await files.openFolder('制度')
    await files.select('考勤')
    await page.keyboard.press('Delete')
    await files.toasts.getByText(/^不能删除：/).waitFor()
    // If the missing right can be requested, the refusal offers it; the dialog names who decides ([R153]).
    await files.toasts.getByRole('button', { name: '申请授权' }).click()
    await files.dialog('申请权限').getByText('提交后由谁处理').waitFor()
    await page.keyboard.press('Escape')
    await files.select('考勤', '差旅')
    await files.expectChosen(2)
    await page.keyboard.press('F2')
    await files.toasts.getByRole('button', { name: '只选一项' }).click()
    await files.expectChosen(1)
  },
)

// [R178] The editor of a file is shown live.
test('[R178] who edits a file is shown live, and what that holds back says so until it is free', async () => {
  const [lin, zhou] = [await company.person('linxia2', '林夏'), await company.person('zhoujie', '周杰')]
  const folderId = await company.sharedFolder('会议', rightsGroup.edit, [lin, zhou])
  const fileId = await lin.upload(folderId, '纪要.txt', Buffer.from('第一稿'))
  const files = await new LoginPage(await browser.open(company.url)).signIn(company.account('zhoujie'), password)
  const { page } = files
  await files.goTo('公司文档')
  await files.openFolder('会议')
  await files.select('纪要.txt')
  await lin.call('fileEditLock', { fileId })
  await files.row('纪要.txt').getByText('林夏 正在编辑').waitFor()
  await page.keyboard.press('F2')
  await files.toasts.getByText(/^不能重命名：.*文件已被锁定/).waitFor()
  await page.keyboard.press('Delete')
  await files.toasts.getByText(/^不能删除：.*文件已被锁定/).waitFor()
  await lin.call('fileEditUnlock', { fileId })
  await files.row('纪要.txt').getByText('林夏 正在编辑').waitFor({ state: 'detached' })
  await page.keyboard.press('Delete')
  await files.row('纪要.txt').waitFor({ state: 'detached' })
})
