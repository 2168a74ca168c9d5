import type { AddressInfo } from 'node:net'
import {
  type ClientFrame,
  channelFrames,
  decodeClientFrame,
  encodeBinaryFrame,
  type ItemChange,
  noIdentity,
  type PushHandlers,
  pushes,
} from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { connectionStore } from './connection.ts'
import { type Channel, type Confirmation, createChannel, endpointsOf } from './push-client.ts'

const change = (fId: number): ItemChange => ({
  serverId: 0,
  fId,
  fType: 1,
  fileId: fId,
  folderId: 0,
  fName: 'a.txt',
  operateType: 8,
  operate: 8,
  operateTime: 1,
  operatorId: 1,
  operatorName: '王敏',
  parentFolderId: 2,
  parentId: 2,
  version: 1,
  fileSize: 3,
})
const share = {
  serverId: 0,
  remindId: 1,
  operatorName: '王敏',
  targetName: '陈晓',
  shareType: 0,
  docName: 'a.txt',
  fId: 1,
  fileId: 1,
  folderId: 0,
  parentId: 0,
  operate: 11,
  createTime: 1,
}

let server: WebSocketServer
let logins: ClientFrame[]
let sockets: ServerSocket[]
let channel: Channel
let changes: number[]
let confirmed: Confirmation[][]
let shares: number
let refetched: number
let refusals: number[]

const nothing = Object.fromEntries(Object.keys(pushes).map((name) => [name, () => undefined]))
const handlers: PushHandlers<undefined> = {
  ...(nothing as unknown as PushHandlers<undefined>),
  fileChange: ({ fId }) => changes.push(fId),
  shareRemind: () => {
    shares += 1
  },
}

beforeEach(async () => {
  ;[logins, sockets, changes, confirmed, shares, refetched, refusals] = [[], [], [], [], 0, 0, []]
  server = new WebSocketServer({ port: 0 })
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (data: Buffer) => logins.push(JSON.parse(data.toString()) as ClientFrame))
  })
  await new Promise((resolve) => server.once('listening', resolve))
  channel = create()
  channel.open()
  await login(1)
})

const create = (from?: { readonly epoch: string; readonly lastIdentity: string }): Channel =>
  createChannel({
    ...(from && { from }),
    endpoints: [{ kind: 'json', url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }],
    accountId: 5,
    handlers,
    context: undefined,
    refetch: () => {
      refetched += 1
    },
    refused: (code) => refusals.push(code),
    confirm: (list) => {
      confirmed.push(list)
      return Promise.resolve()
    },
  })

afterEach(() => {
  vi.useRealTimers()
  channel.close()
  for (const socket of sockets) socket.terminate()
  server.close()
})

/** Runs the sockets until a condition holds, independent of the test's clock. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
const state = (): string => connectionStore.getState().channel
/** Waits for the nth login. */
const login = (nth: number): Promise<void> => until(() => logins.filter(({ cmd }) => cmd === 'login').length === nth)
const send = (frame: object): void => sockets.at(-1)?.send(JSON.stringify({ epoch: 'e1', ...frame }))
const accept = async (data: object = {}): Promise<void> => {
  send({
    pushType: channelFrames.welcome.type,
    identity: noIdentity,
    data: { serverTime: 1, epoch: 'e1', lastIdentity: '100', backlog: 0, refetch: false, ...data },
  })
  await until(() => state() === 'online')
}
const pushChange = (identity: number): void =>
  send({ pushType: pushes.fileChange.type, identity: String(identity), data: change(identity) })
const pushShare = (identity: number): void =>
  send({ pushType: pushes.shareRemind.type, identity: String(identity), data: share })

