// @vitest-environment happy-dom
// The shown stretch of a conversation after pushes were missed.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { followMessages, notePlace, readPage, stretchOf, stretchStore } from './conversation.ts'
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

it('a reader far back stays there, however many messages were missed', async () => {
  const server = fakeApi({
    imHistory: ({ before, around }) =>
      around !== undefined ? page(21, 120, true) : before === undefined ? page(171, 200) : page(1, 170),
  })
  await readPage(7)
  await readPage(7, { before: 171 })
  notePlace(7, 70)
  const stop = followMessages()
  emitTalk('missed', undefined)
  await vi.waitFor(() => expect(server.inputsOf('imHistory')).toHaveLength(3))
  expect(server.inputsOf('imHistory')[2]).toMatchObject({ around: '70', rows: '100' })
  await vi.waitFor(() => expect(stretchOf(7)).toMatchObject({ older: true, newer: true }))
  expect(stretchOf(7).messages.map(({ number }) => number)).toContain(70)
  // At the end it is the newest that are read.
  notePlace(7, undefined)
  server.now({ imHistory: page(301, 400) })
  stretchStore.setState({ byId: new Map([[7, { ...stretchOf(7), newer: false }]]) })
  emitTalk('missed', undefined)
  await vi.waitFor(() => expect(stretchOf(7).messages.at(-1)?.number).toBe(400))
  expect(server.inputsOf('imHistory')[3]).not.toHaveProperty('around')
  stop()
})

it.each([
  ['the page around a message', { around: 55 }],
  ['the next page', { after: 54 }],
  ['the newest page', {}],
])('what comes by push while %s is read is behind it, and leaves no hole', async (_, place) => {
  const server = fakeApi({ imHistory: page(45, 54, true) })
  await readPage(7, { around: 50 })
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
  server.now({
    imHistory: () => {
      asked.resolve()
      return answered.promise
    },
  })
  const stop = followMessages()
  const reading = readPage(7, place)
  await asked.promise
  emitTalk('message', message(61) as never)
  emitTalk('message', { ...message(62), conversationId: 8 } as never)
  answered.resolve(page(55, 60))
  await reading
  const { messages, newer } = stretchOf(7)
  expect(newer).toBe(false)
  expect(messages.slice(-3).map(({ number }) => number)).toEqual([59, 60, 61])
  stop()
})
