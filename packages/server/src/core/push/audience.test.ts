// Events of a feature that only this test has: conversations with members who join and leave.
import type { AddressInfo } from 'node:net'
import { channelFrames, type PushOf, push, pushes, serverFrame } from '@cloudoc/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { crowd } from '../../../test/crowd.ts'
import { deafFanout, openWorld, type Person, type World } from '../../../test/harness.ts'
import { createSessions } from '../../people/auth/index.ts'
import type { Tx } from '../db/database.ts'
import { createInvalidations } from '../db/invalidations.ts'
import { commitChanges, type FeatureEvent, type NewEvent, personalOf } from '../events.ts'
import { createLog } from '../log.ts'
import { createSettings } from '../settings.ts'
import type { AudibleEvent, Audience } from './audience.ts'
import { wires } from './frames.ts'
import { createHub, type Hub } from './hub.ts'

const talkPushes = {
  talkMessage: push({
    summary: 'said',
    type: 9001,
    delivery: 'replayed',
    payload: z.strictObject({ talkId: z.int(), text: z.string() }),
  }),
  talkInvite: push({
    type: 9002,
    summary: 'invited',
    delivery: 'confirmed',
    payload: z.strictObject({ talkId: z.int() }),
  }),
}
const everyPush = { ...pushes, ...talkPushes }
const Frame = serverFrame(everyPush)
type Frame = z.output<typeof Frame>
const personal = personalOf(talkPushes)

interface MessageEvent extends FeatureEvent {
  readonly kind: 'talk.message'
  readonly talkId: number
  /** The number of the message in its conversation. Users who joined after it were not members then. */
  readonly number: number
  readonly text: string
}

/** Users who were members when the message was sent, and still are. */
const messageAudience: Audience<MessageEvent> = {
  async prepare(db, events) {
    const talks = [...new Set(events.map(({ event }) => event.talkId))]
    const { rows } = await sql<{ talk_id: number; account_id: number; joined_after: number }>`
      select talk_id, account_id, joined_after from room_talk_member where talk_id = any(${talks}::bigint[])`.execute(
      db,
    )
    return new Map(
      events.map(({ position, event: { talkId, number, text } }): [number, AudibleEvent] => {
        const members = rows.filter((row) => row.talk_id === talkId && row.joined_after < number)
        const accountIds = new Set(members.map((row) => row.account_id))
        const view: PushOf<'talkMessage', typeof talkPushes> = { name: 'talkMessage', payload: { talkId, text } }
        return [
          position,
          {
            concerns: { accountIds, groupIds: new Set(), roleIds: new Set() },
            perAccount: false,
            viewFor: (actor) => (accountIds.has(actor.accountId) ? view : undefined),
          },
        ]
      }),
    )
  },
}

let world: World
let hub: Hub
let port: number
let server: WebSocketServer

beforeAll(async () => {
  world = await openWorld({ elected: false })
  const { db } = world.app
  await sql`
    create table room_talk (id bigint generated always as identity primary key, said bigint not null default 0)`.execute(
    db,
  )
  await sql`
    create table room_talk_member (talk_id bigint, account_id bigint, joined_after bigint not null,
      primary key (talk_id, account_id))`.execute(db)
  const { rows } = await sql<{ value: string }>`select value from secret where name = 'epoch'`.execute(db)
  hub = createHub({
    db,
    pushes: everyPush,
    audiences: { 'talk.message': messageAudience },
    fanout: deafFanout,
    log: createLog('silent'),
    epoch: rows[0]?.value ?? 'e',
    now: Date.now,
    steady: () => performance.now(),
    sessions: createSessions(db, createSettings(db), createInvalidations(db)),
    sees: world.app.services.sees,
    mayCome: () => true,
    strictAnswers: true,
  })
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) =>
    hub.accept(socket, { wire: wires.json, address: '127.0.0.1', cookieToken: undefined }),
  )
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  await hub.close()
  server.close()
})

/** Makes a change and records its event, as a call does. */
const change = (work: (tx: Tx) => Promise<NewEvent | undefined>): Promise<void> =>
  world.app.db.transaction().execute(async (tx) => {
    const event = await work(tx)
    const events = event === undefined ? [] : [event]
    const by = { actor: undefined, changed: [], now: Date.now(), call: 'talk', address: '', items: [], detail: {} }
    await commitChanges(tx, [{ events, ...by }])
  })

