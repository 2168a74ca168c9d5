// @vitest-environment happy-dom
// Cards of drive items: read together, shown with the rights of the reader.
import { rightsGroup } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { withTexts } from '../page-texts.ts'
import { cardOf, ShareMessage } from './shared.tsx'

const card = (fId: number, name = `${fId}.txt`) => ({
  ...{ fType: 1 as const, fId, name, size: 10, version: 1, rights: rightsGroup.preview },
  ...{ path: '', modifyTime: 1, parentFolderId: 2 },
})
const message = (fId: number) => ({ conversationId: 1, number: 1, data: { type: 'share', fType: 1, fId } }) as never

beforeEach(async () => {
  signInAs(7)
  await withTexts(() => Promise.resolve())
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

it('cards that are shown together are read by the hundred, and all of them are there', async () => {
  const server = fakeApi({
    imCards: ({ items }) => ({ list: (items as { fId: number }[]).map(({ fId }) => card(fId)) }),
  })
  const cards = await Promise.all(Array.from({ length: 130 }, (_, n) => cardOf(1, n + 1)))
  expect(cards.map((one) => one?.fId)).toEqual(Array.from({ length: 130 }, (_, n) => n + 1))
  expect(server.inputsOf('imCards').map(({ items }) => (items as unknown[]).length)).toEqual([100, 30])
})

// [R130] The name on a card of a drive item is shortened; the whole name is its tooltip and its accessible name.
it('[R130] a long name is shortened on the card, and read whole', async () => {
  fakeApi({ imCards: { list: [card(201, '渠道政策说明文件归档.txt')] } })
  await render(<ShareMessage message={message(201)} mine={false} />)
  await until(() => screenText().includes('渠道政策说明文件…归档.txt'))
  const name = element('.im-card b')
  expect([name.getAttribute('aria-label'), name.dataset['tip']]).toEqual([
    '渠道政策说明文件归档.txt',
    '渠道政策说明文件归档.txt',
  ])
})

it('a card that could not be read says why and is read again; it does not say that rights are missing', async () => {
  const server = fakeApi({ imCards: refused('storageUnavailable') })
  await render(<ShareMessage message={message(202)} mine={false} />)
  await until(() => document.querySelector('.im-card-note') !== null)
  expect(screenText()).not.toContain('没有权限')
  server.now({ imCards: { list: [card(202, '甲.txt')] } })
  await click(button('立即重试'))
  await until(() => screenText().includes('甲.txt'))
})
