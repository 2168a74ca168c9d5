// Twenty clients of a group on three servers, which are killed while the connections to the database end and its tables
// are locked: every acknowledged message is there once, in one order for all.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isFrame } from '@cloudoc/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Remote } from './remote.ts'
import { type Installation, type Node, password, Site } from './several-servers.ts'

const full = inject('full')
const peopleCount = 10
const each = full ? 40 : 8
const kills = full ? 6 : 2

let site: Site
beforeAll(async () => {
  site = await Site.open()
})
afterAll(async () => site.close())

/** The servers that answer now. One that was killed is replaced. */
class Servers {
  readonly #installation: Installation
  nodes: Node[] = []

  constructor(installation: Installation) {
    this.#installation = installation
  }

  async add(): Promise<void> {
    const server = this.#installation.start()
    this.nodes = [...this.nodes, { server, origin: await server.ready() }]
  }

  origin(n: number): string {
    return this.nodes[n % this.nodes.length]?.origin ?? ''
  }

  /** Kills the oldest server, and starts another one. */
  async replace(): Promise<void> {
    const [oldest, ...rest] = this.nodes
    this.nodes = rest
    oldest?.server.child.kill('SIGKILL')
    await this.add()
  }
}

/** One client: sends until each message is acknowledged, and listens again, by its position, whenever its channel ends. */
class Client {
  readonly remote: Remote
  readonly acknowledged = new Map<string, number>()
  readonly heard = new Map<number, string>()
  readonly #servers: Servers
  readonly #n: number
  #ended = false
  #listening: Promise<void> | undefined

  constructor(remote: Remote, servers: Servers, n: number) {
    this.remote = remote
    this.#servers = servers
    this.#n = n
  }

  /** Listens from here on: what is written before the first channel is open is told as well. */
  async start(conversationId: number): Promise<void> {
    const position = await this.remote.call(this.#servers.origin(this.#n), 'getPushPosition', {})
    this.#listening = this.#listen(conversationId, position)
  }

  async send(conversationId: number, value: string): Promise<void> {
    const uuid = randomUUID()
    for (let attempt = 0; ; attempt += 1)
      try {
        const input = { conversationId, uuid, type: 'text', value } as const
        const { number } = await this.remote.call(this.#servers.origin(this.#n + attempt), 'imSend', input)
        this.acknowledged.set(uuid, number)
        return
      } catch (error) {
        // A server that is gone, or a database that does not answer: the client asks again with the same uuid.
        if (attempt > 200) throw error
        await delay(50)
      }
  }

  async #listen(conversationId: number, from: { lastIdentity: string; epoch: string }): Promise<void> {
    let position = from
    for (let attempt = 0; !this.#ended; attempt += 1) {
      const live = await this.remote.listen(this.#servers.origin(this.#n + attempt), position).catch(() => undefined)
      if (live === undefined) {
        await delay(50)
        continue
      }
      let taken = 0
      const take = (): void => {
        for (; taken < live.frames.length; taken += 1) {
          const frame = live.frames[taken]
          if (frame === undefined || !isFrame(frame, 'messageReceived')) continue
          position = { lastIdentity: frame.identity, epoch: frame.epoch }
          const { number, value, data } = frame.data
          if (frame.data.conversationId === conversationId && data.type === 'text') this.heard.set(number, value)
        }
      }
      while (!this.#ended && !(await Promise.race([live.closed.then(() => true), delay(50, false)]))) take()
      take()
      await live.close().catch(() => undefined)
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#listening
  }
}

// [R293] [R311] What the servers have acknowledged survives kills of servers, ended connections and a locked database.
test('[R293] [R311] nothing acknowledged is lost, doubled or reordered by kills of servers and a database that stands still', async () => {
  const installation = await site.install('talk')
  const servers = new Servers(installation)
  await servers.add()
  await Promise.all([servers.add(), servers.add()])
  const { origin } = servers.nodes[0] as Node
  const admin = await Remote.signIn(origin, 'admin', password)
  const userIds: number[] = []
  for (let n = 0; n < peopleCount; n += 1) {
    const account = `talk${n}`
    const made = await admin.call(origin, 'createAccount', { account, accountName: account, password, groupId: 0 })
    userIds.push(made.userId)
  }
  const clients: Client[] = []
  // Two kinds of clients of each person.
  for (const [n] of userIds.entries())
    for (const clientType of [6, 250])
      clients.push(new Client(await Remote.signIn(origin, `talk${n}`, password, clientType), servers, clients.length))
  const { conversationId } = await admin.call(origin, 'imCreateGroup', { name: '群', userIdArray: userIds })
  await Promise.all(clients.map((client) => client.start(conversationId)))

  const writing = Promise.all(
    clients.map(async (client, n) => {
      for (let i = 0; i < each; i += 1) await client.send(conversationId, `${n} ${i}`)
    }),
  )
  const outside = new pg.Client(installation.target)
  await outside.connect()
  for (let n = 0; n < kills; n += 1) {
    await delay(150)
    await servers.replace()
    await outside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    // The tables stand still for a while.
    await outside.query('begin; lock table talk_message in access exclusive mode')
    await delay(300)
    await outside.query('commit')
  }
  await writing
  await outside.end()

  const all = new Map(clients.flatMap(({ acknowledged }) => [...acknowledged]))
  expect(all.size).toBe(clients.length * each)
  const histories = await Promise.all(
    clients.map(async ({ remote }, n) => {
      const found: { uuid: string; number: number; value: string }[] = []
      for (let after = 0; ; ) {
        const input = { conversationId, after, rows: 100 }
        const page = await remote.call(servers.origin(n), 'imHistory', input)
        found.push(...page.list.filter(({ data }) => data.type === 'text'))
        if (!page.newer) return found
        after = page.list.at(-1)?.number ?? 0
      }
    }),
  )
  const [first = []] = histories
  // Everything acknowledged once, at the number that was answered, in one order for everybody.
  expect(new Map(first.map(({ uuid, number }) => [uuid, number]))).toEqual(all)
  expect(first).toHaveLength(all.size)
  for (const history of histories)
    expect(history.map(({ number, value }) => [number, value])).toEqual(
      first.map(({ number, value }) => [number, value]),
    )
  for (const [n] of clients.entries())
    expect(first.filter(({ value }) => value.startsWith(`${n} `)).map(({ value }) => value)).toEqual(
      Array.from({ length: each }, (_, i) => `${n} ${i}`),
    )
  // The channel has told each client everything, however often it was cut.
  const last = first.at(-1)?.number ?? 0
  await expect.poll(() => clients.every(({ heard }) => heard.size >= first.length), { timeout: 120_000 }).toBe(true)
  await Promise.all(clients.map((client) => client.end()))
  await Promise.all(
    clients.map(({ remote }, n) => remote.call(servers.origin(n), 'imMarkRead', { conversationId, number: last })),
  )
  for (const { heard } of clients)
    expect([...heard].toSorted(([a], [b]) => a - b)).toEqual(first.map(({ number, value }) => [number, value]))
  // Read marks have converged.
  const sender = clients.find(({ acknowledged }) => [...acknowledged.values()].includes(last))
  const status = await sender?.remote.call(servers.origin(1), 'imReadStatus', { conversationId, number: last })
  expect(status?.readCount).toBe(peopleCount - 1)
})
