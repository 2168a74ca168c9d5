// The old channel ([R307]) as third-party programs use it, and the handling of invalid frames.
import { limits } from '@cloudoc/domain'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ForeignClient, foreignFrame } from '../../../test/foreign-client.ts'
import { openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'
import { listenOnSecondPort } from '../../http-server.ts'

let time = 0
const world = sharedWorld({ steady: () => time })

const turn = async (old_push: boolean, at: World = world): Promise<void> => {
  await (await at.admin()).call('setServerSetting', { old_push })
}
beforeAll(() => turn(true))

const connect = async (path?: string): Promise<ForeignClient> => ForeignClient.connect(await world.port(), path)
const loginOf = ({ userId, token }: Person) => ({ accountId: userId, token })
const signIn = async (person: Person, more: { lastIdentity?: string } = {}): Promise<ForeignClient> => {
  const client = (await connect()).login({ ...loginOf(person), ...more })
  await client.next(18)
  return client
}
const named = (name: string) => (body: { fName?: string }) => body.fName === name

describe('a client written from the decisions', () => {
  // [R307] The old binary channel: 13-byte header, login, heartbeats, the same events, order, replay and confirmations.
  test('[R307] [R309] logs in, is told what happens with its position, and confirms what is meant for it', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const client = await signIn(ben)
    expect(client.pushes[0]).toMatchObject({ pushType: 18, identity: 0n, body: { backlog: 0 } })
    const said = client.pushes[0]?.body as { readonly serverTime: unknown; readonly epoch: unknown }
    expect([typeof said.serverTime, typeof said.epoch]).toEqual(['number', 'string'])
    const folderId = await anna.folder(anna.library, '合同')
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    const told = await client.next(55)
    expect(told.body).toMatchObject({ docName: '合同', folderId, remindId: Number(told.identity) })
    await anna.folder(folderId, '附件')
    const change = await client.next(8, named('附件'))
    expect(change.identity).toBeGreaterThan(told.identity)
    // Unconfirmed pushes are sent again, confirmed ones are not.
    const again = await signIn(ben)
    expect((await again.next(55)).identity).toBe(told.identity)
    expect(
      await ben.call('confirmMsg', { clientType: 1, list: [{ pushType: 55, identity: String(told.identity) }] }),
    ).toEqual({ confirmed: 1 })
    expect((await signIn(ben)).pushes[0]?.body).toMatchObject({ backlog: 0 })
  })

  test('[R307] that was away is told what it missed, after the identity it says', async () => {
    const anna = await world.person('anna')
    const before = await signIn(anna)
    await anna.folder(anna.library, 'seen')
    const { identity } = await before.next(8, named('seen'))
    await before.close()
    await anna.folder(anna.library, 'missed')
    await world.app.settle()
    const after = await signIn(anna, { lastIdentity: String(identity) })
    await after.next(8, named('missed'))
    // What is pushed of other kinds, as who is online, comes at any time.
    const told = after.pushes.filter(({ pushType }) => pushType === 18 || pushType === 8)
    expect(told.map(({ pushType, body }) => [pushType, (body as { fName?: string }).fName])).toEqual([
      [18, undefined],
      [8, 'missed'],
    ])
    const greeting = (after.pushes[0]?.body ?? {}) as Readonly<Record<string, unknown>>
    const missed = () =>
      after.pushes.filter((one) => one.identity > 0n && one.identity <= BigInt(String(greeting['lastIdentity']))).length
    await expect.poll(missed).toBe(greeting['backlog'])
    expect(greeting['refetch']).toBe(false)
  })

  // [R307] On the root and a path of the main port, and on its own port.
  test('[R307] is found by path on the main port, and on a port of its own', async () => {
    const anna = await world.person('anna')
    await (await connect('/services2/ws/oldPush')).login(loginOf(anna)).next(18)
    await world.port()
    const beside = await listenOnSecondPort(world.app.http, { port: 0, host: '127.0.0.1' })
    onTestFinished(() => void beside.close())
    const { port } = beside.address() as { port: number }
    const client = await ForeignClient.connect(port)
    await client.login(loginOf(anna)).next(18)
    // It is the same server: it also answers calls.
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).ok).toBe(true)
    await client.close()
  })

  test('[R312] is told of a login elsewhere, and that its session is over', async () => {
    const anna = await world.person('anna')
    const client = await signIn(anna)
    await world.signIn(anna.account)
    expect((await client.next(5)).body).toMatchObject({ serverId: 0 })
    expect(await client.closed).toBe(4001)
    const late = (await connect()).login(loginOf(anna))
    expect((await late.next(19)).body).toMatchObject({ code: -69 })
    expect(await late.closed).toBe(4001)
  })

  test('[R307] gets heartbeats and gives them; the page’s cookie counts for pages of our own alone', async () => {
    const anna = await world.person('anna')
    const client = await signIn(anna)
    for (let beat = 1; beat <= 4; beat += 1) {
      client.heartbeat()
      await anna.folder(anna.library, `beat ${beat}`)
      await client.next(8, named(`beat ${beat}`))
      time += limits.heartbeatMs
      await vi.waitFor(
        () => expect(client.pushes.filter(({ pushType }) => pushType === 1).length).toBeGreaterThanOrEqual(beat),
        10_000,
      )
    }
    expect(client.pushes.find(({ pushType }) => pushType === 1)).toEqual({ pushType: 1, identity: 0n, body: undefined })
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
    const port = await world.port()
    for (const [origin, type] of [
      [`http://127.0.0.1:${port}`, 18],
      ['http://evil.example', 19],
    ] as const) {
      const page = await ForeignClient.connect(port, '', { origin, cookie: `cloudoc_session=${anna.token}` })
      await page.login({ accountId: anna.userId, token: '' }).next(type)
    }
  })

  test('[R307] is not there where the channel is off, and ends when it is turned off', async () => {
    const other = await openWorld()
    const port = await other.port()
    await expect(ForeignClient.connect(port)).rejects.toThrow('404')
    await turn(true, other)
    const anna = await other.person('anna')
    const client = (await ForeignClient.connect(port)).login(loginOf(anna))
    await client.next(18)
    const live = await anna.listen()
    await turn(false, other)
    await anna.folder(anna.library, 'after')
    await live.next(({ pushType }) => pushType === 8)
    expect(await client.closed).toBe(4001)
    expect(client.pushes.filter(({ pushType }) => pushType === 8)).toEqual([])
  })
})

