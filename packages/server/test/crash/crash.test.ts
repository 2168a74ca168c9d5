/*
 * Kills the server, its PostgreSQL and its S3 store under load, at named points and at random. After every start it
 * checks that everything acknowledged is there, that nothing is half done, and that the installation is consistent.
 *
 * `npm run test:crash` covers every point and 200 random kills of each store; the ordinary run takes a few of each.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { codes, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { afterAll, expect, inject, test, vi } from 'vitest'
import type { Db } from '../../src/core/db/database.ts'
import { sweeping } from '../../src/drive/content/feature.ts'
import { few } from '../full.ts'
import { randomOf } from '../random.ts'
import { end, gone, Installation, isDead, type StoreKind, signIn } from './installation.ts'
import { ask, kindFor, type Session, Worker } from './workload.ts'

const full = inject('full')
const seed = randomBytes(3).readUIntBE(0, 3)
const random = randomOf(seed)

/** Points that ordinary requests pass. */
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
/**
 * Points that the collector passes while it removes deleted and abandoned contents. The last two are passed only after
 * grace times.
 */
const collectorPoints = [
  'loose rows seen',
  'loose rows held',
  'loose rows deleted',
  'loose rows dropped',
  'unnamed objects seen',
  'objects removed',
]
/** Points at which the S3 server is killed: in the middle of a request, or between doing the work and answering. */
const storeMoments = [
  'mid put',
  'put kept',
  'begin',
  'mid part',
  'part kept',
  'copied',
  'mid complete',
  'complete',
  'completed',
]

type Kill =
  | { readonly what: 'point'; readonly point: string; readonly time: number }
  | { readonly what: 'moment of the store'; readonly moment: string }
  | { readonly what: 'server' | 'postgres' | 'both'; readonly afterMs: number }
  | { readonly what: 'store' | 'server and store'; readonly afterMs: number; readonly awayMs: number }

const atPoint = (point: string, time: number): Kill => ({ what: 'point', point, time })
const atMoment = (moment: string): Kill => ({ what: 'moment of the store', moment })
const atRandom = (kind: StoreKind): Kill => {
  const afterMs = Math.floor(random() * 900)
  if (kind === 'S3' && random() < 0.6) {
    // Both shorter and longer than the server retries its requests.
    const awayMs = Math.floor(random() * 1200)
    return { what: random() < 0.7 ? 'store' : 'server and store', afterMs, awayMs }
  }
  return { what: random() < 0.5 ? 'server' : random() < 0.6 ? 'postgres' : 'both', afterMs }
}
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, by: random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ one }) => one)

/** Nothing is renamed in an S3 store. */
const pointsOf = (kind: StoreKind) => workPoints.filter((point) => kind === 'a folder' || point !== 'content renamed')

const allKills = (kind: StoreKind): Kill[] => {
  const points = pointsOf(kind)
  return [
    ...shuffled([...points, ...points, ...points]).map((point, n) => atPoint(point, 1 + (n % 4))),
    ...(kind === 'S3' ? shuffled([...storeMoments, ...storeMoments]).map(atMoment) : []),
    ...collectorPoints.map((point) => atPoint(point, 1)),
    ...Array.from({ length: 200 }, () => atRandom(kind)),
    ...collectorPoints.map((point) => atPoint(point, 1)),
  ]
}

const fewKills = (kind: StoreKind): Kill[] =>
  kind === 'S3'
    ? [...shuffled(storeMoments).slice(0, 1).map(atMoment), { what: 'server and store', afterMs: 300, awayMs: 0 }]
    : [
        ...shuffled(workPoints)
          .slice(0, 1)
          .map((point) => atPoint(point, 2)),
        ...shuffled(collectorPoints.slice(0, 4))
          .slice(0, 1)
          .map((point) => atPoint(point, 1)),
      ]

/** The maximum number of kills that are retried because they did not happen. */
const mostMissed = 20
/** The longest time that work may run without reaching its point. */
const workMs = full ? 10_000 : 4000
const hour = 60 * 60_000

