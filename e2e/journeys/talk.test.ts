// Two people and a group on three browsers: messages, a pasted picture, a card without rights, recall, offline, phone.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectAccessible } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, chen, he] = [
  await company.person('talk-xia', '林夏'),
  await company.person('talk-chen', '陈晓'),
  await company.person('talk-he', '何律'),
]
const pictures = process.env['PICTURES']

/** A picture of one red pixel, as a screenshot on the clipboard is pasted. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

// [R057] The chat page with the list of conversations, the open conversation and its details; its address keeps the place.
// [R296] A recalled message gets the recall flag on every screen; what is unread becomes read when its conversation is
// opened.
// [R282] The watermark of conversations has tiles of 100x100.
test('[R057] [R282] [R293] [R296] [R298] two people talk: texts, a pasted picture, a card without rights, recall, read, offline and back', async () => {
  const [mine, theirs] = [await browser.open(company.url), await browser.open(company.url)]
  await new LoginPage(mine).signIn(xia.account, password)
  await new LoginPage(theirs).signIn(chen.account, password)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await mine.screenshot({ path: join(pictures, `${name}.png`) })
  }

  await mine.goto(`${company.url}/im/index?user=${chen.userId}`)
  const field = mine.getByRole('textbox', { name: '输入消息' })
  await field.fill('合同定稿了，https://example.com/a。请看')
  // The Enter of an input method chooses a candidate and sends nothing.
  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, keyCode: 229 })
  expect(await mine.locator('.im-message').count()).toBe(0)
  await field.press('Enter')
  await mine.getByText('未读', { exact: true }).waitFor()
  await picture('talk-direct-blue')
  const tiles = mine.locator('.im-watermark').first()
  expect(await tiles.evaluate((element) => getComputedStyle(element).backgroundSize)).toBe('100px 100px')

  // The other person sees the badge on another page, opens the conversation, and the sender sees that it was read.
  await theirs.getByRole('status', { name: '1 条未读消息' }).first().waitFor()
  await theirs.getByRole('link', { name: /^消息/ }).click()
  await theirs.locator('.im-chat', { hasText: '林夏' }).click()
  await theirs.getByRole('link', { name: 'https://example.com/a' }).waitFor()
  await mine.getByText('已读', { exact: true }).waitFor()

  // A pasted picture.
  await field.focus()
  await mine.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], '截图.png', { type: 'image/png' }))
    document
      .querySelector('.im-field textarea')
      ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, onePixel)
  await theirs.getByRole('button', { name: '截图.png' }).click()
  await theirs.getByRole('img', { name: '截图.png' }).last().waitFor()
  await theirs.getByRole('button', { name: '取消' }).click()

  // A card of a file that the reader cannot see: nothing of it is shown, the reader asks, the sender grants.
  const fileId = await xia.upload(xia.library, '渠道协议.txt', Buffer.from('text'))
  const { conversationId } = await xia.call('imOpenChat', { userId: chen.userId })
  await xia.call('imSend', { conversationId, uuid: crypto.randomUUID(), type: 'share', fType: 1, fId: fileId })
  await theirs.locator('.im-card', { hasText: '你没有权限查看这个云文档' }).waitFor()
  expect(await theirs.getByText('渠道协议').count()).toBe(0)
  await theirs.getByRole('button', { name: '申请权限' }).click()
  await mine.locator('.im-bubble', { hasText: '请给我权限' }).waitFor()
  await mine.getByRole('button', { name: '授权预览' }).click()
  await theirs.reload()
  await theirs.locator('.im-card', { hasText: '渠道协议.txt' }).waitFor()

  // Recalled and written again.
  await field.fill('写错了')
  await field.press('Enter')
  await theirs.locator('.im-bubble', { hasText: '写错了' }).waitFor()
  await mine.locator('.im-bubble', { hasText: '写错了' }).click({ button: 'right' })
  await mine.getByRole('menuitem', { name: '撤回' }).click()
  await theirs.locator('.im-line', { hasText: '林夏撤回了一条消息' }).waitFor()
  expect(await theirs.locator('.im-bubble', { hasText: '写错了' }).count()).toBe(0)
  await mine.getByRole('button', { name: '重新编辑' }).click()
  expect(await field.inputValue()).toBe('写错了')
  await field.fill('写对了')
  await field.press('Enter')
  await theirs.locator('.im-bubble', { hasText: '写对了' }).waitFor()

  // Without a connection messages wait in order, and are sent once it is back.
  await mine.context().setOffline(true)
  for (const text of ['离线一', '离线二']) {
    await field.fill(text)
    await field.press('Enter')
  }
  await mine.locator('.im-bubble', { hasText: '离线二' }).waitFor()
  await mine.context().setOffline(false)
  await theirs.locator('.im-bubble', { hasText: '离线二' }).waitFor({ timeout: 60_000 })
  const texts = await theirs.locator('.im-bubble').allTextContents()
  expect(texts.slice(-3)).toEqual(['写对了', '离线一', '离线二'])
  await expectAccessible(mine)
  await picture('talk-direct-end-blue')
  // The page that was offline has logged that.
  const other = browser.problems.splice(0).filter((problem) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(problem))
  expect(other).toEqual([])
})

// [R301] Friends picker, chat log, the history around one message, search, share pick and the viewer of pictures show live
// data.
test('[R293] [R300] [R301] a group: made by the picker, mentioned, announced, searched; on a phone; in English on black', async () => {
  const page = await browser.open(company.url)
  await new LoginPage(page).signIn(xia.account, password)
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
  }
  const { conversationId } = await xia.call('imCreateGroup', {
    name: '华东项目组',
    userIdArray: [chen.userId, he.userId],
  })
  await he.call('imSend', {
    conversationId,
    uuid: crypto.randomUUID(),
    type: 'text',
    value: '@林夏 付款期改成四十五天',
    mentions: [{ userId: xia.userId, name: '林夏' }],
  })
  await page.goto(`${company.url}/im/index?chat=${conversationId}`)
  await page.getByText('付款期改成四十五天').first().waitFor()
  const field = page.getByRole('textbox', { name: '输入消息' })
  await field.pressSequentially('好的@陈')
  await page.getByRole('option', { name: '陈晓' }).waitFor()
  await field.press('Enter')
  expect(await field.inputValue()).toBe('好的@陈晓 ')
  await field.press('Enter')
  await page.getByRole('button', { name: '阅读情况' }).click()
  await page.getByRole('tab', { name: /未读/ }).waitFor()
  await picture('talk-read-by')
  await page.keyboard.press('Escape')
  await picture('talk-group-blue')
  await expectAccessible(page)

  await page.getByRole('button', { name: '搜索消息' }).click()
  await page.getByRole('searchbox', { name: '搜索消息、联系人、群和文件' }).fill('付款')
  await page.getByRole('button', { name: /何律.*付款期/ }).waitFor()
  await picture('talk-search')
  await page.keyboard.press('Escape')
  await page.locator('.im-bubble', { hasText: '付款期' }).first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: '查看上下文' }).click()
  await page.locator('.im-log-entry.is-marked', { hasText: '付款期' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '聊天记录', exact: true }).click()
  await page.locator('.im-log-entry').first().waitFor()
  await picture('talk-log')
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: '联系人' }).click()
  await page.getByRole('button', { name: '新建联系人分组' }).click()
  await page.getByRole('textbox', { name: '分组名称' }).fill('法务')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: /法务/ }).first().waitFor()
  await picture('talk-contacts')
  await page.getByRole('tab', { name: '会话' }).click()

  await page.setViewportSize({ width: 390, height: 844 })
  await picture('talk-phone')
  await page.getByRole('button', { name: '返回' }).click()
  await page.getByRole('button', { name: /华东项目组/ }).waitFor()
  await picture('talk-phone-list')
  await page.evaluate(() => {
    localStorage.setItem('skin', 'black')
    localStorage.setItem('locale', 'en')
  })
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goto(`${company.url}/im/index?chat=${conversationId}`)
  await page.getByText('付款期改成四十五天').first().waitFor()
  await picture('talk-group-black')
  await expectAccessible(page)
})