class Talk {
  readonly id: number
  private constructor(id: number) {
    this.id = id
  }

  static async begin(): Promise<Talk> {
    const { rows } = await sql<{ id: number }>`insert into room_talk default values returning id`.execute(world.app.db)
    return new Talk(rows[0]?.id ?? 0)
  }

  say(text: string): Promise<void> {
    return change(async (tx) => {
      const { rows } = await sql<{ said: number }>`
        update room_talk set said = said + 1 where id = ${this.id} returning said`.execute(tx)
      const event: MessageEvent = { kind: 'talk.message', talkId: this.id, number: rows[0]?.said ?? 0, text }
      return event
    })
  }

  join({ userId }: Person): Promise<void> {
    return change(async (tx) => {
      // Takes the same lock as sending a message, so that one of the two comes first.
      await sql`
        with talk as (select id, said from room_talk where id = ${this.id} for update)
        insert into room_talk_member select id, ${userId}, said from talk`.execute(tx)
      return undefined
    })
  }

  leave({ userId }: Person): Promise<void> {
    return change(async (tx) => {
      await sql`delete from room_talk_member where talk_id = ${this.id} and account_id = ${userId}`.execute(tx)
      return undefined
    })
  }
}

/** What a user's client received, over all of its sockets. */
class Device {
  readonly person: Person
  readonly frames: Frame[] = []
  private socket: WebSocket | undefined
  private last = ''
  private epoch = ''
  private waiting: (() => void)[] = []

  constructor(person: Person) {
    this.person = person
  }

  get isOnline(): boolean {
    return this.socket !== undefined
  }

  texts(talk: Talk): string[] {
    return this.frames.flatMap((frame) =>
      frame.pushType === talkPushes.talkMessage.type && frame.data.talkId === talk.id ? [frame.data.text] : [],
    )
  }