describe('the push channel', () => {
  // [R320] Push 18: the channel is ready.
  it('says who it is and where it stood, and is connected once the server accepts [R308] [R320]', async () => {
    expect(logins).toEqual([{ cmd: 'login', accountId: 5, clientType: 6, lastIdentity: '', epoch: '' }])
    expect(state()).toBe('connecting')
    await accept()
  })

  it('says where pushes stood before the page read what it shows', async () => {
    channel.close()
    channel = create({ epoch: 'e1', lastIdentity: '97' })
    channel.open()
    await login(2)
    expect(logins.at(-1)).toMatchObject({ lastIdentity: '97', epoch: 'e1' })
  })

  it('drops what comes twice, by its identity', async () => {
    await accept()
    for (const identity of [101, 102, 101, 103]) pushChange(identity)
    await until(() => changes.length === 3)
    expect(changes).toEqual([101, 102, 103])
  })

  it('hands on all that is only said, which has no identity and says nothing of where it stands [R397]', async () => {
    await accept({ backlog: 1, lastIdentity: '140' })
    for (const identity of [0, 0, 0, 101]) pushChange(identity)
    await until(() => changes.length === 4)
    channel.reopen()
    await login(2)
    expect(logins.at(-1)).toMatchObject({ lastIdentity: '140' })
    await accept()
    pushChange(0)
    await until(() => changes.length === 5)
    channel.reopen()
    await login(3)
    expect(logins.at(-1)).toMatchObject({ lastIdentity: '100' })
  })

  it('is not redialled by itself; an event opens it, and it goes on after the last identity it saw [X25]', async () => {
    await accept()
    pushChange(101)
    await until(() => changes.length === 1)
    sockets[0]?.terminate()
    await until(() => state() === 'offline')
    expect(sockets).toHaveLength(1)
    channel.open()
    await login(2)
    expect(logins.at(-1)).toMatchObject({ lastIdentity: '101', epoch: 'e1' })
  })

  it('counts a replay as received only when all of it came, so that a break in it loses nothing', async () => {
    await accept({ backlog: 2, lastIdentity: '140' })
    pushChange(110)
    await until(() => changes.length === 1)
    channel.reopen()
    await login(2)
    expect(logins.at(-1)).toMatchObject({ lastIdentity: '' })
    await accept({ backlog: 2, lastIdentity: '140' })
    pushChange(110)
    pushChange(120)
    await until(() => changes.length === 2)
    channel.reopen()
    await login(3)
    expect(logins.at(-1)).toMatchObject({ lastIdentity: '140' })
  })

  it('goes on from what is live where fewer follow than were announced, as another page has confirmed some', async () => {
    await accept({ backlog: 2, lastIdentity: '140' })
    pushChange(110)
    pushChange(141)
    await until(() => changes.length === 2)
    channel.reopen()
    await login(2)
    expect(logins.at(-1)).toMatchObject({ lastIdentity: '141' })
  })

  it('fetches again what is shown when its first login broke off before it knew where it stood', async () => {
    await accept({ backlog: 2, lastIdentity: '140' })
    pushChange(110)
    await until(() => changes.length === 1)
    expect(refetched).toBe(0)
    channel.reopen()
    await login(2)
    await accept({ lastIdentity: '150' })
    await until(() => refetched === 1)
    channel.reopen()
    await login(3)
    await accept({ lastIdentity: '150' })
    pushChange(151)
    await until(() => changes.length === 2)
    expect(refetched).toBe(1)
  })

  it('fetches again what is shown when the gap is too long', async () => {
    await accept({ refetch: true })
    expect(refetched).toBe(1)
  })

  it('starts afresh when the server is another one', async () => {
    await accept()
    pushChange(101)
    await until(() => changes.length === 1)
    channel.reopen()
    await login(2)
    await accept({ epoch: 'e2', lastIdentity: '3' })
    pushChange(101)
    await until(() => changes.length === 2)
  })

  // [R321] Push 19: the channel stays closed and says why.
  it('closes when the server refuses, says why, and stays closed [R321] [X46]', async () => {
    send({ pushType: channelFrames.refusal.type, identity: noIdentity, data: { code: -69, msg: '' } })
    await until(() => state() === 'refused')
    expect(refusals).toEqual([-69])
    expect(sockets).toHaveLength(1)
  })

  it('has caught up when all that was missed has come, and only after it was open before', async () => {
    const caughtUp = (): number => connectionStore.getState().caughtUp
    const before = caughtUp()
    await accept()
    expect(caughtUp()).toBe(before)
    channel.reopen()
    await login(2)
    await accept({ backlog: 2, lastIdentity: '140' })
    pushChange(110)
    await until(() => changes.length === 1)
    expect(caughtUp()).toBe(before)
    pushChange(120)
    await until(() => changes.length === 2)
    expect(caughtUp()).toBe(before + 1)
  })

  it('goes on when a push comes that it does not know', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await accept()
    send({ pushType: 9999, identity: '101', data: {} })
    pushChange(102)
    await until(() => changes.length === 1)
    expect(error).toHaveBeenCalledOnce()
  })
})