const installations: Installation[] = []
afterAll(async () => {
  for (const installation of installations) await installation.remove()
})

/** Checks that every acknowledged item is there, and that every event gets a position. */
async function check(installation: Installation, session: Session, workers: readonly Worker[], all: boolean) {
  const wrong: string[] = []
  for (const worker of workers) wrong.push(...(await worker.check(session, all)))
  return [...wrong, ...(await installation.inspect())]
}

const waiting = (db: Db) =>
  db
    .selectFrom('event')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('position', 'is', null)
    .executeTakeFirstOrThrow()

/** Creates two folders in the company's library. */
async function twoFolders(session: Session, name: string): Promise<[number, number]> {
  const roots = await ask(session, 'getRootFolderSetting', {})
  const { list } = roots.data as { list: { fId: number; kind: string }[] }
  const parentId = list.find((one) => one.kind === 'company')?.fId ?? 0
  const made = []
  for (const suffix of ['a', 'b']) {
    const { data } = await ask(session, 'folderCreate', { parentId, folderName: `${name} ${suffix}` })
    made.push((data as { folderId: number }).folderId)
  }
  return [made[0] ?? 0, made[1] ?? 0]
}

const kinds: readonly (readonly [StoreKind, readonly Kill[]])[] = few(1, ['a folder', 'S3'] as const).map((kind) => [
  kind,
  full ? allKills(kind) : fewKills(kind),
])

