// Several servers on one PostgreSQL, one content folder and one fan-out serve the same people.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { isFrame, pushes } from '@cloudoc/contract'
import { codes, limits } from '@cloudoc/domain'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { changeIn } from './follower.ts'
import { few, longTest } from './full.ts'
import type { Listener } from './harness.ts'
import { Broker } from './nats-broker.ts'
import { Remote } from './remote.ts'
import { type Installation, type Node, password, Site } from './several-servers.ts'

const skewedClock = join(import.meta.dirname, 'skewed-clock.mjs')

let site: Site
const brokers: Broker[] = []

beforeAll(async () => {
  site = await Site.open()
})
afterAll(async () => {
  await site.close()
  await Promise.all(brokers.map((broker) => broker.kill()))
})

const openBroker = async (): Promise<Broker> => {
  const broker = await Broker.open()
  brokers.push(broker)
  return broker
}

const hears = (live: Listener, name: string) => live.next((frame) => changeIn(frame)?.fName === name)
const names = (live: Listener): string[] => live.frames.flatMap((frame) => changeIn(frame)?.fName ?? [])
const makes = (person: Remote, { origin }: Node, parentId: number, folderName: string) =>
  person.call(origin, 'folderCreate', { parentId, folderName })
const isElected = async ({ origin }: Node): Promise<boolean> =>
  (await (await fetch(`${origin}/metrics`)).text()).includes('\ncloudoc_elected 1\n')
const allWell = (node: Node): Promise<void> =>
  vi.waitFor(async () => {
    const said = JSON.stringify(await health(node))
    if (said !== '{"status":"ok"}') throw new Error(said)
  }, 20_000)
const health = async ({ origin }: Node): Promise<unknown> => (await fetch(`${origin}/healthz`)).json()

describe.each(few(1, ['PostgreSQL', 'NATS']))('two servers that tell each other through %s', (fanout) => {
  let installation: Installation
  let a: Node
  let b: Node

  beforeAll(async () => {
    const env = fanout === 'NATS' ? { FANOUT_URL: (await openBroker()).url } : {}
    installation = await site.install(`two_${fanout.toLowerCase()}`, env)
    ;[a, b] = await installation.two()
    await Promise.all([a, b].map(allWell))
  })

  test('[R308] both start at once on an empty database, and what changes at one is told at the other, in order', async () => {
    expect(await installation.query("select account from account where account = 'admin'")).toHaveLength(1)
    const { ben, shared } = await installation.people(a.origin, 'ben')
    const live = await Promise.all([a, b].map(({ origin }) => ben.listen(origin)))
    const made = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const [n, name] of made.entries()) await makes(ben, n % 2 === 0 ? a : b, shared, name)
    for (const each of live) {
      await hears(each, 'six')
      // Ben's own library is as new as he is, so its creation may still be on its way.
      expect(names(each).filter((name) => name !== 'ben')).toEqual(made)
    }
    await Promise.all(live.map((each) => each.close()))
  })

  test('[R312] [R047] a sign-in elsewhere and a freeze close the sockets of the other server, and end its sessions at once', async () => {
    const { admin, ben, shared } = await installation.people(a.origin, 'carl')
    const older = await ben.listen(b.origin)
    const newer = await Remote.signIn(a.origin, 'carl', password)
    expect(await ben.outcome(b.origin, 'getMyAccountInfo', {})).toBe('notLoggedIn')
    expect(await older.closed).toBe(4001)
    expect(older.frames.at(-1)).toMatchObject({ pushType: pushes.loginElsewhere.type })
    const live = await newer.listen(b.origin)
    await admin.call(a.origin, 'setAccountState', { userId: ben.userId, state: 'frozen' })
    expect(await newer.outcome(b.origin, 'getMyAccountInfo', {})).toBe('notLoggedIn')
    await makes(admin, a, shared, 'later')
    expect(await live.closed).toBe(4001)
    expect(names(live)).not.toContain('later')
  })

  test('[R220] rights taken at one server do not hold at the other for the very next call', async () => {
    const { admin, ben, shared } = await installation.people(a.origin, 'dora')
    const fileId = await ben.upload(a.origin, shared, 'a.txt', 'content')
    expect(await (await ben.download(b.origin, fileId)).text()).toBe('content')
    await admin.call(a.origin, 'setShareList', { folderId: shared, inherit: false, entries: [] })
    expect(await (await ben.download(b.origin, fileId)).json()).toMatchObject({ result: codes.notFound.code })
    expect(await ben.outcome(b.origin, 'renameFile', { fileId, fileName: 'b.txt' })).toBe('notFound')
  })

  longTest('[R200] versions put in through alternating servers come out of each, byte for byte', async () => {
    const { ben, shared } = await installation.people(b.origin, 'emil')
    const [contents, nodes] = [
      ['one', 'two, longer', 'three'],
      [a, b, a],
    ]
    let fileId = 0
    for (const [n, content] of contents.entries()) {
      fileId = await ben.upload(nodes[n]?.origin ?? '', shared, 'a.txt', content, 'version')
      for (const { origin } of [a, b]) expect(await (await ben.download(origin, fileId)).text()).toBe(content)
    }
    const { list } = await ben.call(a.origin, 'getSubItemList3', { folderId: shared })
    expect(list).toMatchObject([{ fName: 'a.txt', version: 3 }])
  })

  test('[R398] an upload in parts goes through both servers, and is finished at one after the one it began at was killed', async () => {
    const { ben, shared } = await installation.people(b.origin, 'hans')
    const content = randomBytes(2 * limits.partBytes + 12_345)
    const begin = { folderId: shared, fileName: 'big.bin', fileSize: content.length }
    const { uploadId, partSize } = await ben.call(a.origin, 'uploadOpen', begin)
    const part = (n: number): Buffer => content.subarray((n - 1) * partSize, n * partSize)
    await ben.putPart(b.origin, uploadId, 3, part(3))
    await ben.putPart(a.origin, uploadId, 1, part(1))
    expect((await ben.call(b.origin, 'uploadStatus', { uploadId })).parts).toEqual([1, 3])
    a.server.child.kill('SIGKILL')
    await a.server.exited
    await ben.putPart(b.origin, uploadId, 2, part(2))
    const server = installation.start()
    a = { server, origin: await server.ready() }
    const { fileId } = await ben.call(a.origin, 'uploadComplete', { uploadId })
    expect((await ben.call(b.origin, 'uploadComplete', { uploadId })).fileId).toBe(fileId)
    for (const { origin } of [a, b]) {
      const got = Buffer.from(await (await ben.download(origin, fileId)).arrayBuffer())
      expect(got.equals(content)).toBe(true)
    }
  })

  test('[R308] the server that does the elected work is killed: the other takes it over while it serves, and nothing is lost', async () => {
    const { ben, shared } = await installation.people(a.origin, 'fritz')
    const [holder, other] = (await isElected(a)) ? [a, b] : [b, a]
    const live = await ben.listen(other.origin)
    await makes(ben, holder, shared, 'before')
    const { identity, epoch } = await hears(live, 'before')
    const gone = await ben.listen(holder.origin)
    holder.server.child.kill('SIGKILL')
    await makes(ben, other, shared, 'while nobody numbers')
    await ben.upload(other.origin, shared, 'a.txt', 'counted')
    await hears(live, 'a.txt')
    expect(await isElected(other)).toBe(true)
    await gone.closed
    // The newly elected process folds the pending sums.
    await vi.waitFor(async () => expect(await installation.query('select 1 from tally')).toEqual([]), 120_000)
    const server = installation.start()
    const again = { server, origin: await server.ready() }
    const back = await ben.listen(again.origin, { lastIdentity: identity, epoch })
    await makes(ben, other, shared, 'after')
    await hears(back, 'after')
    expect(names(back)).toEqual(['while nobody numbers', 'a.txt', 'after'])
    if (holder === a) a = again
    else b = again
  })
})

