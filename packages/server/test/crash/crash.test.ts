/*
 * Kills the server and its PostgreSQL while people work, at named points and at random, and looks after every start
 * whether everything acknowledged is there, nothing is there by halves, and the installation is whole.
 *
 * `npm run test:crash` goes through every point and 200 random kills; the ordinary run takes a few of each.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codes, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { openLocalStore } from '../../src/core/blobs/local-store.ts'
import { type Db, openDatabase } from '../../src/core/db/database.ts'
import { findEmbeddedPostgres } from '../../src/core/db/embedded-postgres.ts'
import { fsck } from '../../src/system/fsck/index.ts'
import { readWalk } from '../../src/system/upkeep/walk.ts'
import { password } from '../harness.ts'
import { randomOf } from '../random.ts'
import { ServerProcess } from '../server-process.ts'
import type { Orders } from './points.ts'
import { ask, kindFor, type Session, Worker } from './workload.ts'

const full = inject('full')
const seed = randomBytes(3).readUIntBE(0, 3)
const random = randomOf(seed)

/** Passed in the course of the work. */
const workPoints = [
  'content staged',
  'content renamed',
  'content kept',
  'commit uploadRaw',
  'commit uploadOpen',
  'commit uploadPart',
  'commit uploadComplete',
  'commit fileOrFolderMove',
  'commit fileOrFolderDelete',
  'commit recycleRestore',
  'commit fileOrFolderCompleteDelete',
  'commit fileOrFolderCopy',
  'sequenced',
]
/** Passed by the collector, which works on what was deleted and left behind before; the last two when it is late. */
const collectorPoints = [
  'loose rows seen',
  'loose rows held',
  'loose rows deleted',
  'loose rows dropped',
  'unnamed objects seen',
  'objects removed',
]

type Kill =
  | { readonly what: 'point'; readonly point: string; readonly time: number }
  | { readonly what: 'server' | 'postgres' | 'both'; readonly afterMs: number }

const atPoint = (point: string, time: number): Kill => ({ what: 'point', point, time })
const atRandom = (): Kill => ({
  what: random() < 0.5 ? 'server' : random() < 0.6 ? 'postgres' : 'both',
  afterMs: Math.floor(random() * 900),
})
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, by: random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ one }) => one)

const kills: Kill[] = full
  ? [
      ...shuffled([...workPoints, ...workPoints, ...workPoints]).map((point, n) => atPoint(point, 1 + (n % 4))),
      ...collectorPoints.map((point) => atPoint(point, 1)),
      ...Array.from({ length: 200 }, atRandom),
      ...collectorPoints.map((point) => atPoint(point, 1)),
    ]
  : [
      ...shuffled(workPoints)
        .slice(0, 1)
        .map((point) => atPoint(point, 2)),
      atPoint('content renamed', 3),
      { what: 'postgres', afterMs: 300 },
      ...shuffled(collectorPoints.slice(0, 4))
        .slice(0, 1)
        .map((point) => atPoint(point, 1)),
      { what: 'server', afterMs: 300 },
    ]

/** The longest that work goes on without coming to its point. */
const workMs = full ? 10_000 : 4000
const hour = 60 * 60_000

let folder = ''
let running: ServerProcess | undefined

afterAll(async () => {
  running?.child.kill('SIGTERM')
  await running?.exited
  if (folder !== '') await rm(folder, { recursive: true, force: true })
})

async function start(orders: Orders): Promise<ServerProcess> {
  const script = join(import.meta.dirname, 'server.ts')
  const server = new ServerProcess(['--data', folder, '--port', '0', '--scrub-days', '0'], {}, script, 'ipc')
  running = server
  server.child.send(orders)
  await Promise.race([server.ready().catch(() => undefined), server.exited])
  return server
}