describe('the pushes of a person', () => {
  it('are confirmed together, 5 s after the last [R309] [R392]', async () => {
    await accept()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    pushShare(101)
    pushShare(102)
    await until(() => shares === 2)
    vi.advanceTimersByTime(limits.confirmDebounceMs - 1)
    expect(confirmed).toEqual([])
    vi.advanceTimersByTime(1)
    expect(confirmed).toEqual([
      [
        { pushType: pushes.shareRemind.type, identity: '101' },
        { pushType: pushes.shareRemind.type, identity: '102' },
      ],
    ])
  })

  it('are confirmed at once when there are 100 [R392]', async () => {
    await accept()
    for (let i = 0; i < limits.confirmBatch; i++) pushShare(200 + i)
    await until(() => confirmed.length === 1)
    expect(confirmed[0]).toHaveLength(limits.confirmBatch)
  })

  it('that come again are confirmed again but not shown again', async () => {
    await accept()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    pushShare(101)
    pushShare(101)
    pushChange(102)
    await until(() => changes.length === 1)
    vi.advanceTimersByTime(limits.confirmDebounceMs)
    expect(shares).toBe(1)
    expect(confirmed[0]).toHaveLength(2)
  })
})

describe('the heartbeat', () => {
  // [R310] Push 1, every 30 s, keeps the connection alive.
  it('goes out every 30 s, and silence of more than 90 s closes the channel [R310] [R392]', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    await accept()
    vi.advanceTimersByTime(limits.heartbeatMs)
    await until(() => logins.some(({ cmd }) => cmd === 'heartbeat'))
    vi.advanceTimersByTime(limits.heartbeatLostMs)
    expect(state()).toBe('offline')
  })
})

describe('the old channel', () => {
  let old: WebSocketServer
  let said: Buffer[]
  let both: Channel

  const binary = (pushType: number, identity: string, data: object): void => {
    const body = JSON.stringify(data)
    for (const client of old.clients) client.send(encodeBinaryFrame({ pushType, identity, body }))
  }
  beforeEach(async () => {
    said = []
    old = new WebSocketServer({ port: 0 })
    old.on('connection', (socket) => socket.on('message', (bytes: Buffer) => said.push(bytes)))
    await new Promise((resolve) => old.once('listening', resolve))
    const url = (at: WebSocketServer): string => `ws://127.0.0.1:${(at.address() as AddressInfo).port}`
    both = createChannel({
      endpoints: [
        { kind: 'json', url: url(server) },
        { kind: 'old', url: url(old) },
      ],
      accountId: 5,
      handlers,
      context: undefined,
      refetch: () => undefined,
      refused: (code) => refusals.push(code),
      confirm: () => Promise.resolve(),
    })
    both.open()
    await login(2)
  })
  afterEach(() => {
    both.close()
    for (const client of old.clients) client.terminate()
    old.close()
  })

  // [R342] The JSON channel first and the old one as fallback, or the old one only, by the server's setting.
  it('is opened where the new one breaks, goes on where that stood, and tells nothing twice [R307] [R342]', async () => {
    await accept()
    pushChange(101)
    await until(() => changes.length === 1)
    sockets[1]?.terminate()
    await until(() => said.length === 1)
    expect(decodeClientFrame(said[0] ?? Buffer.alloc(0))).toMatchObject({
      cmd: 'login',
      accountId: 5,
      lastIdentity: '101',
      epoch: 'e1',
    })
    const welcome = { serverTime: 1, epoch: 'e1', lastIdentity: '102', backlog: 1, refetch: false }
    binary(channelFrames.welcome.type, noIdentity, welcome)
    binary(channelFrames.heartbeat.type, noIdentity, {})
    binary(pushes.fileChange.type, '101', change(101))
    binary(pushes.fileChange.type, '103', change(103))
    await until(() => changes.length === 2)
    expect(changes).toEqual([101, 103])
    expect(state()).toBe('online')
    for (const client of old.clients) client.terminate()
    await until(() => state() === 'offline')
    expect(both.redial()).toBe(false)
  })

  it('is not tried where the new one was refused', async () => {
    send({ pushType: channelFrames.refusal.type, identity: noIdentity, data: { code: -69, msg: '' } })
    await until(() => state() === 'refused')
    expect(said).toEqual([])
    expect(refusals).toEqual([-69])
  })

  // [R342] With useWS false the page uses the old channel; with true the new one, beside it the old one where enabled.
  it('is the only one where useWS is false, and else there beside the new one as the server is set [R342]', () => {
    vi.stubGlobal('location', { protocol: 'https:', host: 'drive.example.com' })
    onTestFinished(() => void vi.unstubAllGlobals())
    const kinds = (use_websocket: boolean, old_push: boolean): string[] =>
      endpointsOf({ use_websocket, old_push }).map(({ kind }) => kind)
    expect([kinds(true, true), kinds(true, false), kinds(false, true), kinds(false, false)]).toEqual([
      ['json', 'old'],
      ['json'],
      ['old'],
      ['old'],
    ])
  })
})
