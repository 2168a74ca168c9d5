/*
 * The push channel with many sockets, against ws alone that sends the same to as many sockets: single pushes, bulk
 * pushes, a reconnect storm of clients that have missed something; and the memory of idle sockets. Counts lost and
 * duplicate pushes in ten storms.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { channelFrames, noIdentity, PUSH_PATH, pushes } from '@cloudoc/contract'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../src/core/db/database.ts'
import { manySessions } from '../test/many-sessions.ts'
import type { BareOrder } from './bare-sockets.ts'
import { type AtMost, compare, type Measured, memoryOf } from './measure.ts'
import type { BenchServer } from './server.ts'
import type { ClientsOrder } from './socket-clients.ts'

const many = 1000
const idle = 10_000
const storms = 10
const inBulk = 200
const missed = 100
const oneAfterAnother = 50
/** The time for a process's memory to settle. */
const settleMs = 5000
/** The baseline's answer to a login. */
export const welcome = JSON.stringify({
  pushType: channelFrames.welcome.type,
  identity: noIdentity,
  epoch: 'bare yardstick',
  data: { lastIdentity: noIdentity },
})

/** Sockets in a process of their own. */
export class Clients {
  private readonly child: ChildProcess = fork(join(import.meta.dirname, 'socket-clients.ts'))

  async obey(order: ClientsOrder): Promise<unknown> {
    this.child.send(order)
    const [{ value, error }] = (await once(this.child, 'message')) as [{ value?: unknown; error?: string }]
    if (error !== undefined) throw new Error(`the clients failed: ${error}`)
    return value
  }

  end(): void {
    this.child.disconnect()
  }
}

export async function sockets(server: BenchServer, runs: number): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  await assertOpenFiles(idle + 1000)
  const database = openDatabase(server.database, 2)
  const clients = new Clients()
  const bareClients = new Clients()
  const bare = fork(join(import.meta.dirname, 'bare-sockets.ts'))
  try {
    const [port] = (await once(bare, 'message')) as [number]
    const url = `${server.origin.replace('http', 'ws')}${PUSH_PATH}`
    const bareUrl = `ws://127.0.0.1:${port}`
    const tell = (to: BareOrder['to'], frames: readonly string[]): boolean =>
      bare.send({ to, frames } satisfies BareOrder)
    const changes = new Changes(server, database.db)
    const everybody = (await manySessions(database.db, idle)).map(({ token }) => token)
    const tokens = everybody.slice(0, many)

    // A warm-up, so that loading and growing do not count.
    await clients.obey({ do: 'open', url, tokens })
    await clients.obey({ do: 'await', name: await changes.make() })
    await clients.obey({ do: 'drop' })
    await delay(settleMs)
    const before = await memoryOf(server)
    await clients.obey({ do: 'open', url, tokens: everybody })
    await delay(settleMs)
    const after = await memoryOf(server)
    await clients.obey({ do: 'drop' })

    await clients.obey({ do: 'open', url, tokens })
    changes.count = 0
    tell('each who comes', [welcome])
    await bareClients.obey({ do: 'open', url: bareUrl, tokens })
    const each = await compare(
      { what: `pushes one after another, ${many} sockets`, bar: 0, unit: 'pushes/s' },
      runs,
      (run) =>
        perSecond(oneAfterAnother, (n) => {
          tell('all', [frameOf(`each ${run} ${n}`, 0)])
          return bareClients.obey({ do: 'await', name: `each ${run} ${n}` })
        }),
      () => perSecond(oneAfterAnother, async () => clients.obey({ do: 'await', name: await changes.make() })),
    )
    const bulk = await compare(
      { what: `${inBulk} pushes at once, ${many} sockets`, bar: 0, unit: 'frames/s' },
      runs,
      async (run) => {
        const frames = Array.from({ length: inBulk - 1 }, (_, n) => frameOf(`bulk ${run}`, n))
        const rate = await perSecond(1, () => {
          tell('all', [...frames, frameOf(`last ${run}`, 0)])
          return bareClients.obey({ do: 'await', name: `last ${run}` })
        })
        return rate * many * inBulk
      },
      async () => {
        await changes.makeMany(inBulk - 1)
        const rate = await perSecond(1, async () => clients.obey({ do: 'await', name: await changes.make() }))
        return rate * many * inBulk
      },
    )
    const stormed = await compare(
      { what: `${many} sockets come back together, each missed ${missed}`, bar: 0, unit: 'sockets/s' },
      storms,
      async (run) => {
        await bareClients.obey({ do: 'drop' })
        const frames = Array.from({ length: missed - 1 }, (_, n) => frameOf(`missed ${run}`, n))
        tell('each who comes', [welcome, ...frames, frameOf(`back ${run}`, 0)])
        const rate = await perSecond(1, () =>
          bareClients.obey({ do: 'open', url: bareUrl, tokens, until: `back ${run}` }),
        )
        return rate * many
      },
      async () => {
        await clients.obey({ do: 'drop' })
        await changes.makeMany(missed - 1)
        const until = await changes.make()
        await changes.numbered()
        return many * (await perSecond(1, () => clients.obey({ do: 'open', url, tokens, until })))
      },
    )
    const { heard, twice } = (await clients.obey({ do: 'count' })) as { heard: number[]; twice: number }
    const lost = heard.reduce((sum, count) => sum + Math.abs(changes.count - count), 0)
    const dropped = `${many} sockets dropped together ${storms} times: pushes`
    return {
      measured: [each, bulk, stormed],
      limits: [
        { what: `${dropped} lost`, value: lost, most: 0, unit: '' },
        { what: `${dropped} that came twice`, value: twice, most: 0, unit: '' },
        ...(before === undefined || after === undefined
          ? []
          : [{ what: `memory of ${idle} idle sockets (PSS)`, value: after - before, most: 200, unit: 'MB' }]),
      ],
    }
  } finally {
    clients.end()
    bareClients.end()
    bare.disconnect()
    await database.close()
  }
}

