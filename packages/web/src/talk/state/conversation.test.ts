// @vitest-environment happy-dom
// The shown stretch of a conversation after pushes were missed.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { followMessages, readPage, stretchOf, stretchStore } from './conversation.ts'
import { emitTalk } from './events.ts'

const message = (number: number, value = `${number}`) => ({
  conversationId: 7,
  number,
  changed: number,
  value,
  quote: 0,
})
const page = (from: number, to: number, newer = false) =>
  ({ list: Array.from({ length: to - from + 1 }, (_, n) => message(from + n)), older: true, newer }) as never

beforeEach(() => stretchStore.setState({ byId: new Map() }))
afterEach(() => vi.unstubAllGlobals())

it('what is read of the history stays there when pushes were missed, and is read again', async () => {
  const server = fakeApi({ imHistory: ({ before }) => (before === undefined ? page(71, 100) : page(11, 70)) })
  await readPage(7)
  await readPage(7, { before: 71 })
  expect(stretchOf(7).messages).toHaveLength(90)
  const stop = followMessages()
  server.now({ imHistory: ({ rows }) => page(101 - Number(rows) + 5, 105) })
  emitTalk('missed', undefined)
  await vi.waitFor(() => expect(stretchOf(7).messages.at(-1)?.number).toBe(105))
  expect(server.inputsOf('imHistory').at(-1)).toMatchObject({ rows: '90' })
  expect(stretchOf(7).messages[0]?.number).toBe(16)
  stop()
})

it('in the middle of the history, the messages around are read again', async () => {
  const server = fakeApi({ imHistory: page(40, 69, true) })
  await readPage(7, { around: 55 })
  const stop = followMessages()
  emitTalk('missed', undefined)
  await vi.waitFor(() => expect(server.inputsOf('imHistory')).toHaveLength(2))
  expect(server.inputsOf('imHistory')[1]).toMatchObject({ around: '55', rows: '30' })
  expect(stretchOf(7).newer).toBe(true)
  stop()
})
