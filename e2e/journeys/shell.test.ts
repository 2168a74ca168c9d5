// The frame around the files view: sign-in by a remembered login, an unreachable server, context menus of fields, the
// help.
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { longTest } from '../long-test.ts'
import { FilesPage } from '../pages/files-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

const company = await openCompany(await ownServer())
const browser = await openBrowser()
const lin = await company.person('linxia', '林夏')
await company.person('chenxiao', '陈晓')
const contracts = await lin.folder(lin.library, '合同')
await lin.upload(contracts, '采购框架合同.txt', Buffer.from('第一条'))

/** All content of the browser's databases and local storage, as text. */
function storedTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
      })
      for (const table of db.objectStoreNames) {
        all.push(
          await new Promise((resolve) => {
            const request = db.transaction(table).objectStore(table).getAll()
            request.onsuccess = () => resolve(request.result)
          }),
        )
      }
      db.close()
    }
    return JSON.stringify(all)
  })
}

const signOut = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: `账号: ${name}` }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('button', { name: '登录', exact: true }).waitFor()
}
const endSession = (page: Page): Promise<void> => page.context().clearCookies({ name: /^cloudoc_(session|account)$/ })

/** The server delivers pages, but calls fail. */
const goAway = async (page: Page): Promise<void> => {
  await page.route('**/services2/user/getMyAccountInfo**', (route) => route.abort())
}

test('the page of nobody asks nothing that is refused, and the console stays empty', async () => {
  const page = await browser.open('about:blank')
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.goto(company.url)
  await page.getByLabel('账号').waitFor()
  await page.waitForLoadState('networkidle')
  expect(said).toEqual([])
})

describe('a remembered login', () => {
  // [R028] A login is remembered and signs in automatically if chosen; deleting it ends it in the browser and on the
  // server.
  // [R030] The main server is signed in to automatically where that was chosen.
  test('[R028] [R030] [R393] signs in by itself, keeps no password, and is deleted by signing out', async () => {
    const page = await browser.open(company.url)
    await page.getByLabel('自动登录').check()
    expect(await page.getByLabel('记住密码').isChecked()).toBe(true)
    const files = await new LoginPage(page).signIn('linxia', password)
    await files.row('合同').waitFor()
    expect(await storedTexts(page)).not.toContain(password)
    await expect.poll(() => storedTexts(page)).toContain('"account":"linxia"')

    await endSession(page)
    await page.goto(company.url)
    await files.row('合同').waitFor()

    await signOut(page, '林夏')
    await expect.poll(() => page.getByLabel('账号').inputValue()).toBe('linxia')
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.getByText('请输入密码').waitFor()
    await expect.poll(() => storedTexts(page)).not.toContain('采购框架合同')
  })

  longTest('[R028] [R029] is chosen among several without its password, and can be forgotten', async () => {
    const page = await browser.open(company.url)
    for (const [account, name] of [
      ['linxia', '林夏'],
      ['chenxiao', '陈晓'],
    ] as const) {
      await page.getByLabel('账号').fill(account)
      await page.getByLabel('记住密码').check()
      await new LoginPage(page).signIn(account, password)
      await page.getByRole('button', { name: `账号: ${name}` }).waitFor()
      await endSession(page)
      await page.goto(`${company.url}/doc/login`)
    }
    await page.getByPlaceholder('已记住，可直接登录').waitFor()
    await page.getByRole('button', { name: '选择记住的登录' }).click()
    await page.getByRole('menuitemradio', { name: '林夏' }).click()
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.getByRole('button', { name: '账号: 林夏' }).waitFor()
    await endSession(page)
    await page.goto(`${company.url}/doc/login`)
    await page.getByPlaceholder('已记住，可直接登录').waitFor()
    await page.getByRole('button', { name: '选择记住的登录' }).click()
    await page.getByRole('menuitem', { name: '不再记住 linxia' }).click()
    await expect.poll(() => page.getByLabel('账号').inputValue()).toBe('')
    await page.getByRole('button', { name: '选择记住的登录' }).click()
    await expect.poll(() => page.getByRole('menuitemradio').allInnerTexts()).toEqual([expect.stringContaining('陈晓')])
  })

  // [R393] No password is stored; viewed data and the key are deleted when somebody signs out.
  longTest('[R393] copied into another browser signs nobody in', async () => {
    const page = await browser.open(company.url)
    await page.getByLabel('自动登录').check()
    await new LoginPage(page).signIn('chenxiao', password)
    const rows = JSON.parse(await storedTexts(page)) as { account?: string; authKey?: string }[][]
    const authKey = rows.flat().find(({ account }) => account === 'chenxiao')?.authKey ?? ''
    expect(authKey).not.toBe('')
    const thief = await fetch(`${company.url}/services/json/login/login3ByLoginKey`, {
      method: 'POST',
      body: new URLSearchParams({ loginKey: authKey, clientType: '6' }),
    })
    expect(await thief.json()).toMatchObject({ result: -69 })
    // Without the device cookie the page asks for the password.
    await page.context().clearCookies()
    await page.goto(company.url)
    await page.getByRole('button', { name: '登录', exact: true }).waitFor()
  })

  longTest('[R034] of somebody who signed in elsewhere does not take the session back', async () => {
    const page = await browser.open(company.url)
    await page.getByLabel('自动登录').check()
    await new LoginPage(page).signIn('linxia', password)
    await page.getByText('已连接').waitFor()
    const newer = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
    await page.getByRole('dialog', { name: '已下线' }).getByRole('button', { name: '重新登录' }).click()
    await page.getByRole('button', { name: '登录', exact: true }).waitFor()
    await newer.openFolder('合同')
    await newer.row('采购框架合同.txt').waitFor()
  })
})