test('NATS goes away: the log and /healthz say so, pushes go on, and it comes back by itself', async () => {
  const broker = await openBroker()
  const installation = await site.install('lost_nats', { FANOUT_URL: broker.url })
  const [a, b] = await installation.two()
  await Promise.all([a, b].map(allWell))
  const { ben, shared } = await installation.people(a.origin, 'gerd')
  const live = await Promise.all([a, b].map(({ origin }) => ben.listen(origin)))
  await broker.kill()
  for (const node of [a, b]) {
    await vi.waitFor(async () => expect(await health(node)).toEqual({ status: 'ok', away: 'NATS' }), 120_000)
    await node.server.says(/"msg":"NATS is away/)
  }
  await makes(ben, a, shared, 'without, at a')
  await makes(ben, b, shared, 'without, at b')
  for (const each of live) await hears(each, 'without, at b')
  // Starting a new server also works.
  const third = installation.start()
  const origin = await third.ready()
  expect(await health({ server: third, origin })).toEqual({ status: 'ok', away: 'NATS' })
  await broker.start()
  for (const node of [a, b, { server: third, origin }]) {
    await vi.waitFor(async () => expect(await health(node)).toEqual({ status: 'ok' }), 120_000)
  }
  await a.server.says(/"msg":"NATS is back/)
  await makes(ben, { server: third, origin }, shared, 'with it again')
  for (const each of live) {
    await hears(each, 'with it again')
    // The push about sharing the folder may come before or after they listened.
    const since = names(each).filter((name) => name !== 'gerd')
    expect(since).toEqual(['without, at a', 'without, at b', 'with it again'])
  }
})

longTest('clocks of servers may differ: a session made at one lasts at the others as long as it should', async () => {
  const installation = await site.install('clocks')
  const skewed = (hours: number): NodeJS.ProcessEnv => ({
    NODE_OPTIONS: `--import ${skewedClock}`,
    CLOCK_SKEW_MS: String(hours * 3_600_000),
  })
  const right = installation.start()
  const origin = await right.ready()
  const servers = [installation.start(skewed(13)), installation.start(skewed(-13))]
  const others = await Promise.all(servers.map((server) => server.ready()))
  const admin = await Remote.signIn(origin, 'admin', password)
  for (const other of others) {
    expect(await admin.outcome(other, 'getMyAccountInfo', {})).toBe('success')
    const live = await admin.listen(other)
    const { data } = await live.next((frame) => isFrame(frame, 'welcome'))
    expect(Math.abs((data as { serverTime: number }).serverTime - Date.now())).toBeLessThan(3_600_000)
  }
  for (const server of servers) await server.says(/"msg":"the clock of this machine differs/)
  for (const other of others) {
    const { token } = await Remote.signIn(other, 'admin', password, 7)
    const [session] = await installation.query<{ left: string }>(
      `select expires_at - (extract(epoch from now()) * 1000)::bigint as left from session where client_type = 7`,
    )
    expect(token).not.toBe('')
    expect(Number(session?.left) / 3_600_000).toBeCloseTo(12, 0)
  }
})
