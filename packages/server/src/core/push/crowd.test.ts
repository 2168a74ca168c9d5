// Many sockets at once, including slow ones: nothing is lost, duplicated or late, and the work stays small.
import { channelFrames, isFrame, pushes } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { crowd } from '../../../test/crowd.ts'
import { changeIn } from '../../../test/follower.ts'
import { longTest } from '../../../test/full.ts'
import { type Listener, openWorld, type Person, type World } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { endedAfterMs } from './heartbeat.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const folder = async (person: Person, folderName: string, parentId = person.library): Promise<number> =>
  (await person.call('folderCreate', { parentId, folderName })).folderId
const hears = (live: Listener, name: string) => live.next((frame) => changeIn(frame)?.fName === name)
const heard = (live: Listener): string[] => live.frames.flatMap((frame) => changeIn(frame)?.fName ?? [])

/** A folder that all users of the company can see. */
async function openFolder(world: World): Promise<{ admin: Person; open: number }> {
  const admin = await world.admin()
  const open = await folder(admin, `open ${Math.random()}`, await world.company())
  const { rows } = await sql<{ id: number }>`select id from org_group where parent_id is null`.execute(world.app.db)
  await admin.shares({ folderId: open }, [{ to: { groupId: rows[0]?.id ?? 0 }, rights: 6 }])
  return { admin, open }
}

/**
 * Creates many changes of one folder, as if a user had made them. They fill the sockets of clients that do not read.
 */
async function flood(world: World, folderId: number, many: number): Promise<void> {
  await sql`
    insert into event (kind, library_id, item_id, payload, actor_id, created_at)
    select kind, library_id, item_id, jsonb_set(payload, '{operatorName}', to_jsonb(n || repeat('字', 300))), actor_id,
      created_at
    from (select * from event where item_id = ${folderId} order by id limit 1) one,
      generate_series(1, ${sql.lit(many)}) n order by n`.execute(world.app.db)
}

/** A client that drops duplicates by their identity, as the real client does. */
class Screen {
  readonly person: Person
  readonly shown: string[] = []
  private readonly seen = new Set<string>()
  private live: Listener | undefined
  private last = ''
  private epoch = ''

  constructor(person: Person) {
    this.person = person
  }

  async open(): Promise<void> {
    const live = await this.person.listen(this.last === '' ? {} : { lastIdentity: this.last, epoch: this.epoch })
    this.live = live
    live.socket.on('message', () => this.take(live))
    this.take(live)
  }

  private taken = 0
  private take(live: Listener): void {
    if (live !== this.live) return
    for (; this.taken < live.frames.length; this.taken += 1) {
      const frame = live.frames[this.taken]
      if (frame === undefined) continue
      if (isFrame(frame, 'welcome')) {
        this.epoch = frame.epoch
        if (this.last === '') this.last = frame.data.lastIdentity
        if (frame.data.refetch) this.shown.push('everything was to be fetched again')
      }
      const change = changeIn(frame)
      if (change === undefined) continue
      this.last = frame.identity
      if (this.seen.has(frame.identity)) continue
      this.seen.add(frame.identity)
      this.shown.push(change.fName)
    }
  }

  async drop(): Promise<void> {
    const live = this.live
    live?.socket.terminate()
    await live?.closed
    if (live !== undefined) this.take(live)
    this.live = undefined
    this.taken = 0
  }

  sees(name: string): Promise<unknown> {
    return this.live === undefined ? Promise.reject(new Error('no channel')) : hears(this.live, name)
  }
}

test('[R308] many sockets that drop together, again and again while others write, lose nothing and show nothing twice', async () => {
  const [many, times] = inject('full') ? [1000, 10] : [80, 2]
  const world = await openWorld()
  const { admin, open } = await openFolder(world)
  await world.app.settle()
  const screens = (await crowd(world, many)).map((person) => new Screen(person))
  await Promise.all(screens.map((screen) => screen.open()))
  const written: string[] = []
  let writing = true
  const writer = (async () => {
    while (writing) {
      const name = `n${written.length}`
      written.push(name)
      await folder(admin, name, open)
    }
  })()
  for (let time = 0; time < times; time += 1) {
    const before = written.length
    await Promise.all(screens.map((screen) => screen.drop()))
    await vi.waitFor(() => expect(written.length).toBeGreaterThan(before), 120_000)
    await Promise.all(screens.map((screen) => screen.open()))
  }
  writing = false
  await writer
  written.push('last')
  await folder(admin, 'last', open)
  await Promise.all(screens.map((screen) => screen.sees('last')))
  const wrong = screens.filter((screen) => screen.shown.join() !== written.join())
  expect(wrong.map(({ shown }) => shown)).toEqual([])
})

