// Reading and sending that nothing disturbs: what is read stays in its place, and what was queued survives a reload.
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, password } from './company.ts'

const company = await openCompany()
const browser = await openBrowser()
const [xia, chen] = [await company.person('steady-xia', '林夏'), await company.person('steady-chen', '陈晓')]

const line = '第一行\n第二行\n第三行\n第四行\n第五行\n第六行'

test('[R293] edits, recalls, reactions, pictures and older messages above move what is read by one pixel at most', async () => {
  const page = await browser.open(company.url)
  await new LoginPage(page).signIn(xia.account, password)
  const { conversationId } = await chen.call('imOpenChat', { userId: xia.userId })
  const numbers: number[] = []
  for (let n = 0; n < 100; n += 1) {
    const sent = { conversationId, uuid: crypto.randomUUID(), type: 'text', value: `消息 ${n}` } as const
    numbers.push((await chen.call('imSend', sent)).number)
  }
  const numberOf = (n: number): number => numbers[n] ?? 0
  await page.goto(`${company.url}/im/index?chat=${conversationId}`)
  await page.locator('.im-bubble', { hasText: '消息 99' }).waitFor()
  // In the middle of what is loaded.
  const list = page.locator('.im-scroll')
  await list.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2
  })
  const read = await list.evaluate((element) => {
    const top = element.getBoundingClientRect().top
    const items = [...element.querySelectorAll<HTMLElement>('[data-number]')]
    return Number(items.find((item) => item.getBoundingClientRect().bottom > top)?.dataset['number'])
  })
  const item = page.locator(`[data-number="${read}"]`)
  const topOf = () => item.evaluate((element) => element.getBoundingClientRect().top)
  const at = numbers.indexOf(read)
  const shown = (n: number) => page.locator(`[data-number="${numberOf(n)}"]`)
  const unmoved = async (before: number, what: string): Promise<void> =>
    expect(Math.abs((await topOf()) - before), what).toBeLessThanOrEqual(1)

  let before = await topOf()
  await chen.call('imEdit', { conversationId, number: numberOf(at - 2), value: line })
  await shown(at - 2)
    .getByText('第六行')
    .waitFor()
  await unmoved(before, 'an edit')
  await chen.call('imReact', { conversationId, number: numberOf(at - 3), emoji: '👍', on: true })
  await shown(at - 3)
    .getByText('👍')
    .waitFor()
  await unmoved(before, 'a reaction')
  await chen.call('imRecall', { conversationId, number: numberOf(at - 2) })
  await shown(at - 2)
    .getByText('撤回了一条消息')
    .waitFor()
  await unmoved(before, 'a recall')
  // A picture above that is larger than its place was.
  await shown(at - 1).evaluate((element) => {
    const picture = document.createElement('img')
    picture.style.display = 'block'
    picture.src = URL.createObjectURL(
      new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="80" height="240"/>'], { type: 'image/svg+xml' }),
    )
    element.append(picture)
    return picture.decode()
  })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await unmoved(before, 'a picture')
  // A new message below.
  await chen.call('imSend', { conversationId, uuid: crypto.randomUUID(), type: 'text', value: '新的一条' })
  await page.locator('.im-bubble', { hasText: '新的一条' }).waitFor({ state: 'attached' })
  await unmoved(before, 'a message below')

  // Older messages are loaded above.
  await list.evaluate((element) => {
    element.scrollTop = 150
  })
  const first = await list.evaluate((element) => {
    const top = element.getBoundingClientRect().top
    const items = [...element.querySelectorAll<HTMLElement>('[data-number]')]
    return items.find((one) => one.getBoundingClientRect().bottom > top)?.dataset['number'] ?? ''
  })
  const top = () => page.locator(`[data-number="${first}"]`).evaluate((element) => element.getBoundingClientRect().top)
  before = await top()
  await shown(numbers.indexOf(Number(first)) - 20).waitFor({ state: 'attached' })
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1)

  // At the end it stays at the end.
  await page.getByRole('button', { name: /最新|条新消息/ }).click()
  await page.locator('.im-bubble', { hasText: '新的一条' }).waitFor()
  await chen.call('imSend', { conversationId, uuid: crypto.randomUUID(), type: 'text', value: `${line}\n末行` })
  await page.locator('.im-bubble', { hasText: '末行' }).waitFor()
  const rest = () => list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)
  await expect.poll(rest).toBeLessThan(2)

  // Messages are reached by the arrow keys, the newest first.
  await list.focus()
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key)
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText ?? '')
  expect(await focused()).toContain('新的一条')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toContain('末行')
})

test('[R295] a file that waits when the page is loaded again is sent, before the texts behind it; it stays as it is', async () => {
  const [page, theirs] = [await browser.open(company.url), await browser.open(company.url)]
  await new LoginPage(page).signIn(xia.account, password)
  await new LoginPage(theirs).signIn(chen.account, password)
  const { conversationId } = await xia.call('imOpenChat', { userId: chen.userId })
  const address = `${company.url}/im/index?chat=${conversationId}`
  await theirs.goto(address)
  await page.goto(address)
  // The network swallows uploads.
  await page.route('**/im/api/file/upload**', () => undefined)
  const field = page.getByRole('textbox', { name: '输入消息' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: '发送文件（原样发送）' }).click(),
  ])
  const content = Buffer.from('一份没有发完的文件')
  await chooser.setFiles({ name: '未发完.txt', mimeType: 'text/plain', buffer: content })
  await page.locator('.im-bubble', { hasText: '未发完.txt' }).waitFor()
  for (const text of ['其后一', '其后二']) {
    await field.fill(text)
    await field.press('Enter')
  }
  await page.locator('.im-bubble', { hasText: '其后二' }).waitFor()
  await page.reload()
  await page.locator('[data-send]', { hasText: '未发完.txt' }).waitFor()
  await page.unroute('**/im/api/file/upload**')
  await page.reload()
  await theirs.locator('.im-bubble', { hasText: '其后二' }).waitFor({ timeout: 30_000 })
  const { list } = await chen.call('imHistory', { conversationId, rows: 3 })
  expect(list.map(({ value, data }) => data.name ?? value)).toEqual(['未发完.txt', '其后一', '其后二'])
  const received = await fetch(`${company.url}/im/api/file/${conversationId}/${list[0]?.fileId}`, {
    headers: { authorization: `Bearer ${chen.token}` },
  })
  expect(Buffer.from(await received.arrayBuffer())).toEqual(content)
})
