/*
 * The dependencies of the servers fail one at a time under load: the database, the content store, NATS. There are two
 * servers, each with its own proxy to every dependency. /healthz keeps answering correctly, no request hangs,
 * everything recovers by itself, and what was acknowledged is there.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, vi } from 'vitest'
import { FaultyProxy, type ProxyState } from './faulty-proxy.ts'
import { longTest } from './full.ts'
import { Broker } from './nats-broker.ts'
import { describeError, Page } from './open-page.ts'
import type { Remote } from './remote.ts'
import { makeBucket, removeBuckets, S3Server } from './s3.ts'
import { s3Account } from './s3-account.ts'
import { type Node, Site } from './several-servers.ts'

/** The longest time that an answer may take. */
const longestMs = 35_000
/** The time in which /healthz must answer, and an allowance for a busy machine. */
const healthMs = 2000 + 1000

let site: Site
let folder = ''
let bucket = ''
let nodes: readonly Node[] = []
let people: { ben: Remote; shared: number }
const ways = {} as Record<'database' | 'store', FaultyProxy>
let broker: Broker
let store: S3Server

beforeAll(async () => {
  if (!inject('full')) return
  site = await Site.open()
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-ways-'))
  broker = await Broker.open()
  store = await S3Server.start()
  bucket = await makeBucket()
  const { host, user, port } = site.postgres.target
  const socket = `.s.PGSQL.${port}`
  ways.database = await FaultyProxy.open({ path: join(host, socket) }, { path: join(folder, socket) })
  const at = { host: '127.0.0.1', port: Number(new URL(store.origin).port) }
  ways.store = await FaultyProxy.open(at, { host: '127.0.0.1', port: 0 })
  const installation = await site.install('outages', {
    DATABASE_URL: `postgresql:///outages?host=${encodeURIComponent(folder)}&user=${user}&port=${port}`,
    BLOB_URL: `s3:http://127.0.0.1:${ways.store.port}/${basename(bucket)}`,
    S3_ACCESS_KEY_ID: s3Account.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Account.secretAccessKey,
    S3_REGION: s3Account.region,
    FANOUT_URL: broker.url,
  })
  nodes = await installation.two()
  people = await installation.people(nodes[0]?.origin ?? '', 'ben')
})
afterAll(async () => {
  await site?.close()
  await broker?.kill()
  await store?.kill()
  for (const way of Object.values(ways)) way.close()
  await removeBuckets()
  if (folder !== '') await rm(folder, { recursive: true, force: true })
})

interface Healthy {
  readonly at: number
  readonly status: number
  readonly said: string
  readonly tookMs: number
}

/** Users who work at both servers without a pause, and a client that polls the health of both. */
class Load {
  readonly folders: string[] = []
  readonly files = new Map<number, string>()
  readonly health: Healthy[][] = nodes.map(() => [])
  longest = { what: '', ms: 0 }
  failures: string[] = []
  succeeded = new Map<string, number>()
  private readonly work: Promise<void>[] = []
  private ends = false
  private readonly name: string
  private n = 0

  constructor(name: string) {
    this.name = name
  }

  start(): void {
    const { ben, shared } = people
    for (const [node, { origin }] of nodes.entries()) {
      const signal = (): AbortSignal => AbortSignal.timeout(longestMs + 10_000)
      for (let one = 0; one < 3; one += 1) {
        this.repeat(`a folder at ${node}`, async () => {
          const folderName = `${this.name} ${(this.n += 1)}`
          await ben.call(origin, 'folderCreate', { parentId: shared, folderName })
          this.folders.push(folderName)
        })
        this.repeat(`a list at ${node}`, () => ben.call(origin, 'getSubItemList3', { folderId: shared, rows: 20 }))
        this.repeat(`an upload at ${node}`, async () => {
          const content = randomBytes(4000 + 40_000 * one).toString('hex')
          const fileId = await ben.upload(origin, shared, `${this.name} ${(this.n += 1)}.bin`, content)
          this.files.set(fileId, content)
        })
        this.repeat(`a download at ${node}`, async () => {
          const [fileId, content] = [...this.files].at(-1 - Math.floor(Math.random() * 20)) ?? []
          if (fileId === undefined) return
          const response = await ben.download(origin, fileId)
          if ((await response.text()) !== content) throw new Error(`other bytes: ${response.status}`)
        })
      }
      this.repeat(`the health of ${node}`, async () => {
        const at = performance.now()
        const response = await fetch(`${origin}/healthz`, { signal: signal() })
        const said = await response.text()
        this.health[node]?.push({ at, status: response.status, said, tookMs: performance.now() - at })
      })
    }
  }

  /** Returns the failures since the last call. */
  failed(): string[] {
    const failures = this.failures
    this.failures = []
    return failures
  }

  async end(): Promise<void> {
    this.ends = true
    await Promise.all(this.work)
  }

