/*
 * Messages of chat. First the time until a message is on the screen of its reader (95th percentile), against a bare
 * WebSocket whose sender has committed one row before. Then the processor time of one message to a thousand people who
 * are online, against ws alone that sends as many bytes to as many sockets.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { pushes, TALK_PUSH_PATH } from '@cloudoc/contract'
import pg from 'pg'
import { openDatabase } from '../src/core/db/database.ts'
import { manySessions } from '../test/many-sessions.ts'
import type { BareOrder } from './bare-sockets.ts'
import { type AtMost, compare, cpuOf, type Measured, median } from './measure.ts'
import { p95, Screen } from './screen.ts'
import { type BenchServer, password } from './server.ts'
import { Clients, welcome } from './sockets.ts'

const messages = 40
const members = 1000
const broadcasts = 50
/** The reader's screen may take twice the time of the bare page. */
const screenBar = 0.5
/** A message to a thousand may take three times the processor time of ws alone. */
const mostProcessor = 3

const createGroup = '/im/api/group/create'
const send = '/im/api/message/send'

async function groupOf(server: BenchServer, userIdArray: readonly number[]): Promise<number> {
  return ((await server.post(createGroup, { name: 'measured', userIdArray })) as { conversationId: number })
    .conversationId
}

/** Sends a message; returns what the server stored of it. */
const say = (server: BenchServer, conversationId: number, value: string): Promise<unknown> =>
  server.post(send, { conversationId, uuid: randomUUID(), type: 'text', value })

async function onScreen(server: BenchServer, runs: number): Promise<Measured> {
  const browser = new Screen()
  const bare = fork(join(import.meta.dirname, 'bare-sockets.ts'))
  const client = new pg.Client(server.database)
  try {
    await client.connect()
    await client.query('create table bare_message (id bigserial primary key, value text not null)')
    const [[port]] = await Promise.all([once(bare, 'message') as Promise<[number]>, browser.started()])
    const person = { account: 'reader', accountName: 'reader', password, groupId: 0 }
    const made = (await server.post('/services2/organization/createAccount', person)) as { userId: number }
    const conversationId = await groupOf(server, [made.userId])
    await say(server, conversationId, 'the first message')
    const folder = `/im/index?chat=${conversationId}`
    await browser.open({
      ...{ origin: server.origin, account: person.account, password, folder },
      bareUrl: `ws://127.0.0.1:${port}`,
    })
    let count = 0
    const slowest = { ours: [] as number[], bare: [] as number[] }
    const measure = async (page: 'ours' | 'bare', write: (value: string) => Promise<unknown>): Promise<number> => {
      const times: number[] = []
      for (let n = 0; n < messages; n += 1) {
        count += 1
        const value = `message ${10_000 + count} of ${page}`
        let took = 0
        const rest = await browser.after(page, value, async () => {
          const asked = performance.now()
          await write(value)
          took = performance.now() - asked
        })
        times.push(took + rest)
      }
      slowest[page].push(p95(times))
      return 1000 / p95(times)
    }
    const measured = await compare(
      { what: 'a message on the screen of its reader (p95)', bar: screenBar, unit: '1/s' },
      runs,
      () =>
        measure('bare', async (value) => {
          await client.query('insert into bare_message (value) values ($1)', [value])
          bare.send({ to: 'all', frames: [JSON.stringify({ data: { fName: value } })] } satisfies BareOrder)
        }),
      () => measure('ours', (value) => say(server, conversationId, value)),
    )
    const all = (of: readonly number[]): string => of.map((ms) => ms.toFixed(0)).join(', ')
    return { ...measured, note: `p95 of each run in ms: ${all(slowest.ours)}; bare ${all(slowest.bare)}` }
  } finally {
    browser.end()
    bare.disconnect()
    await client.end()
  }
}

async function toMany(server: BenchServer, runs: number): Promise<AtMost> {
  const database = openDatabase(server.database, 2)
  const [clients, bareClients] = [new Clients(), new Clients()]
  const bare = fork(join(import.meta.dirname, 'bare-sockets.ts'))
  try {
    const [port] = (await once(bare, 'message')) as [number]
    const sessions = await manySessions(database.db, members)
    const tokens = sessions.map(({ token }) => token)
    const conversationId = await groupOf(
      server,
      sessions.map(({ accountId }) => accountId),
    )
    await clients.obey({ do: 'open', url: `${server.origin.replace('http', 'ws')}${TALK_PUSH_PATH}`, tokens })
    bare.send({ to: 'each who comes', frames: [welcome] } satisfies BareOrder)
    await bareClients.obey({ do: 'open', url: `ws://127.0.0.1:${port}`, tokens })
    let frame = ''
    const timed = async (pid: number, work: (name: string) => Promise<unknown>): Promise<number> => {
      const before = await cpuOf({ pid })
      for (let n = 0; n < broadcasts; n += 1) await work(`${randomUUID()} `.repeat(3))
      return ((await cpuOf({ pid })) - before) / broadcasts
    }
    const ratios: number[] = []
    for (let run = 0; run <= runs; run += 1) {
      const ours = await timed(server.pid, async (name) => {
        const stored = await say(server, conversationId, name)
        frame = JSON.stringify(stored)
        await clients.obey({ do: 'await', name })
      })
      const theirs = await timed(bare.pid ?? 0, async (name) => {
        const data = { ...(JSON.parse(frame) as object), value: name }
        const text = JSON.stringify({ pushType: pushes.messageReceived.type, identity: name, epoch: 'bare', data })
        bare.send({ to: 'all', frames: [text] } satisfies BareOrder)
        await bareClients.obey({ do: 'await', name })
      })
      // The first run loads and grows.
      if (run > 0) ratios.push(ours / theirs)
    }
    const what = `processor time of a message to ${members} who are online, of that of ws alone`
    return { what, value: median(ratios), most: mostProcessor, unit: 'times' }
  } finally {
    clients.end()
    bareClients.end()
    bare.disconnect()
    await database.close()
  }
}

export async function talk(server: BenchServer, runs: number): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  return { measured: [await onScreen(server, runs)], limits: [await toMany(server, runs)] }
}
