// Messaging beside the conversations: rules of the company, exports, groups of libraries, cards from the file list, the
// one search, and a conversation by keyboard alone.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [lin, zhou] = [await company.person('talkc-lin', '林秋实'), await company.person('talkc-zhou', '周明远')]
const pictures = process.env['PICTURES']
const uuid = () => crypto.randomUUID()

// [R081] The share pick window is 710x480, leaves out one's own account, and returns the picked receivers or nothing.
// [R293] One-to-one and group chat, the group of a library by itself, history, search, recall, read status, muting,
// pinning, and sharing of files and links from the drive.
test('[R293] [R301] [R081] a file is sent from its menu, found again with Ctrl+K, and its library has a group', async () => {
  await lin.upload(lin.library, '渠道政策说明文档.txt', Buffer.from('text'))
  const { conversationId } = await lin.call('imOpenChat', { userId: zhou.userId })
  await zhou.call('imSend', { conversationId, uuid: uuid(), type: 'text', value: '华南渠道的返点按季度结算' })
  const page = await browser.open(company.url)
  await new LoginPage(page).signIn(lin.account, password)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
  }
  await page.goto(`${company.url}/doc/folder/files?folderId=${lin.library}`)
  await page.getByText('渠道政策说明文档.txt').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: '协作' }).hover()
  await picture('talk-menu-send')
  await page.getByRole('menuitem', { name: '发送到聊天…' }).click()
  const pick = page.getByRole('dialog', { name: '发送给' })
  await pick.getByRole('button', { name: '周明远' }).first().click()
  await picture('talk-share-pick')
  const box = await pick.boundingBox()
  expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([710, 480])
  await pick.getByRole('button', { name: '发送给 1 个会话' }).click()
  await page.getByText('已发送给 1 个会话').waitFor()

  // The message is found by words inside it, and opened at its place.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('季度结算')
  const hit = page.getByRole('option', { name: /华南渠道的返点/ })
  await hit.waitFor()
  await picture('talk-palette')
  await hit.click()
  await page.locator('.im-item.is-marked', { hasText: '季度结算' }).waitFor()
  await page.locator('.im-card', { hasText: '渠道政策说明文档…文档.txt' }).first().waitFor()
  await picture('talk-card')

  await page.getByRole('tab', { name: '联系人' }).click()
  const library = page.getByRole('button', { name: /公司文档/ })
  await library.waitFor()
  await picture('talk-library-groups')
  await library.click()
  await page.getByRole('heading', { name: '公司文档' }).waitFor()
  await expectAccessible(page)
  expect(browser.problems.splice(0)).toEqual([])
})

// [R352] Asked before a conversation opens; a refusal says why.
test('[R352] [R299] the security administrator refuses a pair, which the screen of both respects; an export needs two others', async () => {
  const page = await browser.open(company.url)
  await new LoginPage(page).signIn('admin', password)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
  }
  await page.goto(`${company.url}/doc/admin/talk`)
  await page.getByRole('combobox', { name: '谁', exact: true }).fill('林秋实')
  await page
    .getByRole('option', { name: /林秋实/ })
    .first()
    .click()
  await page.getByRole('combobox', { name: '对谁', exact: true }).fill('周明远')
  await page
    .getByRole('option', { name: /周明远/ })
    .first()
    .click()
  await page.getByRole('button', { name: '添加规则' }).click()
  await page.getByRole('row', { name: /林秋实.*周明远/ }).waitFor()
  await picture('talk-admin-rules')
  await expectAccessible(page)
  const theirs = await browser.open(company.url)
  await new LoginPage(theirs).signIn(zhou.account, password)
  await theirs.goto(`${company.url}/im/index?user=${lin.userId}`)
  await theirs.getByText('公司不允许你给这位同事发消息').waitFor()
  await page.getByRole('button', { name: '删除规则' }).click()
  await page.getByText('没有限制').waitFor()
  await theirs.goto(`${company.url}/im/index?user=${lin.userId}`)
  await theirs.getByRole('textbox', { name: '输入消息' }).waitFor()

  await page.getByRole('tab', { name: '群聊' }).click()
  await page.getByRole('row').first().waitFor()
  await picture('talk-admin-groups')
  await page.getByRole('tab', { name: '导出记录' }).click()
  await page.getByRole('button', { name: '申请导出某人的消息' }).click()
  await page.getByRole('combobox', { name: '人员' }).fill('林秋实')
  await page
    .getByRole('option', { name: /林秋实/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: '原因' }).fill('合规检查')
  await page.getByLabel('从', { exact: true }).fill('2026-01-01')
  await page.getByLabel('到', { exact: true }).fill('2030-12-31')
  await page.getByRole('button', { name: '提交申请' }).click()
  await page.getByText('已同意 0/2').waitFor()
  await picture('talk-admin-exports')
  await expectAccessible(page)
  browser.problems.splice(0)
})

test('[R293] [R296] by keyboard alone: a conversation is opened, written in, answered, recalled and edited again', async () => {
  const { conversationId } = await lin.call('imOpenChat', { userId: zhou.userId })
  await zhou.call('imSend', { conversationId, uuid: uuid(), type: 'text', value: '键盘也能用吗' })
  const page = await browser.open(company.url)
  await new LoginPage(page).signIn(lin.account, password)
  await page.goto(`${company.url}/im/index`)
  const chat = page.getByRole('button', { name: /周明远/ }).first()
  await chat.waitFor()
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: at } = document
      return at === document.body ? '' : (at?.getAttribute('aria-label') ?? at?.textContent ?? '')
    })
  const tabTo = async (wanted: RegExp, key = 'Tab'): Promise<void> => {
    for (let n = 0; n < 60; n += 1) {
      if (wanted.test(await focused())) return
      await page.keyboard.press(key)
    }
    expect.fail(`never at ${wanted.source}, at the end at ${await focused()}`)
  }
  await tabTo(/周明远/)
  await page.keyboard.press('Enter')
  // The field of the opened conversation has the focus.
  await expect.poll(focused).toMatch(/输入消息/)
  await page.keyboard.type('可以')
  await page.keyboard.press('Enter')
  // Once it is stored it has a menu.
  await page.locator('.im-item .is-mine', { hasText: '可以' }).waitFor()
  await tabTo(/更多/, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: '撤回' }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.locator('.im-line', { hasText: '你撤回了一条消息' }).waitFor()
  await tabTo(/重新编辑/, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toMatch(/输入消息/)
  await page.keyboard.type('，都可以')
  await page.keyboard.press('Enter')
  await page.locator('.im-bubble', { hasText: '可以，都可以' }).waitFor()
  expect(browser.problems.splice(0)).toEqual([])
})