describe('a server that is away', () => {
  // [R067] While the server is unreachable: reconnecting, reading of opened and viewed items with their age,
  // diagnostics.
  test('[R067] leaves what was seen to be read, says what is the matter, and is come back to at the same place', async () => {
    const page = await browser.open(company.url)
    const files = await new LoginPage(page).signIn('linxia', password)
    await files.openFolder('合同')
    await files.row('采购框架合同.txt').waitFor()
    const address = page.url()
    await files.open('采购框架合同.txt')
    await page.getByText('第一条').waitFor()
    // The browser stores it after the user has viewed it for a while.
    await expect.poll(() => storedTexts(page)).toContain('"name":"采购框架合同.txt"')
    await page.keyboard.press('Escape')
    await goAway(page)
    await page.reload()
    await page.getByRole('heading', { name: '现在无法连接服务器' }).waitFor()
    await page.getByRole('button', { name: '连接诊断' }).click()
    const diagnosis = page.getByRole('dialog', { name: '连接诊断' })
    await diagnosis.getByText(/^可以连接 · \d+ ms$/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '离线浏览' }).click()
    await page.getByRole('button', { name: /^合同/ }).click()
    await page.getByRole('button', { name: /^采购框架合同.txt/ }).click()
    const kept = page.getByRole('dialog', { name: '预览' })
    await kept.getByText('第一条').waitFor()
    await kept.getByText(/^现在连不上服务器，这是 .* 保存在本机的第 1 版/).waitFor()
    await page.keyboard.press('Escape')
    await page.unroute('**/services2/user/getMyAccountInfo**')
    await page.getByRole('button', { name: '立即重试' }).click()
    await files.row('采购框架合同.txt').waitFor()
    expect(page.url()).toBe(address)
    browser.problems.splice(0)
  })
})