describe('[R342] useWS', () => {
  // [R342] With useWS false the server offers the old channel, whether it is enabled or not.
  test('false offers the old channel without enabling it; true again ends it [R342]', async () => {
    const other = await openWorld()
    const admin = await other.admin()
    const port = await other.port()
    await admin.call('setServerSetting', { use_websocket: false })
    const anna = await other.person('anna')
    const client = (await ForeignClient.connect(port)).login(loginOf(anna))
    await client.next(18)
    await anna.folder(anna.library, 'shown')
    await client.next(8, named('shown'))
    await admin.call('setServerSetting', { use_websocket: true })
    await anna.folder(anna.library, 'after')
    expect(await client.closed).toBe(4001)
    await expect(ForeignClient.connect(port)).rejects.toThrow('404')
  })
})

describe('what does not keep to it is closed with its code', () => {
  const login = foreignFrame(18, 0n, '{"token":"x"}')
  const cut = login.subarray(0, -1)
  const long = Buffer.concat([login, Buffer.from('x')])
  const huge = foreignFrame(18, 0n, 'x')
  huge.writeUInt32BE(0xffffffff, 0)
  test.each<[what: string, frame: Buffer, code: number]>([
    ['a frame that is too short', cut, 4002],
    ['a frame that is too long', long, 4002],
    ['a length of 4 GB', huge, 4002],
    ['less than a header', Buffer.from([0, 0, 0]), 4002],
    ['a body that is no JSON', foreignFrame(18, 0n, 'token'), 4002],
    ['a type that clients do not send', foreignFrame(6, 1n, '{}'), 4002],
    ['a heartbeat before the login', foreignFrame(1, 0n, ''), 4002],
    ['a session that there is not', login, 4001],
  ])('[R307] %s', async (_, frame, code) => {
    const client = await connect()
    client.socket.send(frame, () => undefined)
    expect(await client.closed).toBe(code)
    expect(client.pushes.map(({ pushType }) => pushType)).toEqual([19])
  })
})