/** A change in the form of a frame as long as ours, sent by the baseline. */
function frameOf(fName: string, n: number): string {
  const at = {
    operateTime: 1_790_000_000_000,
    operatorId: 1,
    operatorName: '系统管理员',
    parentFolderId: 2,
    parentId: 2,
  }
  const id = { fId: 1000 + n, fType: 2, fileId: 0, folderId: 1000 + n }
  const data = { serverId: 0, ...id, fName, operateType: 2, operate: 2, ...at, version: 0, fileSize: 0 }
  return JSON.stringify({
    pushType: pushes.folderChange.type,
    identity: `${fName} ${n}`,
    epoch: 'bare yardstick',
    data,
  })
}

/** Changes that are pushed to everybody. */
class Changes {
  /** The number of changes since the counter was reset. */
  count = 0
  private names = 0
  private readonly server: BenchServer
  private readonly db: Db

  constructor(server: BenchServer, db: Db) {
    this.server = server
    this.db = db
  }

  /** Makes one change; returns its name. */
  async make(): Promise<string> {
    this.names += 1
    this.count += 1
    const name = `change ${this.names}`
    await this.server.makeFolder(name)
    return name
  }

  /** Inserts many changes in one statement, as if a user had made them. */
  async makeMany(count: number): Promise<void> {
    this.count += count
    await sql`
      insert into event (kind, library_id, item_id, payload, actor_id, created_at)
      select kind, library_id, item_id, payload, actor_id, created_at
      from (select * from event where kind = 'item' order by id desc limit 1) one, generate_series(1, ${count}::int)`.execute(
      this.db,
    )
  }

  /** Resolves when all changes have their position. */
  async numbered(): Promise<void> {
    while ((await sql`select 1 from event where position is null limit 1`.execute(this.db)).rows.length > 0)
      await delay(20)
  }
}

/** Runs `count` operations one after another; returns the rate per second. */
async function perSecond(count: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  for (let n = 0; n < count; n += 1) await work(n)
  return (count / (performance.now() - started)) * 1000
}

async function assertOpenFiles(count: number): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const hard = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? count)
  if (hard < count) throw new Error(`the part "sockets" needs ${count} open files; ulimit -Hn is ${hard}`)
}
