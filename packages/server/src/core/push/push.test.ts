import type { Socket } from 'node:net'
import { channelFrames, isFrame, PUSH_PATH, pushes } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { changeIn } from '../../../test/follower.ts'
import { longTest } from '../../../test/full.ts'
import { type Listener, openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { sequenceBatch } from './index.ts'

const world = sharedWorld()

const folder = async (person: Person, folderName: string, parentId = person.library): Promise<number> =>
  (await person.call('folderCreate', { parentId, folderName })).folderId

/** The names of the changes received, in order. */
const heard = (live: Listener): string[] => live.frames.flatMap((frame) => changeIn(frame)?.fName ?? [])
const hears = (live: Listener, name: string) => live.next((frame) => changeIn(frame)?.fName === name)
const identities = (live: Listener): number[] =>
  live.frames.flatMap((frame) => (frame.identity === '0' ? [] : [Number(frame.identity)]))
const welcome = (live: Listener) => live.next((frame) => isFrame(frame, 'welcome'))

async function bare(world: World): Promise<{ socket: WebSocket; closed: Promise<number>; first: Promise<unknown> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${await world.port()}${PUSH_PATH}`)
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const first = new Promise((resolve) => socket.once('message', (text: Buffer) => resolve(JSON.parse(text.toString()))))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, closed, first }
}

/** Holds the commit of the transaction that writes this name, after everything in it is written. */
function holdCommit(name: string): { reached: Promise<void>; release(): void } {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const inherited = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => Promise<unknown>
  const writers = new WeakSet<pg.Client>()
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const run = () => Reflect.apply(inherited, this, args)
    const [first, second] = args as [string | { values?: unknown[] }, unknown[]?]
    const values = typeof first === 'string' ? second : first.values
    if (Array.isArray(values) && values.some((value) => typeof value === 'string' && value.includes(name))) {
      writers.add(this)
    }
    if (first !== 'commit' || !writers.has(this)) return run() as never
    spy.mockRestore()
    reached.resolve()
    return released.promise.then(run) as never
  })
  return { reached: reached.promise, release: released.resolve }
}

describe('order', () => {
  // [R308] The JSON channel, never reconnected by a timer (X57): ordered, replayed, nothing missed or duplicated.
  test('[R308] two writers who commit in reverse order are both heard, once, in the order they committed', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const live = await anna.listen()
    const stop = holdCommit('began first')
    const first = folder(anna, 'began first')
    await stop.reached
    await folder(anna, 'began second')
    await hears(live, 'began second')
    stop.release()
    await first
    await hears(live, 'began first')
    expect(heard(live)).toEqual(['began second', 'began first'])
    expect(identities(live)).toEqual(identities(live).toSorted((a, b) => a - b))
  })

  longTest(
    '[R308] a sequencer that dies between numbering and telling loses and doubles nothing; another takes over',
    async () => {
      const pauses = new Pauses()
      const world = await openWorld({ pause: pauses.at })
      const beside = await openWorld({ peer: world })
      await world.person('anna')
      const anna = await beside.signIn('anna', 7)
      const live = await anna.listen()
      const stop = pauses.hold('sequenced')
      await folder(anna, 'one')
      await stop.reached
      await folder(anna, 'two')
      // The leader's connection dies, as if its process had died. The process itself hangs at the pause.
      const { rows } = await sql<{ killed: boolean }>`
      select pg_terminate_backend(pid) as killed from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid()`.execute(beside.app.db)
      expect(rows).toEqual([{ killed: true }])
      await folder(anna, 'three')
      await hears(live, 'three')
      stop.release()
      await folder(anna, 'four')
      await hears(live, 'four')
      expect(heard(live)).toEqual(['one', 'two', 'three', 'four'])
      expect(new Set(identities(live)).size).toBe(4)
    },
  )

  test('[R308] a page that asks where pushes stand before it reads hears of what happens before its channel is open', async () => {
    const anna = await world.person('anna')
    const place = await anna.call('getPushPosition', {})
    await folder(anna, 'between')
    const live = await anna.listen(place)
    await hears(live, 'between')
  })

  test('[R308] clients that come and go in a storm miss and double nothing', async () => {
    const anna = await world.person('anna')
    const start = await welcome(await anna.listen())
    let { lastIdentity, epoch } = start.data as { lastIdentity: string; epoch: string }
    const names = Array.from({ length: 30 }, (_, n) => `n${n}`)
    const writing = Promise.all(names.map((name) => folder(anna, name)))
    const got: string[] = []
    while (got.length < names.length) {
      const live = await anna.listen({ lastIdentity, epoch })
      await live.next((frame) => changeIn(frame) !== undefined)
      await live.close()
      got.push(...heard(live))
      lastIdentity = String(identities(live).at(-1))
      epoch = live.frames[0]?.epoch ?? ''
    }
    await writing
    expect(got.toSorted()).toEqual(names.toSorted())
  })
})

describe('replay', () => {
  test('[R308] lastIdentity brings what was missed, exactly as many pushes as the answer says, and no refetch', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const team = await folder(anna, 'team')
    await anna.shares({ folderId: team }, [{ to: ben, rights: 270 }])
    const before = await ben.listen()
    await folder(anna, 'seen', team)
    const { identity, epoch } = await hears(before, 'seen')
    await before.close()
    await folder(anna, 'missed 1', team)
    await folder(anna, 'hidden')
    await folder(anna, 'missed 2', team)
    await world.app.settle()
    const live = await ben.listen({ lastIdentity: identity, epoch })
    // The share is still unconfirmed, so it comes again.
    expect((await welcome(live)).data).toMatchObject({ backlog: 3, refetch: false })
    await folder(anna, 'live', team)
    await hears(live, 'live')
    expect(heard(live)).toEqual(['missed 1', 'missed 2', 'live'])
    expect(identities(live)).toEqual(identities(live).toSorted((a, b) => a - b))
  })

  test('[R308] another epoch, an identity of the future and too long a gap are answered with refetch', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    await folder(anna, 'x')
    await world.app.settle()
    const { epoch, data } = await welcome(await anna.listen())
    const { lastIdentity } = data as { lastIdentity: string }
    const refetch = async (more: { lastIdentity?: string; epoch?: string }) =>
      (await welcome(await anna.listen(more))).data
    expect(await refetch({ lastIdentity, epoch })).toMatchObject({ refetch: false, backlog: 0 })
    expect(await refetch({})).toMatchObject({ refetch: false })
    expect(await refetch({ lastIdentity, epoch: 'another' })).toMatchObject({ refetch: true, backlog: 0 })
    expect(await refetch({ lastIdentity: '999999999', epoch })).toMatchObject({ refetch: true, backlog: 0 })
    await sql`insert into event (kind, payload, created_at) select 'personal', '{"kind":"personal","accountIds":[]}', 1
      from generate_series(1, 10001)`.execute(world.app.db)
    await world.app.settle()
    expect(await refetch({ lastIdentity, epoch })).toMatchObject({ refetch: true, backlog: 0 })
  })
})

describe('people', () => {
  test('[R309] the first who comes to a new installation is told at once of what waits, before what happens from then on', async () => {
    // Nothing has happened when the channel starts to listen, and nothing wakes it while no client is connected.
    const fresh = await openWorld({ elected: false })
    const [anna, ben] = [await fresh.person('anna'), await fresh.person('ben')]
    const live = await ben.listen()
    await live.close()
    await sql`delete from personal_push`.execute(fresh.app.db)
    const folderId = await folder(anna, 'shared early')
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    await sequenceBatch(fresh.app.db, () => Promise.resolve())
    const later = await ben.listen()
    await folder(anna, 'afterwards', folderId)
    await fresh.app.settle()
    await hears(later, 'afterwards')
    const told = later.frames.map(({ pushType }) => pushType)
    expect(told.indexOf(pushes.shareRemind.type)).toBeGreaterThan(0)
    expect(told.indexOf(pushes.shareRemind.type)).toBeLessThan(told.indexOf(pushes.folderChange.type))
    await later.close()
  })

  // [R309] Pushes are confirmed in batches.
  // [R333] Push 55: a share, stored until confirmed.
  test('[R333] [R309] a share is told again after each login until it is confirmed, by its receiver alone', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const live = await ben.listen()
    const team = await folder(anna, 'team')
    await anna.shares({ folderId: team }, [{ to: ben, rights: 6 }])
    const told = await live.next((frame) => isFrame(frame, 'shareRemind'))
    expect(told.data).toMatchObject({ folderId: team, docName: 'team', operatorName: anna.account, shareType: 0 })
    const list = [{ pushType: pushes.shareRemind.type, identity: told.identity }]
    expect(await anna.call('confirmMsg', { clientType: 6, list })).toEqual({ confirmed: 0 })
    expect(
      await ben.call('confirmMsg', {
        clientType: 6,
        list: [{ pushType: pushes.fileChange.type, identity: told.identity }],
      }),
    ).toEqual({
      confirmed: 0,
    })
    const again = await ben.listen()
    expect((await again.next((frame) => isFrame(frame, 'shareRemind'))).identity).toBe(told.identity)
    expect(await ben.call('confirmMsg', { clientType: 6, list })).toEqual({ confirmed: 1 })
    expect(await ben.call('confirmMsg', { clientType: 6, list })).toEqual({ confirmed: 0 })
    const after = await ben.listen({ lastIdentity: '0', epoch: told.epoch })
    await folder(ben, 'mark')
    await hears(after, 'mark')
    expect(after.frames.filter((frame) => isFrame(frame, 'shareRemind'))).toEqual([])
  })

  // [R312] Push 5.
  test('[R312] [R034] a login elsewhere ends the older session’s channel with push 5', async () => {
    const anna = await world.person('anna')
    const live = await anna.listen()
    const other = await (await world.signIn(anna.account, 7)).listen()
    const newer = await world.signIn(anna.account)
    // It says when and from which device.
    const told = await live.next((frame) => isFrame(frame, 'loginElsewhere'))
    expect(told.data).toEqual({ serverId: 0, time: expect.any(Number) as number, agent: expect.any(String) as string })
    expect(await live.closed).toBe(4001)
    await folder(newer, 'after')
    await hears(other, 'after')
    expect(heard(live)).toEqual([])
  })

  test('[R047] a frozen account’s channel is closed and told nothing more, also where no nudge arrives', async () => {
    const deaf = await openWorld({ peer: world, deaf: true, elected: false })
    const { account } = await world.person('ben')
    const ben = await deaf.signIn(account, 7)
    const live = await ben.listen()
    const admin = await world.admin()
    await admin.call('setAccountState', { userId: ben.userId, state: 'frozen' })
    await folder(admin, 'later', await world.company())
    expect(await live.closed).toBe(4001)
    expect(heard(live)).toEqual([])
  })
})

describe('sockets', () => {
  test('[R308] whoever does not log in, logs in twice or sends what is no frame is turned away with a code', async () => {
    let time = 0
    const world = await openWorld({ steady: () => time })
    const anna = await world.person('anna')
    const silent = await bare(world)
    const login = JSON.stringify({ cmd: 'login', token: anna.token })
    const refused: [what: string, frames: (string | Buffer)[], code: number, close: number][] = [
      ['no JSON', ['{'], codes.badRequest.code, 4002],
      ['bytes', [Buffer.from([0, 255, 254])], codes.badRequest.code, 4002],
      ['an unknown command', ['{"cmd":"subscribe"}'], codes.badRequest.code, 4002],
      ['a field too many', ['{"cmd":"heartbeat","x":1}'], codes.badRequest.code, 4002],
      ['a heartbeat before the login', ['{"cmd":"heartbeat"}'], codes.badRequest.code, 4002],
      ['no token', ['{"cmd":"login"}'], codes.notLoggedIn.code, 4001],
      ['a wrong token', ['{"cmd":"login","token":"x"}'], codes.notLoggedIn.code, 4001],
      [
        'another person’s page',
        [`{"cmd":"login","accountId":0,"token":"${anna.token}"}`],
        codes.notLoggedIn.code,
        4001,
      ],
      ['two logins', [login, login], codes.badRequest.code, 4002],
    ]
    for (const [what, frames, code, close] of refused) {
      const { socket, closed } = await bare(world)
      const answers: { pushType: number; data: { code?: number } }[] = []
      socket.on('message', (text: Buffer) => answers.push(JSON.parse(text.toString()) as (typeof answers)[0]))
      for (const frame of frames) socket.send(frame)
      const status = await closed
      const refusal = answers.find((answer) => answer.pushType === channelFrames.refusal.type)
      expect({ what, code: refusal?.data.code, status }).toEqual({ what, code, status: close })
    }
    const long = await bare(world)
    long.socket.send(JSON.stringify({ cmd: 'login', token: 'x'.repeat(5000) }))
    expect([1006, 1009]).toContain(await long.closed)
    time += 10_001
    expect(await silent.closed).toBe(4000)
  })

  test('[R308] heartbeats are taken, and other paths are no channel', async () => {
    const anna = await world.person('anna')
    const live = await anna.listen()
    live.socket.send('{"cmd":"heartbeat"}')
    await folder(anna, 'after')
    await hears(live, 'after')
    const other = new WebSocket(`ws://127.0.0.1:${await world.port()}/services2/ws/other`)
    const error = await new Promise<Error>((resolve) => other.once('error', resolve))
    expect(error.message).toContain('404')
  })

  test('[R308] a client that does not read holds up nobody, fills no memory, and gets everything in order later', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const connections: Socket[] = []
    await world.port()
    world.app.http.server.on('connection', (socket: Socket) => connections.push(socket))
    const slow = await anna.listen()
    const fast = await anna.listen()
    slow.socket.pause()
    const folderId = await folder(anna, 'x')
    await hears(fast, 'x')
    const many = 12_000
    await sql`
      insert into event (kind, library_id, item_id, payload, actor_id, created_at)
      select kind, library_id, item_id, jsonb_set(payload, '{operatorName}', to_jsonb(n || repeat('字', 300))), actor_id,
        created_at
      from event, generate_series(1, ${sql.lit(many)}) n where item_id = ${folderId} order by n`.execute(world.app.db)
    await folder(anna, 'last')
    await world.app.settle()
    const most = { waiting: 0 }
    fast.socket.on('message', () => {
      for (const socket of connections) most.waiting = Math.max(most.waiting, socket.writableLength)
    })
    await hears(fast, 'last')
    expect(fast.changes).toHaveLength(many + 2)
    expect(slow.changes.length).toBeLessThan(many)
    expect(most.waiting).toBeLessThan(1024 * 1024)
    slow.socket.resume()
    await hears(slow, 'last')
    expect(identities(slow)).toEqual(identities(fast))
    expect(world.app.http.server.listening).toBe(true)
  })

  test('a channel whose cookie comes from a page of another site is not logged in', async () => {
    const anna = await world.person('anna')
    const connect = async (origin: string | undefined): Promise<number> => {
      const headers = { cookie: `cloudoc_session=${anna.token}`, ...(origin === undefined ? {} : { origin }) }
      const socket = new WebSocket(`ws://127.0.0.1:${await world.port()}${PUSH_PATH}`, { headers })
      const answer = new Promise<{ pushType: number }>((resolve) =>
        socket.once('message', (text: Buffer) => resolve(JSON.parse(text.toString()) as { pushType: number })),
      )
      await new Promise((resolve) => socket.once('open', resolve))
      socket.send('{"cmd":"login"}')
      const { pushType } = await answer
      socket.close()
      return pushType
    }
    expect(await connect('http://evil.example')).toBe(channelFrames.refusal.type)
    expect(await connect(undefined)).toBe(channelFrames.refusal.type)
    expect(await connect(`http://127.0.0.1:${await world.port()}`)).toBe(channelFrames.welcome.type)
  })
})

test('elected work is held by one process at a time', async () => {
  const beside = await openWorld({ peer: world })
  await vi.waitFor(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(beside.app.db)
    expect(rows[0]?.n).toBe(1)
  }, 10_000)
  const metrics = await Promise.all(
    [world, beside].map(async (each) =>
      (await each.app.http.inject('/metrics')).body.includes('\ncloudoc_elected 1\n'),
    ),
  )
  expect(metrics.filter(Boolean)).toHaveLength(1)
})
