// @vitest-environment happy-dom
// A document that is written together, against a server in memory that drops, refuses and forgets.
import { coeditRoot } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { CallError } from '../../core/call/api.ts'
import { type CoeditPorts, type CoeditSession, fromBase64, openCoeditSession, toBase64 } from './coedit-session.ts'

const refusal = (code: string): CallError =>
  new CallError('editTogether', { code: code as never, number: -1, message: code, quiet: true })

/** A fake server; `fails` is its next answer. */
function createServer() {
  const doc = new Y.Doc()
  doc.getText(coeditRoot).insert(0, '一二三')
  const all: CoeditSession[] = []
  const state = { seq: 0, isAway: false, canWrite: true, refuses: '', slow: Promise.resolve() }
  /** The members that the server has registered. */
  const present = new Set<number>()
  let clients = 0
  const answer = () => ({ seq: state.seq, canWrite: state.canWrite, version: 1, savedSeq: 0 })
  const meet = (): void => {
    if (state.isAway) throw refusal('network')
  }
  const joined = (client: number, vector: string) => ({
    ...answer(),
    ...{
      generation: 1,
      client,
      members: [{ client, userId: client, name: 'a', cursor: '', canWrite: state.canWrite }],
    },
    shape: 'text' as const,
    form: { encoding: 'utf-8', hasMark: false, end: '\n' },
    turns: [],
    update: toBase64(Y.encodeStateAsUpdate(doc, vector === '' ? undefined : fromBase64(vector))),
  })
  const open = (unsent?: Uint8Array, clashes?: () => boolean) => {
    clients += 1
    const client = clients
    const kept: Uint8Array[] = []
    const ports: CoeditPorts = {
      join: async ({ vector }) => {
        meet()
        // The server takes the lock.
        state.refuses = ''
        return joined(client, vector)
      },
      edit: async ({ update }) => {
        meet()
        if (!state.canWrite) throw refusal('noPermission')
        if (state.refuses !== '') throw refusal(state.refuses)
        Y.applyUpdate(doc, fromBase64(update))
        state.seq += 1
        const news = { serverId: 0, fileId: 1, generation: 1, from: state.seq - 1, seq: state.seq, updates: [update] }
        for (const here of all) here.told({ ...news, version: 1, savedSeq: 0, members: [] })
        return { seq: state.seq }
      },
      present: async ({ leaves }) => {
        meet()
        if (!leaves) await state.slow
        if (leaves) present.delete(client)
        else present.add(client)
        return { ...answer(), members: joined(client, '').members }
      },
      save: async () => ({ version: 2, savedSeq: state.seq }),
      storeUnsent: async (bytes) => void kept.push(bytes),
      dropUnsent: async () => void kept.splice(0),
      isPushed: () => true,
      ...(clashes === undefined ? {} : { clashes }),
      texts: { noRight: '只读' },
    }
    const here = openCoeditSession(joined(client, ''), ports, unsent)
    all.push(here)
    return { here: { ...here, text: here.doc.getText(coeditRoot) }, kept }
  }
  return { doc, state, present, open, text: () => doc.getText(coeditRoot).toJSON() }
}