  /** Opens the channel and waits for everything that was missed. */
  async come(): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`)
    this.socket = socket
    const before = this.frames.length
    socket.on('message', (bytes: Buffer) => {
      const frame = Frame.parse(JSON.parse(bytes.toString()))
      this.frames.push(frame)
      if (frame.pushType === channelFrames.welcome.type) {
        this.epoch = frame.epoch
        if (this.last === '') this.last = frame.data.lastIdentity
      } else this.last = frame.identity
      for (const look of this.waiting) look()
    })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ cmd: 'login', token: this.person.token, lastIdentity: this.last, epoch: this.epoch }))
    await this.until(() => this.frames.length > before)
    const welcome = this.frames[before]
    if (welcome?.pushType !== channelFrames.welcome.type) throw new Error('the login was refused')
    if (welcome.data.refetch) throw new Error('what was missed is not replayed')
    await this.until(() => this.frames.length > before + welcome.data.backlog)
  }

  async drop(): Promise<void> {
    const { socket } = this
    this.socket = undefined
    if (socket === undefined) return
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.terminate()
    await closed
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiting.push(resolve))
  }
}

/** Numbers and delivers what has been committed. Afterwards every connected client has received all of it. */
async function deliver(lobby: Talk, devices: readonly Device[]): Promise<void> {
  const mark = `mark ${Math.random()}`
  await lobby.say(mark)
  await world.app.settle()
  hub.wake()
  await Promise.all(
    devices.filter(({ isOnline }) => isOnline).map((device) => device.until(() => device.texts(lobby).includes(mark))),
  )
}

async function meet(count: number): Promise<{ lobby: Talk; devices: Device[] }> {
  const lobby = await Talk.begin()
  const devices = (await crowd(world, count)).map((person) => new Device(person))
  for (const device of devices) {
    await lobby.join(device.person)
    await device.come()
  }
  return { lobby, devices }
}

test('what is said is told to who was a member then and still is: also to who was away, not to who has left or came later', async () => {
  const { lobby, devices } = await meet(4)
  const [here, away, gone, late] = devices as [Device, Device, Device, Device]
  const talk = await Talk.begin()
  for (const { person } of [here, away, gone]) await talk.join(person)
  await talk.say('before')
  await deliver(lobby, devices)
  await away.drop()
  await gone.drop()
  await talk.say('meanwhile')
  await talk.leave(gone.person)
  await talk.join(late.person)
  await deliver(lobby, devices)
  await away.come()
  await gone.come()
  await talk.say('after')
  await deliver(lobby, devices)
  expect([here, away, gone, late].map((device) => device.texts(talk))).toEqual([
    ['before', 'meanwhile', 'after'],
    ['before', 'meanwhile', 'after'],
    ['before'],
    ['after'],
  ])
})

test('whoever comes and goes, is there or away: everybody is told what was said while they were a member, once, in order', async () => {
  const who = fc.nat({ max: 2 })
  const step = fc.oneof(
    fc.record({ does: fc.constantFrom('join', 'leave', 'drop', 'come'), who }),
    fc.record({ does: fc.constantFrom('say', 'deliver'), who }),
  )
  const { lobby, devices } = await meet(3)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const talk = await Talk.begin()
      const since = new Map<Device, number>()
      const expected = new Map<Device, string[]>(devices.map((device) => [device, []]))
      let [said, numbered] = [0, 0]
      /** What a connected client must receive of the events that have a position. */
      const told = (device: Device): void => {
        const list = expected.get(device) ?? []
        for (let number = 1; number <= numbered; number += 1) {
          if (number > (since.get(device) ?? said) && !list.includes(`n${number}`)) list.push(`n${number}`)
        }
      }
      const doIt = async (does: (typeof steps)[0]['does'], device: Device): Promise<void> => {
        if (does === 'join' && !since.has(device)) {
          await talk.join(device.person)
          since.set(device, said)
        } else if (does === 'leave' && since.delete(device)) await talk.leave(device.person)
        else if (does === 'drop') await device.drop()
        else if (does === 'come' && !device.isOnline) {
          await device.come()
          told(device)
        } else if (does === 'say') {
          said += 1
          await talk.say(`n${said}`)
        } else if (does === 'deliver') {
          await deliver(lobby, devices)
          numbered = said
          for (const one of devices) if (one.isOnline) told(one)
        }
      }
      for (const { does, who: n } of steps) {
        const device = devices[n]
        if (device !== undefined) await doIt(does, device)
      }
      for (const device of devices) await doIt('come', device)
      for (const device of devices) await doIt('deliver', device)
      expect(devices.map((device) => device.texts(talk))).toEqual(devices.map((device) => expected.get(device)))
    }),
    { numRuns: inject('full') ? 300 : 15 },
  )
})

test('[R309] a push that a feature declares as confirmed comes after each login until it is confirmed', async () => {
  const { lobby, devices } = await meet(2)
  const [asked, other] = devices as [Device, Device]
  const talk = await Talk.begin()
  await change(() => Promise.resolve(personal('talkInvite', [asked.person.userId], { talkId: talk.id })))
  await deliver(lobby, devices)
  const invites = (device: Device) => device.frames.filter(({ pushType }) => pushType === talkPushes.talkInvite.type)
  expect([asked, other].map((device) => invites(device).length)).toEqual([1, 0])
  await asked.drop()
  await asked.come()
  const [first, second] = invites(asked)
  expect(second).toEqual(first)
  const list = [{ pushType: talkPushes.talkInvite.type, identity: first?.identity ?? '' }]
  expect(await asked.person.call('confirmMsg', { clientType: 6, list })).toEqual({ confirmed: 1 })
  await asked.drop()
  await asked.come()
  expect(invites(asked)).toHaveLength(2)
})

test('people can be told by name of nothing but what is declared as confirmed', () => {
  // @ts-expect-error: it is replayed
  expect(personal('talkMessage', [1], { talkId: 1, text: '' })).toBeDefined()
  // @ts-expect-error: that is not what it says
  expect(personal('talkInvite', [1], { talkId: '1' })).toBeDefined()
})

test('events and pushes of a feature that a server does not have are for nobody, and hold up no others', async () => {
  const { lobby, devices } = await meet(1)
  const [anna] = devices as [Device]
  const unknown: FeatureEvent = { kind: 'gone.long' }
  await change(() => Promise.resolve(unknown))
  await change(() =>
    Promise.resolve({ ...personal('talkInvite', [anna.person.userId], { talkId: 1 }), pushType: 9999 }),
  )
  const before = anna.frames.length
  await deliver(lobby, devices)
  expect(anna.frames).toHaveLength(before + 1)
  await anna.drop()
  await anna.come()
})
