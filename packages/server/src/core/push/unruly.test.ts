/*
 * Clients that violate the protocol of a channel ([R307], [R308]), on both channels: they are closed with the matching
 * code, use little memory, and do not affect others.
 */
import type { Socket } from 'node:net'
import { channelFrames, PUSH_PATH } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { crowd } from '../../../test/crowd.ts'
import { changeIn } from '../../../test/follower.ts'
import { foreignFrame, readForeign } from '../../../test/foreign-client.ts'
import { type Listener, openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'

const world = sharedWorld()
const turnOn = async (at: World): Promise<void> => {
  await (await at.admin()).call('setServerSetting', { old_push: true })
}
beforeAll(() => turnOn(world))

/** How a client of each channel encodes its frames. */
const speakers = {
  json: {
    path: PUSH_PATH,
    login: (token: string): Buffer | string => JSON.stringify({ cmd: 'login', token }),
    heartbeat: '{"cmd":"heartbeat"}',
    typeOf: (bytes: Buffer): number => (JSON.parse(bytes.toString()) as { pushType: number }).pushType,
  },
  binary: {
    path: '/',
    login: (token: string): Buffer | string => foreignFrame(18, 0n, JSON.stringify({ token })),
    heartbeat: foreignFrame(1, 0n, ''),
    typeOf: (bytes: Buffer): number => readForeign(bytes).pushType,
  },
} as const
type Channel = keyof typeof speakers
const channels = Object.keys(speakers) as Channel[]

/** A client that sends only what the test tells it to. */
class Unruly {
  readonly channel: Channel
  readonly socket: WebSocket
  readonly types: number[] = []
  readonly closed: Promise<number>

  private constructor(channel: Channel, port: number) {
    this.channel = channel
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${speakers[channel].path}`, { autoPong: false })
    this.closed = new Promise((resolve) => this.socket.once('close', resolve))
    this.socket.on('error', () => undefined)
    this.socket.on('message', (bytes: Buffer) => this.types.push(speakers[channel].typeOf(bytes)))
  }

  static async connect(channel: Channel, at: World): Promise<Unruly> {
    const client = new Unruly(channel, await at.port())
    await new Promise((resolve) => client.socket.once('open', resolve))
    return client
  }

  static async signIn(channel: Channel, person: Person): Promise<Unruly> {
    const client = await Unruly.connect(channel, person.world)
    client.say(speakers[channel].login(person.token))
    await vi.waitFor(() => {
      if (!client.types.includes(channelFrames.welcome.type)) throw new Error('not welcome yet')
    }, 10_000)
    return client
  }

  say(frame: Buffer | string): void {
    this.socket.send(frame, () => undefined)
  }

  heartbeat(): void {
    this.say(speakers[this.channel].heartbeat)
  }

  get heartbeats(): number {
    return this.types.filter((type) => type === channelFrames.heartbeat.type).length
  }
}

const hears = (live: Listener, name: string) => live.next((frame) => changeIn(frame)?.fName === name)

test.each([
  ['json', 'text that is no JSON', (login: Buffer | string) => String(login).slice(1), 4002],
  ['json', 'its login as bytes', (login: Buffer | string) => Buffer.from(login), 4002],
  ['json', 'a frame of the old channel', () => foreignFrame(1, 0n, ''), 4002],
  ['json', 'a list of a hundred logins', (login: Buffer | string) => `[${String(login)}]`, 4002],
  ['json', '10 MB', () => JSON.stringify({ cmd: 'login', token: 'x'.repeat(10_000_000) }), 1009],
  ['binary', 'its login as text', (login: Buffer | string) => login.toString('latin1'), 4002],
  ['binary', 'a frame of the JSON channel', () => '{"cmd":"heartbeat"}', 4002],
  ['binary', '10 MB', () => foreignFrame(18, 0n, `{"token":"${'x'.repeat(10_000_000)}"}`), 1009],
] as const)('[R307] [R308] on the %s channel %s ends with its code', async (channel, _, made, code) => {
  const anna = await world.person('anna')
  const client = await Unruly.connect(channel, world)
  client.say(made(speakers[channel].login(anna.token)))
  // The close frame of a server that has stopped reading can be lost with the connection.
  expect(code === 1009 ? [1006, 1009] : [code]).toContain(await client.closed)
  expect(client.types).toEqual(code === 1009 ? [] : [channelFrames.refusal.type])
})

test.each(channels)(
  '[R307] [R308] on the %s channel a flood is cut off, and others are told as before',
  async (channel) => {
    const anna = await world.person('anna')
    const other = await anna.listen()
    const many = inject('full') ? 100_000 : 1000
    const floods: [what: string, send: (client: Unruly) => void, code: number][] = [
      ['heartbeats', (client) => client.heartbeat(), 4003],
      // A client that reads none of the answers is closed by the WebSocket library itself.
      ['pings', (client) => client.socket.ping('x'.repeat(125)), 1006],
    ]
    for (const [what, send, code] of floods) {
      const client = await Unruly.signIn(channel, anna)
      for (let n = 0; n < many; n += 1) send(client)
      await anna.folder(anna.library, `${channel} ${what}`)
      await hears(other, `${channel} ${what}`)
      expect({ what, code: await client.closed }).toEqual({ what, code })
    }
  },
)

// [R307] A client that violates either protocol, floods, stays silent or reads nothing is closed with a code, without
// effect on others.
test('[R307] [R308] who is silent for 90 s and who reads nothing for 90 s is out, with little kept meanwhile; who says that they are there stays', async () => {
  let time = 0
  const own = await openWorld({ steady: () => time })
  await turnOn(own)
  const anna = await own.person('anna')
  const people = await crowd(own, 4)
  await anna.shares(
    { folderId: anna.library },
    people.map((to) => ({ to, rights: 6 })),
  )
  const connections = new Set<Socket>()
  await own.port()
  own.app.http.server.on('connection', (socket: Socket) => connections.add(socket))
  const of = (make: (channel: Channel, n: number) => Promise<Unruly>) => Promise.all(channels.map(make))
  const silent = await of((channel, n) => Unruly.signIn(channel, people[n] as Person))
  const beating = await of((channel, n) => Unruly.signIn(channel, people[n + 2] as Person))
  const stopped = await of((channel) => Unruly.signIn(channel, anna))
  const fast = await anna.listen()
  for (const { socket } of stopped) socket.pause()
  const folderId = await anna.folder(anna.library, 'x')
  await hears(fast, 'x')
  // More than the socket buffers of an operating system hold.
  const [many, long] = inject('full') ? [6000, 1000] : [600, 10_000]
  await sql`
    insert into event (kind, library_id, item_id, payload, actor_id, created_at)
    select kind, library_id, item_id, jsonb_set(payload, '{operatorName}', to_jsonb(n || repeat('字', ${sql.lit(long)}))),
      actor_id, created_at
    from event, generate_series(1, ${sql.lit(many)}) n where item_id = ${folderId} order by n`.execute(own.app.db)
  await anna.folder(anna.library, 'last')
  await own.app.settle()
  let most = 0
  fast.socket.on('message', () => {
    for (const socket of connections) most = Math.max(most, socket.writableLength)
  })
  await hears(fast, 'last')
  expect(most).toBeLessThan(1024 * 1024)
  for (let beat = 1; beat <= 4; beat += 1) {
    time += limits.heartbeatMs
    // Clients that no longer read still send heartbeats.
    for (const client of [...beating, ...stopped]) client.heartbeat()
    await vi.waitFor(() => expect(beating.map(({ heartbeats }) => heartbeats)).toEqual([beat, beat]), 120_000)
  }
  for (const { socket } of stopped) socket.resume()
  expect(await Promise.all(silent.map(({ closed }) => closed))).toEqual([4004, 4004])
  expect(await Promise.all(stopped.map(({ closed }) => closed))).toEqual([4005, 4005])
  for (const { types } of stopped) expect(types.length).toBeLessThan(many)
  for (const { socket } of [...beating, fast]) expect(socket.readyState).toBe(WebSocket.OPEN)
})