let server: ReturnType<typeof createServer>
beforeEach(() => {
  vi.useFakeTimers()
  server = createServer()
})
afterEach(() => vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(20)

test('[R397] what is typed is sent at once and shown to the others', async () => {
  const [{ here: hers }, { here: his }] = [server.open(), server.open()]
  hers.text.insert(0, '她')
  his.text.insert(his.text.length, '他')
  await settle()
  expect([server.text(), hers.text.toJSON(), his.text.toJSON()]).toEqual(Array(3).fill('她一二三他'))
  expect(hers.store.getState().status).toBe('stored')
})

test('[R148] who leaves while the server still takes in where they were is not there again afterwards', async () => {
  const { here } = server.open()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.state.slow = promise
  const asked = here.tryNow()
  const left = here.close()
  await settle()
  resolve()
  await Promise.all([asked, left])
  expect([...server.present]).toEqual([])
})

test('[R148] while somebody composes nothing of others comes in, and what they compose is sent once it is chosen', async () => {
  const [{ here: hers }, { here: his }] = [server.open(), server.open()]
  hers.composing(true)
  hers.text.insert(3, 'san')
  his.text.insert(0, '他')
  await settle()
  expect([server.text(), hers.text.toJSON()]).toEqual(['他一二三', '一二三san'])
  hers.text.delete(3, 3)
  hers.text.insert(3, '伞')
  hers.composing(false)
  await settle()
  expect([server.text(), hers.text.toJSON(), his.text.toJSON()]).toEqual(Array(3).fill('他一二三伞'))
  expect([hers.store.getState().status, hers.isDirty()]).toEqual(['stored', false])
})

test('[R148] without a network it goes on, is kept in the browser, and merges when there is one again', async () => {
  const [{ here: hers }, { here: his, kept }] = [server.open(), server.open()]
  server.state.isAway = true
  his.text.insert(0, '他')
  await settle()
  expect(his.store.getState().status).toBe('offline')
  his.text.insert(1, '又')
  await vi.advanceTimersByTimeAsync(2000)
  expect(kept.length).toBeGreaterThan(0)
  server.state.isAway = false
  hers.text.insert(3, '她')
  await his.tryNow()
  await vi.advanceTimersByTimeAsync(6000)
  expect([server.text(), hers.text.toJSON(), his.text.toJSON()]).toEqual(Array(3).fill('他又一二三她'))
  expect([his.store.getState().status, his.isDirty(), kept]).toEqual(['stored', false, []])
})

test('[R148] what a browser has kept of a page that died is sent when the file is opened again', async () => {
  const { here, kept } = server.open()
  server.state.isAway = true
  here.text.insert(0, '他')
  await settle()
  server.state.isAway = false
  const unsent = kept.at(-1)
  const { here: again } = server.open(unsent)
  await settle()
  expect([server.text(), again.text.toJSON()]).toEqual(['他一二三', '他一二三'])
})

test('[R148] whoever may write no longer reads on and keeps what was not sent; with the right back it is sent', async () => {
  const { here } = server.open()
  server.state.canWrite = false
  here.text.insert(0, '他')
  await settle()
  expect([here.store.getState().why, here.isDirty(), server.text()]).toEqual(['noPermission', true, '一二三'])
  server.state.canWrite = true
  await here.tryNow()
  await settle()
  expect([here.store.getState().why, here.isDirty(), server.text()]).toEqual(['', false, '他一二三'])
})

test('[R181] where it has ended for everybody nothing is sent any more, and what was typed is there', async () => {
  const { here, kept } = server.open()
  server.state.isAway = true
  here.text.insert(0, '他')
  await settle()
  here.ended('林夏 解除了锁定')
  server.state.isAway = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect([here.store.getState().status, server.text(), here.text.toJSON()]).toEqual(['over', '一二三', '他一二三'])
  expect(kept.length).toBeGreaterThan(0)
})

test('[R148] a lock that has run out while the page was away is taken again by joining', async () => {
  const { here } = server.open()
  server.state.refuses = 'noEditLock'
  here.text.insert(0, '他')
  await settle()
  expect(server.text()).toBe('他一二三')
})

test('[R397] where one takes the place of what another has written, what was not sent goes by itself after a moment, and is asked about after longer or where others have written it', async () => {
  let isClashing = false
  const { here, kept } = server.open(undefined, () => isClashing)
  const away = async (ms: number): Promise<void> => {
    server.state.isAway = true
    here.text.insert(0, '他')
    await settle()
    expect(here.store.getState().status).toBe('offline')
    await vi.advanceTimersByTimeAsync(ms)
    server.state.isAway = false
    await here.tryNow()
    await vi.advanceTimersByTimeAsync(6000)
  }
  await away(1000)
  expect([here.store.getState().status, here.isDirty(), server.text()]).toEqual(['stored', false, '他一二三'])
  isClashing = true
  await away(1000)
  expect([here.store.getState().status, here.isDirty(), server.text()]).toEqual(['asks', true, '他一二三'])
  expect(kept.length).toBeGreaterThan(0)
  const other = server.open(undefined, () => false)
  server.state.isAway = true
  other.here.text.insert(0, '她')
  await settle()
  await vi.advanceTimersByTimeAsync(15_000)
  server.state.isAway = false
  await other.here.tryNow()
  await vi.advanceTimersByTimeAsync(6000)
  expect([other.here.store.getState().status, server.text()]).toEqual(['asks', '他一二三'])
})