const isDead = ({ child }: ServerProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Waits for the end of a server that answered no more; one that lives and says why it failed is a failure of its own. */
async function gone(server: ServerProcess): Promise<void> {
  await vi.waitFor(
    () => {
      const failures = server.out.split('\n').filter((line) => line.includes('"level":50'))
      expect(isDead(server), failures.slice(-3).join('\n')).toBe(true)
    },
    { timeout: 10_000 },
  )
}

async function end(server: ServerProcess): Promise<void> {
  server.child.kill('SIGKILL')
  await server.exited
}

async function signIn(server: ServerProcess): Promise<Session> {
  const origin = await server.ready()
  const { data } = await ask({ origin, token: '' }, 'login3', { userName: 'admin', password, clientType: 6 })
  return { origin, token: (data as { accessToken: string }).accessToken }
}

/** Runs work on the database that the server has. */
async function onDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const target = await findEmbeddedPostgres(join(folder, 'postgres'))
  if (target === undefined) throw new Error('PostgreSQL does not run')
  const database = openDatabase(target, 3)
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

async function killPostgres(): Promise<void> {
  const [pid = ''] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

/** What is wrong with the installation as a whole. */
async function inspect(db: Db): Promise<string[]> {
  const blobs = await openLocalStore(join(folder, 'blobs'))
  try {
    const findings = await fsck({ db, blobs, rehash: true })
    const { rows } = await sql<{ gaps: number }>`
      select coalesce(max(position) - min(position) + 1 - count(position), 0) as gaps from event`.execute(db)
    return [
      ...findings.filter(({ breaks }) => breaks > 0).map(({ says, examples }) => `${says}: ${examples.join('; ')}`),
      ...(rows[0]?.gaps === 0 ? [] : ['positions of events have gaps']),
    ]
  } finally {
    await blobs.close()
  }
}

/** Everything that was sent is in its place, and every event gets one. */
async function check(session: Session, workers: readonly Worker[], all: boolean): Promise<string[]> {
  const wrong: string[] = []
  for (const worker of workers) wrong.push(...(await worker.check(session, all)))
  return [...wrong, ...(await onDatabase(inspect))]
}

const waiting = (db: Db) =>
  db
    .selectFrom('event')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('position', 'is', null)
    .executeTakeFirstOrThrow()

/** Objects against rows, when everything that nobody needs is gone. */
async function leftOver(): Promise<{ objects: number; blobs: number; dropped: number }> {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  const objects = entries.filter((entry) => entry.isFile() && /\/[0-9a-f]{2}$/.test(entry.parentPath)).length
  return onDatabase(async (db) => {
    const { rows } = await sql<{ blobs: number; dropped: number }>`
      select (select count(*) from blob) as blobs, (select count(*) from dropped_object) as dropped`.execute(db)
    return { objects, blobs: rows[0]?.blobs ?? -1, dropped: rows[0]?.dropped ?? -1 }
  })
}

test(`whatever is killed, nothing acknowledged is lost and nothing is there by halves (${kills.length} kills)`, {
  timeout: full ? 3 * hour : 600_000,
}, async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-crash-'))
  console.log(`crash test, seed ${seed}`)
  let ahead = 0
  let server = await start({ ahead })
  const first = await signIn(server)
  const folders = async (name: string): Promise<[number, number]> => {
    const roots = await ask(first, 'getRootFolderSetting', {})
    const { list } = roots.data as { list: { fId: number; kind: string }[] }
    const parentId = list.find((one) => one.kind === 'company')?.fId ?? 0
    const made = []
    for (const suffix of ['a', 'b']) {
      const { data } = await ask(first, 'folderCreate', { parentId, folderName: `${name} ${suffix}` })
      made.push((data as { folderId: number }).folderId)
    }
    return [made[0] ?? 0, made[1] ?? 0]
  }
  const workers: Worker[] = []
  for (const name of ['anna', 'ben', 'carl', 'dora']) workers.push(new Worker(name, await folders(name), random))
  await end(server)

  const reached: string[] = []
  for (const [round, kill] of kills.entries()) {
    const where = `seed ${seed}, round ${round}, ${JSON.stringify(kill)}`
    const point = kill.what === 'point' ? kill.point : undefined
    if (point === 'unnamed objects seen') ahead += limits.unnamedObjectMs + hour
    if (point === 'objects removed') ahead += limits.droppedObjectMs + hour
    server = await start({ ahead, ...(kill.what === 'point' ? { dieAt: kill } : {}) })
    if (!isDead(server)) {
      try {
        const session = await signIn(server)
        expect(await check(session, workers, round % 10 === 9), where).toEqual([])
        const stop = new AbortController()
        const limit = setTimeout(() => stop.abort(), workMs)
        const over = Promise.all(workers.map((worker) => worker.work(session, stop.signal, kindFor(point ?? ''))))
        if (kill.what !== 'point') {
          await new Promise((resolve) => setTimeout(resolve, kill.afterMs))
          if (kill.what !== 'server') await killPostgres()
          if (kill.what !== 'postgres') server.child.kill('SIGKILL')
        }
        await over
        clearTimeout(limit)
        // Nobody stops working before the server has gone, unless there is no more time.
        if (point !== undefined && !stop.signal.aborted) await gone(server)
        if (kill.what === 'postgres') {
          // By itself, without a start.
          await vi.waitFor(
            async () =>
              expect(await ask(session, 'getMyAccountInfo', {})).toMatchObject({ result: codes.success.code }),
            { timeout: 30_000 },
          )
          expect(await check(session, workers, false), where).toEqual([])
        }
      } catch (error) {
        if (!isDead(server)) await Promise.race([server.exited, new Promise((resolve) => setTimeout(resolve, 100))])
        if (!isDead(server)) throw error
      }
    }
    if (point !== undefined && server.child.signalCode === 'SIGKILL') reached.push(point)
    if (full && round % 20 === 19) console.log(`${round + 1} of ${kills.length} kills`)
    await end(server)
  }

  server = await start({ ahead })
  const session = await signIn(server)
  expect(await check(session, workers, true), `seed ${seed}, at the end`).toEqual([])
  await onDatabase((db) => expect.poll(() => waiting(db), { timeout: 10_000 }).toEqual({ n: 0 }))
  await end(server)
  // Late enough for the collector to see what is left over, and then late enough to remove it.
  for (const later of [limits.unnamedObjectMs + hour, limits.droppedObjectMs + hour]) {
    ahead += later
    server = await start({ ahead })
    await onDatabase((db) =>
      vi.waitFor(
        async () => {
          const { at } = await readWalk(db, 'sweep')
          expect(at).toBeGreaterThan(Date.now() + ahead - limits.unnamedObjectMs)
          const { rows } = await sql<{ due: number }>`
            select count(*) as due from dropped_object
            where dropped_at <= ${Date.now() + ahead - limits.droppedObjectMs}`.execute(db)
          expect(rows[0]?.due).toBe(0)
        },
        { timeout: 20_000 },
      ),
    )
    if (later > limits.unnamedObjectMs) await end(server)
  }
  const left = await leftOver()
  expect({ ...left, seed }).toEqual({ objects: left.blobs, blobs: left.blobs, dropped: 0, seed })
  expect(await check(await signIn(server), workers, true), `seed ${seed}, after collecting`).toEqual([])
  const acknowledged = workers.reduce((sum, worker) => sum + worker.acknowledged, 0)
  console.log(`${kills.length} kills, ${acknowledged} changes acknowledged, points reached: ${reached.join(', ')}`)
  expect(acknowledged).toBeGreaterThan(kills.length)
  if (full) expect(new Set(reached)).toEqual(new Set([...workPoints, ...collectorPoints]))
})