test.each(kinds)(
  '[R398] whatever is killed, with contents in %s, nothing acknowledged is lost and nothing is there by halves',
  {
    timeout: full ? 3 * hour : 600_000,
  },
  async (kind, kills) => {
    console.log(`crash test, contents in ${kind}, seed ${seed}, ${kills.length} kills`)
    const installation = await Installation.create(kind)
    installations.push(installation)
    const { store } = installation
    let ahead = 0
    let server = await installation.start({ ahead, packs: false })
    const first = await signIn(server)
    const workers: Worker[] = []
    for (const name of ['anna', 'ben', 'carl', 'dora']) {
      workers.push(new Worker(name, await twoFolders(first, name), random, store.longest))
    }
    await end(server)

    const reached: string[] = []
    const rounds = [...kills]
    for (const [round, kill] of rounds.entries()) {
      const where = `seed ${seed}, round ${round}, ${JSON.stringify(kill)}`
      const point = kill.what === 'point' ? kill.point : undefined
      const isOfStore = kill.what === 'store' || kill.what === 'moment of the store'
      if (point === 'unnamed objects seen') ahead += limits.unnamedObjectMs + hour
      if (point === 'objects removed') ahead += limits.droppedObjectMs + hour
      // In every second round all small contents go to packs, where nothing is renamed.
      const packs = round % 2 === 1 && point !== 'content renamed'
      server = await installation.start({ ahead, packs, ...(kill.what === 'point' ? { dieAt: kill } : {}) })
      if (!isDead(server)) {
        try {
          const session = await signIn(server)
          const works = async (): Promise<void> => {
            expect(await check(installation, session, workers, round % 10 === 9), where).toEqual([])
          }
          await works()
          if (kill.what === 'moment of the store') await store.server?.restart(kill.moment)
          const stop = new AbortController()
          const limit = setTimeout(() => stop.abort(), workMs)
          const wanted = kindFor(point ?? (kill.what === 'moment of the store' ? kill.moment : ''))
          const over = Promise.all(workers.map((worker) => worker.work(session, stop.signal, wanted)))
          over.catch(() => {})
          if (kill.what === 'moment of the store') {
            await Promise.race([store.server?.stopped().then(() => reached.push(kill.moment)), over])
            await store.server?.restart()
            stop.abort()
          } else if (kill.what !== 'point') {
            await delay(kill.afterMs)
            if (kill.what === 'postgres' || kill.what === 'both') await installation.killPostgres()
            if (kill.what !== 'postgres' && kill.what !== 'store') server.child.kill('SIGKILL')
            if ('awayMs' in kill) {
              await store.server?.kill()
              await delay(kill.awayMs)
              await store.server?.restart()
            }
            if (isOfStore) stop.abort()
          }
          const failures = (await over).filter((said) => said !== undefined)
          clearTimeout(limit)
          if (isOfStore) expect(failures, where).toEqual([])
          // The workers continue until the server has died, unless the time is up.
          if (point !== undefined && !stop.signal.aborted) await gone(server)
          if (kill.what === 'postgres') {
            // This happens without a restart.
            await vi.waitFor(
              async () =>
                expect(await ask(session, 'getMyAccountInfo', {})).toMatchObject({ result: codes.success.code }),
              { timeout: 120_000 },
            )
          }
          if (kill.what === 'postgres' || isOfStore) await works()
        } catch (error) {
          // The end of the server has cut off a request. A failed assertion counts in any case.
          if (error instanceof Error && error.name === 'AssertionError') throw error
          await gone(server, error)
        }
      }
      if (point !== undefined && server.child.signalCode === 'SIGKILL') reached.push(point)
      // The collector's work depends on what was done before. After more work the kill is tried again.
      const named = 'moment' in kill ? kill.moment : point
      const isMissed = named !== undefined && !reached.includes(named)
      if (full && isMissed && rounds.length < kills.length + mostMissed) rounds.push(kill)
      if (full && round % 20 === 19) console.log(`${round + 1} of ${rounds.length} kills`)
      await end(server)
    }

    server = await installation.start({ ahead, packs: false })
    const session = await signIn(server)
    expect(await check(installation, session, workers, true), `seed ${seed}, at the end`).toEqual([])
    await installation.onDatabase((db) => expect.poll(() => waiting(db), { timeout: 120_000 }).toEqual({ n: 0 }))
    await end(server)
    await store.age()
    // Advances the clock far enough to abort uploads, to forget them, to detect unreferenced objects, and then to
    // remove them.
    for (const later of [limits.uploadOpenMs, limits.uploadKnownMs, limits.unnamedObjectMs, limits.droppedObjectMs]) {
      ahead += later + hour
      server = await installation.start({ ahead, packs: false })
      await installation.onDatabase((db) => vi.waitFor(() => collected(db, Date.now() + ahead), { timeout: 120_000 }))
      if (later !== limits.droppedObjectMs) await end(server)
    }
    const left = await installation.leftOver()
    expect({ ...left, seed }).toEqual({
      objects: left.blobs,
      blobs: left.blobs,
      others: [],
      dropped: 0,
      uploads: 0,
      seed,
    })
    expect(await check(installation, await signIn(server), workers, true), `seed ${seed}, after collecting`).toEqual([])
    const acknowledged = workers.reduce((sum, worker) => sum + worker.acknowledged, 0)
    console.log(`${rounds.length} kills, ${acknowledged} changes acknowledged, points reached: ${reached.join(', ')}`)
    expect(acknowledged).toBeGreaterThan(kills.length)
    if (full) {
      const named = kills.flatMap((kill) => ('point' in kill ? kill.point : 'moment' in kill ? kill.moment : []))
      expect(new Set(reached)).toEqual(new Set(named))
    }
  },
)

/** Resolves when the collector has done everything that is due at `now`. */
async function collected(db: Db, now: number): Promise<void> {
  const { at } = await sweeping.read(db)
  expect(at).toBeGreaterThan(now - limits.unnamedObjectMs)
  const { rows } = await sql`
    select 1 from dropped_object where dropped_at <= ${now - limits.droppedObjectMs}
    union all
    select 1 from upload where ended_at <= ${now - limits.uploadKnownMs} or ended_at is null and expires_at <= ${now}`.execute(
    db,
  )
  expect(rows).toEqual([])
}