describe('work', () => {
  test('telling a hundred sockets and logging them in takes as many statements as telling a few', async () => {
    const world = await openWorld({ elected: false, steady: () => 0 })
    const { admin, open } = await openFolder(world)
    await world.app.settle()
    const people = await crowd(world, 103)
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    const aboutSessions = (): number => {
      const texts = spy.mock.calls.map(([first]: unknown[]) =>
        typeof first === 'string' ? first : String((first as { text?: string }).text),
      )
      spy.mockClear()
      return texts.filter((text) => /from session s/.test(text) && !/token_hash = /.test(text)).length
    }
    const tell = async (listeners: readonly Listener[], name: string): Promise<number> => {
      await folder(admin, name, open)
      aboutSessions()
      await world.app.settle()
      await Promise.all(listeners.map((live) => hears(live, name)))
      return aboutSessions()
    }
    const few = await Promise.all(people.slice(0, 3).map((person) => person.listen()))
    const forFew = await tell(few, 'to few')
    expect(forFew).toBeGreaterThan(0)
    const rest = await Promise.all(people.slice(3).map((person) => person.listen()))
    // How many log in as one batch depends on timing. One by one they would be a hundred.
    expect(aboutSessions()).toBeLessThan(rest.length / 2)
    expect(await tell([...few, ...rest], 'to all')).toBeLessThanOrEqual(forFew)
  })
})

describe('a line that is full', () => {
  longTest(
    '[R308] whose session ends while a replay waits for them, the rest is not told, without any word of the end',
    async () => {
      const world = await openWorld({ elected: false })
      const { admin, open } = await openFolder(world)
      const [anna] = await crowd(world, 1)
      if (anna === undefined) throw new Error('nobody')
      const first = await anna.listen()
      const item = await folder(admin, 'x', open)
      await world.app.settle()
      const { identity, epoch } = await hears(first, 'x')
      await first.close()
      await flood(world, item, 9000)
      await world.app.settle()
      const live = await anna.listen({ lastIdentity: identity, epoch })
      live.socket.pause()
      expect(live.frames[0]).toMatchObject({ data: { backlog: 9000 } })
      await sql`delete from session where account_id = ${anna.userId}`.execute(world.app.db)
      live.socket.resume()
      expect(await live.closed).toBe(4001)
      expect(heard(live).length).toBeLessThan(9000)
      expect(live.frames.at(-1)).toMatchObject({ pushType: channelFrames.refusal.type })
    },
  )

  test('[R314] from whom rights are taken while they wait, the rest is kept, though nobody has told the process', async () => {
    const world = await openWorld({ elected: false })
    const { admin, open } = await openFolder(world)
    const [anna] = await crowd(world, 1)
    if (anna === undefined) throw new Error('nobody')
    const live = await anna.listen()
    const item = await folder(admin, 'x', open)
    await world.app.settle()
    await hears(live, 'x')
    live.socket.pause()
    await flood(world, item, 9000)
    await world.app.settle()
    await folder(admin, 'later', open)
    await world.app.settle()
    // Committed, but not numbered: no process knows of it.
    await admin.shares({ folderId: open }, [], { inherit: false })
    await admin.call('renameFolder', { folderId: item, folderName: 'secret' })
    live.socket.resume()
    await world.app.settle()
    await live.next((frame) => changeIn(frame)?.operateType === 4)
    expect(JSON.stringify(live.frames)).not.toMatch(/secret|later/)
    expect(heard(live).length).toBeLessThan(9000)
  })
})

describe('who listens', () => {
  test('[R314] whoever gets a role or a department hears of what it sees from then on, and who loses it no more', async () => {
    const world = await openWorld()
    const admin = await world.admin()
    const ben = await world.person('ben')
    const live = await ben.listen()
    const { roleId } = await admin.call('createRole', { roleName: 'auditors' })
    const team = await folder(admin, 'team', await world.company())
    await admin.shares({ folderId: team }, [{ to: { roleId }, rights: 6 }], { inherit: false })
    const managers = await admin.listen()
    await folder(admin, 'hidden', team)
    await hears(managers, 'hidden')
    await admin.call('changePeople', { userIds: [ben.userId], addRoleId: roleId })
    await folder(admin, 'shown', team)
    await hears(live, 'shown')
    await sql`delete from role_account where account_id = ${ben.userId}`.execute(world.app.db)
    await sql`update stamp set value = value + 1 where name = 'organisation'`.execute(world.app.db)
    await folder(admin, 'hidden again', team)
    await folder(ben, 'own')
    await hears(live, 'own')
    expect(JSON.stringify(live.frames)).not.toContain('hidden')
  })

  test('[R314] of several people with the same departments and roles one may be denied what the others hear', async () => {
    const world = await openWorld()
    const { admin, open } = await openFolder(world)
    const [anna, ben, carl] = await crowd(world, 3)
    if (anna === undefined || ben === undefined || carl === undefined) throw new Error('nobody')
    const team = await folder(admin, 'team', open)
    await admin.shares({ folderId: team }, [{ to: ben, rights: 1 }])
    await world.app.settle()
    const [a, b, c] = await Promise.all([anna, ben, carl].map((person) => person.listen()))
    if (a === undefined || b === undefined || c === undefined) throw new Error('nobody')
    await folder(admin, 'inside', team)
    await folder(admin, 'outside', open)
    await Promise.all([a, b, c].map((live) => hears(live, 'outside')))
    expect([a, b, c].map((live) => heard(live))).toEqual([['inside', 'outside'], ['outside'], ['inside', 'outside']])
  })
})