// [R065] Fields have a menu: undo, redo, cut, copy, paste, select all.
longTest('[R065] a field has its own menu: what was cut there is pasted again, and undone', async () => {
  const page = await browser.open(company.url)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const field = page.getByLabel('账号')
  const choose = async (entry: string): Promise<void> => {
    await field.click({ button: 'right' })
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await field.fill('linxia')
  await choose('全选')
  await choose('剪切')
  expect(await field.inputValue()).toBe('')
  await choose('粘贴')
  await expect.poll(() => field.inputValue()).toBe('linxia')
  await choose('撤销')
  expect(await field.inputValue()).toBe('')
})

// [R064] The side buttons of a mouse navigate back and forward within the page, not out of it.
longTest('[R064] the side buttons of a mouse go back and forward in the page', async () => {
  const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
  await files.openFolder('合同')
  const press = (button: number): Promise<void> =>
    files.grid.dispatchEvent('mouseup', { button, bubbles: true, cancelable: true })
  await press(3)
  await files.folder('林夏').waitFor()
  await press(4)
  await files.folder('合同').waitFor()
})

// [R061] Navigation goes back through places, also after a reload and beyond what the browser's history still holds.
longTest(
  '[R061] a hundred places are gone back through, also those that the browser has let go of, and after a reload',
  async () => {
    const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
    const { page } = files
    await files.folder('林夏').waitFor()
    // More than the browser's history holds; in the full run more than the client stores.
    const visited = inject('full') ? 110 : 60
    const nameOf = (place: number): string => (place % 2 === 1 ? '合同' : '林夏')
    await files.openFolder(nameOf(1))
    for (let place = 2; place <= visited; place++) await files.goTo(nameOf(place))
    const oldest = Math.max(0, visited - 99)
    for (let place = visited - 1; place >= oldest; place--) {
      await page.keyboard.press('Alt+ArrowLeft')
      await files.folder(nameOf(place)).waitFor()
      if (place === visited - 30 || place === oldest + 20) {
        await page.reload()
        await files.folder(nameOf(place)).waitFor()
      }
    }
    await page.getByRole('button', { name: '后退', exact: true }).and(page.locator(':disabled')).waitFor()
    for (let place = oldest + 1; place <= oldest + 10; place++) {
      await page.keyboard.press('Alt+ArrowRight')
      await files.folder(nameOf(place)).waitFor()
    }
    // A new navigation from this point clears the forward history.
    await files.goTo(nameOf(oldest + 11))
    await page.getByRole('button', { name: '前进', exact: true }).and(page.locator(':disabled')).waitFor()
    await page.keyboard.press('Alt+ArrowLeft')
    await files.folder(nameOf(oldest + 10)).waitFor()
  },
)

longTest('"?" shows the keys, in a field it is a character, and it can be switched off', async () => {
  const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
  const { page } = files
  const help = files.dialog('键盘快捷键')
  await files.openSearch()
  await page.keyboard.type('?')
  await expect.poll(() => files.search.inputValue()).toBe('?')
  await page.keyboard.press('Escape')
  await files.row('合同').click()
  await page.keyboard.press('?')
  await help.getByText('重命名').waitFor()
  await help.getByLabel('按 ? 打开此窗口').uncheck()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  expect(await help.count()).toBe(0)
  await page.getByRole('button', { name: '账号: 林夏' }).click()
  await page.getByRole('menuitem', { name: '键盘快捷键' }).click()
  await help.waitFor()
})

longTest('[R003] in any skin axe finds no barrier on the login page with an error, a menu and a window', async () => {
  const page = await browser.open(company.url)
  // The failure must not be counted, or the next user would get a captcha.
  await page.route(/\/login\/login(3|InEncrypt)/, (route) =>
    route.fulfill({ json: { result: -21, data: null, msg: '' } }),
  )
  await page.getByLabel('账号').fill('nobody')
  await page.getByLabel('密码', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByText('账号或密码不正确').waitFor()
  await expectAccessible(page)
  await page.getByLabel('账号').click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '连接诊断' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '重新检测' }).and(page.locator(':enabled')).waitFor()
  await expectAccessible(page)
})

longTest('[R003] in any skin axe finds no barrier where the server is away, and in what was seen', async () => {
  const page = await browser.open(company.url)
  const files = await new LoginPage(page).signIn('linxia', password)
  await files.openFolder('合同')
  await files.row('采购框架合同.txt').waitFor()
  await goAway(page)
  await page.reload()
  await page.getByRole('heading', { name: '现在无法连接服务器' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: '离线浏览' }).click()
  await page.getByRole('button', { name: /^合同/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^合同/ }).click()
  await expectAccessible(page)
  browser.problems.splice(0)
})

longTest('[R003] in any skin axe finds no barrier in message boxes, the help and the account’s menu', async () => {
  const files = new FilesPage(await browser.open(company.url))
  const { page } = await new LoginPage(files.page).signIn('chenxiao', password)
  await page.getByRole('button', { name: '账号: 陈晓' }).click()
  await page.getByRole('menu').waitFor()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: '键盘快捷键' }).click()
  await files.dialog('键盘快捷键').getByText('重命名').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '账号: 陈晓' }).click()
  await page.getByRole('menuitem', { name: '修改密码' }).click()
  await files.dialog('修改密码').getByLabel('当前密码').fill('x')
  await files.dialog('修改密码').getByRole('button', { name: '修改', exact: true }).click()
  await expectAccessible(page)
  await files.dialog('修改密码').getByRole('button', { name: '关闭' }).click()
  await files.dialog('放弃未保存的内容？').waitFor()
  await expectAccessible(page)
})

longTest(
  '[R003] [R066] in any skin axe finds no barrier while files are dragged over a folder, and where a part of the program did not come',
  async () => {
    const files = await new LoginPage(await browser.open(company.url)).signIn('linxia', password)
    const { page } = files
    await files.row('合同').waitFor()
    await page.getByRole('main').evaluate((main) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['a'], 'a.txt'))
      const { left, top, width, height } = main.getBoundingClientRect()
      const at = { clientX: left + width / 2, clientY: top + height - 80 }
      for (const type of ['dragenter', 'dragover']) {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, ...at })
        document.elementFromPoint(at.clientX, at.clientY)?.dispatchEvent(event)
      }
    })
    await page.getByRole('status').getByText('林夏').waitFor()
    await expectAccessible(page)

    await page.route('**/assets/*.js', (route) => route.abort())
    await page.getByRole('link', { name: '传输' }).first().click()
    await page.getByRole('heading', { name: '客户端已更新' }).waitFor()
    await expectAccessible(page)
    browser.problems.splice(0)
  },
)