  private repeat(what: string, doing: () => Promise<unknown>): void {
    const working = async (): Promise<void> => {
      while (!this.ends) {
        const from = performance.now()
        try {
          await doing()
          this.succeeded.set(what, (this.succeeded.get(what) ?? 0) + 1)
        } catch (error) {
          this.failures.push(`${what}: ${describeError(error)}`)
        }
        const ms = performance.now() - from
        if (ms > this.longest.ms) this.longest = { what, ms }
        await delay(100)
      }
    }
    this.work.push(working())
  }
}

const turn = (what: keyof typeof ways, state: ProxyState) => () => Promise.resolve(ways[what].setState(state))
const open = (what: keyof typeof ways) => turn(what, 'open')
const full = (): string => join(bucket, 'full')

describe.each<
  [what: string, begin: () => Promise<unknown>, end: () => Promise<unknown>, ms: number, says: [number, string][]]
>([
  ['the database is frozen', turn('database', 'still'), open('database'), 45_000, [[503, 'unreachable']]],
  ['the database is gone', turn('database', 'gone'), open('database'), 15_000, [[503, 'unreachable']]],
  ['the database is slow', turn('database', 100), open('database'), 15_000, []],
  ['the store is gone', turn('store', 'gone'), open('store'), 20_000, [[200, 'contents']]],
  ['the store is frozen', turn('store', 'still'), open('store'), 45_000, [[200, 'contents']]],
  ['the store is slow', turn('store', 200), open('store'), 15_000, []],
  ['the store is full', () => writeFile(full(), ''), () => rm(full()), 15_000, []],
  ['NATS is away', () => broker.kill(), () => broker.start(), 15_000, [[200, 'NATS']]],
])('while people work at two servers and %s', (what, begin, end, ms, says) => {
  longTest('health is told truly, nobody waits for ever, it comes back by itself, and nothing is lost', async () => {
    const { ben, shared } = people
    const pages = nodes.map(({ origin }) => new Page(origin, ben))
    await vi.waitFor(() => expect(pages.map(({ sockets }) => sockets)).toEqual([1, 1]), 120_000)
    const load = new Load(what)
    load.start()
    await delay(5000)
    expect(load.failed()).toEqual([])
    const from = performance.now()
    await begin()
    await delay(ms)
    const during = load.health.map((all) => all.filter(({ at }) => at > from + healthMs))
    await end()
    // Recovery is automatic: every operation works again, at both servers.
    await vi.waitFor(
      () => {
        const last = load.health.map((all) => all.at(-1))
        expect(last.map((one) => [one?.status, one?.said])).toEqual(nodes.map(() => [200, '{"status":"ok"}']))
      },
      { timeout: 120_000, interval: 500 },
    )
    const backMs = performance.now() - from - ms
    // Requests that were in flight at the recovery may still fail.
    await delay(longestMs - 15_000)
    const failed = load.failed()
    load.succeeded.clear()
    await delay(5000)
    const late = load.failed()
    const working = load.succeeded.size
    await load.end()
    const most = Math.max(...load.health.flat().map(({ tookMs }) => tookMs))
    console.log(
      `${what}: ${load.folders.length} folders, ${load.files.size} files, ${failed.length} failed; longest ${Math.round(load.longest.ms)} ms (${load.longest.what}), /healthz ${Math.round(most)} ms, back after ${Math.round(backMs)} ms; failures: ${[...new Set(failed)].slice(0, 12).join(' | ')}`,
    )
    for (const all of during) {
      for (const one of all) {
        if (says.length > 0)
          expect(
            says.some(([status, word]) => one.status === status && one.said.includes(word)),
            one.said,
          ).toBe(true)
        else expect(one.status).toBe(200)
      }
    }
    expect(late).toEqual([])
    expect(working).toBe(nodes.length * 5)
    expect(most).toBeLessThan(healthMs)
    expect(load.longest.ms).toBeLessThan(longestMs)

    // Nothing acknowledged is lost, and every page was notified of it once.
    const last = `${what}, the last`
    await ben.call(nodes[0]?.origin ?? '', 'folderCreate', { parentId: shared, folderName: last })
    const made = [...load.folders, last]
    await vi.waitFor(() => expect(pages.every((page) => page.hears(last))).toBe(true), { timeout: 120_000 })
    await Promise.all(pages.map((page) => page.end()))
    for (const page of pages) {
      const told = new Set(made)
      expect(page.seen.filter((one) => told.has(one)).toSorted()).toEqual(made.toSorted())
      expect(page.refetches).toBe(0)
    }
    for (const [fileId, content] of load.files) {
      expect(
        (await (await ben.download(nodes[fileId % 2]?.origin ?? '', fileId)).text()) === content,
        `${fileId}`,
      ).toBe(true)
    }
    const names = new Set<string>()
    for (let from = 0; ; from += 1000) {
      const { list } = await ben.call(nodes[1]?.origin ?? '', 'getSubItemList3', { folderId: shared, rows: 1000, from })
      for (const { fName } of list) names.add(fName)
      if (list.length < 1000) break
    }
    expect(made.filter((one) => !names.has(one))).toEqual([])
  })
})