test('[R308] a session that ended without an event is told nothing any more, and its socket closes', async () => {
  let time = 0
  const world = await openWorld({ elected: false, steady: () => time })
  const { admin, open } = await openFolder(world)
  await world.app.settle()
  const [anna, ben] = await crowd(world, 2)
  const [ended, holding] = [await anna?.listen(), await ben?.listen()]
  if (ended === undefined || holding === undefined) throw new Error('nobody')
  await sql`delete from session where account_id = ${anna?.userId}`.execute(world.app.db)
  await folder(admin, 'later', open)
  await world.app.settle()
  await hears(holding, 'later')
  time += endedAfterMs
  expect(await ended.closed).toBe(4001)
  expect(heard(ended)).toEqual([])
  expect(ended.frames.at(-1)).toMatchObject({ pushType: channelFrames.refusal.type })
})

test('[R312] [R034] who has signed in elsewhere is told so, though another change reaches their channel first', async () => {
  const pauses = new Pauses()
  const world = await openWorld({ elected: false, pause: pauses.at, steady: () => 0 })
  const { admin, open } = await openFolder(world)
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  await world.app.settle()
  const [older, holding] = [await anna.listen(), await ben.listen()]
  const stop = pauses.hold('sequenced')
  await folder(admin, 'before', open)
  const settling = world.app.settle()
  await stop.reached
  await world.signIn(anna.account)
  await hears(holding, 'before')
  stop.release()
  await settling
  await world.app.settle()
  expect(await older.closed).toBe(4001)
  expect(older.frames.at(-1)).toMatchObject({ pushType: pushes.loginElsewhere.type })
  expect(heard(older)).toEqual([])
})

describe('silence', () => {
  test('[R392] a socket that answers heartbeats stays, one that is silent for 90 s is given up', async () => {
    let time = 0
    const world = await openWorld({ steady: () => time })
    const [anna, ben] = await crowd(world, 2)
    const [answering, silent] = [await anna?.listen(), await ben?.listen()]
    if (answering === undefined || silent === undefined) throw new Error('nobody')
    silent.socket.pause()
    const beats = () => answering.frames.filter((frame) => isFrame(frame, 'heartbeat')).length
    for (let beat = 1; beat <= 4; beat += 1) {
      time += limits.heartbeatMs
      await vi.waitFor(() => expect(beats()).toBe(beat), 120_000)
    }
    silent.socket.resume()
    expect(await silent.closed).toBe(4004)
    expect(answering.socket.readyState).toBe(1)
  })

  test('[R308] the answer to a login is the first that is heard, though a heartbeat is due meanwhile', async () => {
    let time = 0
    const world = await openWorld({ elected: false, steady: () => time })
    const [anna, ben] = await crowd(world, 2)
    const other = await ben?.listen()
    const holder = new pg.Client(world.database)
    await holder.connect()
    // The last table that a login reads.
    await holder.query('begin; lock table personal_push')
    const coming = anna?.listen()
    await vi.waitFor(async () => {
      const waiting = "select from pg_locks where not granted and relation = 'personal_push'::regclass"
      expect((await holder.query(waiting)).rowCount).toBe(1)
    }, 10_000)
    time += limits.heartbeatMs
    await other?.next((frame) => isFrame(frame, 'heartbeat'))
    await holder.query('commit')
    await holder.end()
    expect((await coming)?.frames[0]).toMatchObject({ pushType: channelFrames.welcome.type })
  })

  test('a session that ends without an event closes its idle socket at the next heartbeat', async () => {
    let time = 0
    const world = await openWorld({ steady: () => time })
    const [anna] = await crowd(world, 1)
    const live = await anna?.listen()
    await sql`update session set expires_at = ${Date.now()} where account_id = ${anna?.userId}`.execute(world.app.db)
    time += limits.heartbeatMs
    await vi.waitFor(() => {
      time += endedAfterMs
      expect(live?.socket.readyState).toBe(WebSocket.CLOSED)
    }, 10_000)
    expect(await live?.closed).toBe(4001)
  })
})
