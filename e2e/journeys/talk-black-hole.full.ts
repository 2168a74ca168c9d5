// A network that swallows everything for ten minutes and closes nothing: afterwards an open page shows what the server has.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { FaultyProxy } from '../../packages/server/test/faulty-proxy.ts'
import { openBrowser } from '../browser.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openCompany, ownServer, password } from './company.ts'

const url = await ownServer()
const company = await openCompany(url)
const browser = await openBrowser()
const way = await FaultyProxy.open(
  { host: '127.0.0.1', port: Number(new URL(url).port) },
  { host: '127.0.0.1', port: 0 },
)
afterAll(() => way.close())

const blackMs = 600_000
const messages = 500

// [R308] What was said, edited and recalled while the network swallowed everything for ten minutes is shown once it is
// back, without a hole (test:full; the time is printed).
test('[R308] [R293] ten minutes without a packet: 500 messages, 50 edits and a recall are there afterwards, without a hole', async () => {
  const [xia, chen] = [await company.person('hole-xia', '林夏'), await company.person('hole-chen', '陈晓')]
  const { conversationId } = await chen.call('imOpenChat', { userId: xia.userId })
  const say = (value: string) => chen.call('imSend', { conversationId, uuid: crypto.randomUUID(), type: 'text', value })
  const numbers: number[] = []
  for (let n = 0; n < 30; n += 1) numbers.push((await say(`先前 ${n}`)).number)
  const own = `http://127.0.0.1:${way.port}`
  const page = await browser.open(own)
  await new LoginPage(page).signIn(xia.account, password)
  await page.goto(`${own}/im/index?chat=${conversationId}`)
  await page.locator('.im-bubble', { hasText: '先前 29' }).waitFor()

  way.setState('still')
  const begun = Date.now()
  for (let n = 0; n < messages; n += 1) numbers.push((await say(`消息 ${n}`)).number)
  const newest = numbers.slice(-60)
  for (const number of newest.slice(0, 50))
    await chen.call('imEdit', { conversationId, number, value: `改过 ${number}` })
  await chen.call('imRecall', { conversationId, number: newest.at(-2) ?? 0 })
  await delay(Math.max(0, blackMs - (Date.now() - begun)))
  expect(await page.getByText(`消息 ${messages - 1}`, { exact: true }).count()).toBe(0)

  way.setState('open')
  const back = Date.now()
  const bubble = (number: number) => page.locator(`[data-number="${number}"]`)
  await bubble(newest.at(-1) ?? 0)
    .getByText(`消息 ${messages - 1}`)
    .waitFor()
  await bubble(newest.at(-2) ?? 0)
    .getByText('撤回了一条消息')
    .waitFor()
  const shown = await page
    .locator('[data-number]')
    .evaluateAll((items) =>
      items.map((item) => [Number((item as HTMLElement).dataset['number']), item.textContent] as const),
    )
  // Ten seconds are the aim (pains-1, T5).
  console.log(`shown ${Date.now() - back} ms after the network was back`)
  // Without a hole, and with the edits.
  const drawn = shown.map(([number]) => number)
  expect(drawn).toEqual(numbers.slice(-drawn.length))
  for (const [number, text] of shown) if (newest.slice(0, 50).includes(number)) expect(text).toContain(`改过 ${number}`)
  // The errors of requests that the network swallowed.
  browser.problems.splice(0)
})
