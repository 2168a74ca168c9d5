/*
 * Injects a failure at the n-th statement, store operation, file operation or S3 request of every change and of its
 * background work, for each n until a run completes without a failure. No caller gets success for a change that failed,
 * a change is applied completely or not at all, the next try succeeds, and nothing is left over.
 */
import { codes, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, inject, test, vi } from 'vitest'
import { sequenceBatch } from '../src/core/push/index.ts'
import { collectRows, removeDropped, sweepObjects } from '../src/drive/content/index.ts'
import { purgeChunk } from '../src/drive/recycle/index.ts'
import { removeExpiredUploads } from '../src/drive/transfer/index.ts'
import { foldTallies } from '../src/drive/tree/tallies.ts'
import { installation } from '../src/installation.ts'
import { fsck } from '../src/system/fsck/index.ts'
import { type Change, changes, createScenario, observedState, partBytes, type Scenario } from './changes.ts'
import { keysIn } from './contents.ts'
import {
  Fault,
  failStatements,
  openOnFailingFiles,
  openOnFailingRequests,
  openOnFailingStore,
  removeFailing,
} from './faults.ts'
import { few } from './full.ts'
import { openWorld, type Person, type Wire, type World } from './harness.ts'

const full = inject('full')
const kind = inject('store') === 's3' ? 'S3' : 'a folder'
const options = { elected: false, partBytes }
const most = 300
/** Every small content goes to a pack; many packs are created. */
const packs = { packing: { after: 0, bytes: 64 * 1024 } }

/** The relevant result code: for a batch, that of its only item. */
function resultOf({ result, data }: Wire): number {
  return Array.isArray(data) ? ((data as { result: number }[])[0]?.result ?? result) : result
}

async function breaks({ app }: World): Promise<string[]> {
  const findings = await fsck({ ...installation, db: app.db, blobs: app.blobs, rehash: true })
  return findings.flatMap(({ breaks: n, says, examples }) => (n > 0 ? [`${says}: ${examples.join('; ')}`] : []))
}

/** Runs all content maintenance of the elected process, after every grace time. */
async function collect({ app: { db, blobs } }: World): Promise<void> {
  let ahead = 0
  const parts = { db, blobs, now: () => Date.now() + ahead, pause: () => Promise.resolve() }
  while ((await purgeChunk(db)) > 0);
  for (const later of [limits.uploadOpenMs, limits.uploadKnownMs]) {
    ahead += later + 1
    while ((await removeExpiredUploads(db, blobs, parts.now())) > 0);
  }
  for (let after: number | undefined = 0; after !== undefined; )
    after = (await collectRows({ ...parts, ...installation }, after)).after
  await sweepObjects(parts)
  ahead += limits.droppedObjectMs + 1
  while ((await removeDropped(parts)) > 0);
  await blobs.giveBack?.()
}

/** Returns unreferenced contents in the store and rows in the tables. */
async function leftOver({ app: { db, blobs } }: World) {
  const keys = await keysIn(blobs)
  const { rows } = await sql<Record<'named' | 'loose' | 'dropped' | 'uploads' | 'purged', number>>`
    select (select count(*) from blob) as named, (select count(*) from dropped_object) as dropped,
      (select count(*) from blob b where not exists (select 1 from version v where v.blob_id = b.id)) as loose,
      (select count(*) from upload) as uploads, (select count(*) from item where purged) as purged`.execute(db)
  const { named = 0, ...rest } = rows[0] ?? {}
  return { objects: keys.length - named, ...rest }
}

const nothing = { objects: 0, loose: 0, dropped: 0, uploads: 0, purged: 0 }

/** Handles are closed after sending, and the receiver does not wait for that. */
function everythingIsClosed({ openFiles }: Fault, n: number): Promise<void> {
  return expect.poll(() => openFiles.size, { message: `${n}: files that nobody closes` }).toBe(0)
}

/** Injects a failure into each operation of a change; returns the number of operations. */
async function failEach(person: Person, fault: Fault, change: Change): Promise<number> {
  const rehearsed = await createScenario(person, change)
  expect(resultOf(await change.make(rehearsed))).toBe(codes.success.code)
  const whole = await observedState(rehearsed)
  for (let n = 1; n <= most; n += 1) {
    const stage = await createScenario(person, change)
    const before = await observedState(stage)
    expect(before).not.toEqual(whole)
    fault.arm(n)
    const wire = await change.make(stage)
    fault.disarm()
    const after = await observedState(stage)
    const isDone = JSON.stringify(after) !== JSON.stringify(before)
    const said = resultOf(wire) === codes.success.code
    // A failure of the answer may hide a success. The reverse must never happen.
    if (said || (isDone && change.inSteps !== true))
      expect(after, `${n}: ${said ? 'a success that was none' : 'done by halves'}`).toEqual(whole)
    if (!fault.fired) expect(said, `untouched: ${wire.msg}`).toBe(true)
    // The change can be repeated.
    if (!isDone || change.isIdempotent === true) {
      const again = await change.make(stage)
      expect(resultOf(again), `${n}, again: ${again.msg}`).toBe(codes.success.code)
      expect(await observedState(stage), `${n}, again`).toEqual(whole)
    }
    await change.proves?.(stage)
    await everythingIsClosed(fault, n)
    if (fault.fired) continue
    expect(await breaks(person.world)).toEqual([])
    await collect(person.world)
    expect(await leftOver(person.world)).toEqual(nothing)
    expect(await breaks(person.world)).toEqual([])
    return n - 1
  }
  throw new Error('it never gets through')
}

/** Background work after the changes, which no user sees. */
interface Work {
  /** Creates pending work. */
  readonly prepare: (stage: Scenario) => Promise<void>
  readonly run: (world: World) => Promise<unknown>
  /** The remaining work; zero after a complete run. */
  readonly left: (world: World) => Promise<number>
  readonly stores?: true
}

const counted = async ({ app: { db } }: World, query: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await query.execute(db)).rows[0]?.n ?? 0

const works: Readonly<Record<string, Work>> = {
  sequencing: {
    async prepare({ person, to }) {
      await person.folder(to, 'more')
      await person.shares({ folderId: to }, [{ to: await person.world.admin(), rights: 2 }])
    },
    run: ({ app }) => sequenceBatch(app.db, () => Promise.resolve()),
    left: (world) =>
      counted(
        world,
        sql`select (select count(*) from event where position is null)
          + (select coalesce(max(position) - min(position) + 1 - count(position), 0) from event)
          + (select value - coalesce((select max(position) from event), 0) from stamp where name = 'event')
          + (select count(*) from event e where kind = 'personal' and jsonb_array_length(payload->'accountIds')
              <> (select count(*) from personal_push p where p.position = e.position)) as n`,
      ),
  },
  'folding of sums': {
    prepare: async ({ person, to }) => void (await person.upload(to, 'more.txt', 'more')),
    run: ({ app }) => foldTallies(app.db),
    left: (world) => counted(world, sql`select count(*) as n from tally`),
  },
  collection: {
    stores: true,
    async prepare(stage) {
      const { person, fileId } = stage
      await person.upload(stage.from, 'file.txt', `of ${fileId} alone`, { conflict: 'version' })
      await person.call('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })
      const behind = await person.world.app.blobs.stage(
        (async function* () {
          yield Buffer.from('left behind')
        })(),
      )
      await behind.keep()
      await changes['completion of a large upload']?.prepare?.(stage)
    },
    run: collect,
    async left(world) {
      const { objects, ...rows } = await leftOver(world)
      return Math.max(objects, ...Object.values(rows))
    },
  },
}

/**
 * Injects a failure into each operation of the work: the visible state stays the same, and the next run does the rest.
 */
async function failEachOf(person: Person, fault: Fault, { prepare, run, left }: Work): Promise<number> {
  const { world } = person
  for (let n = 1; n <= most; n += 1) {
    const stage = await createScenario(person)
    await prepare(stage)
    expect(await left(world)).toBeGreaterThan(0)
    const before = (await observedState(stage)).filter((line) => !line.startsWith('upload: '))
    fault.arm(n)
    const failure = await run(world).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    )
    fault.disarm()
    if (!fault.fired && failure !== undefined) throw failure
    if (failure === undefined) expect(await left(world), `${n}: a success that was none`).toBe(0)
    // A transaction whose connection broke holds its row locks until PostgreSQL notices. Later runs find them released.
    const again = async (): Promise<number> => {
      await run(world)
      return left(world)
    }
    await expect.poll(again, { message: `${n}, again`, timeout: 120_000 }).toBe(0)
    await everythingIsClosed(fault, n)
    const after = (await observedState(stage)).filter((line) => !line.startsWith('upload: '))
    expect(after, `${n}`).toEqual(before)
    if (fault.fired) continue
    expect(await breaks(world)).toEqual([])
    return n - 1
  }
  throw new Error('it never gets through')
}

afterAll(removeFailing)
afterEach(() => void vi.restoreAllMocks())

async function onStatements(fault: Fault, how: 'refused' | 'cut'): Promise<World> {
  const world = await openWorld(options)
  failStatements(world, fault, how)
  return world
}

type Opener = (fault: Fault) => Promise<World>
const ofFiles: readonly (readonly [string, Opener])[] = [
  ['operation on files', (fault) => openOnFailingFiles(options, fault, 'before')],
  ['operation on files, once it is done', (fault) => openOnFailingFiles(options, fault, 'after')],
  ['operation on files with packs', (fault) => openOnFailingFiles(options, fault, 'before', packs)],
  ['operation on files with packs, once it is done', (fault) => openOnFailingFiles(options, fault, 'after', packs)],
]
const ofRequests: readonly (readonly [string, Opener])[] = [
  ['request to S3', (fault) => openOnFailingRequests(options, fault, 'before', false)],
  ['request to S3, once it is done', (fault) => openOnFailingRequests(options, fault, 'after', false)],
  ['request to S3, once it is done, and tried again', (fault) => openOnFailingRequests(options, fault, 'after', true)],
]

/** The kinds of failures, and how the world is opened for each. */
const kinds: readonly (readonly [string, Opener])[] = [
  ['statement that is refused', (fault) => onStatements(fault, 'refused')],
  ['statement whose connection breaks', (fault) => onStatements(fault, 'cut')],
  ['operation of the store', (fault) => openOnFailingStore(kind, options, fault, 'before')],
  ['operation of the store, once it is done', (fault) => openOnFailingStore(kind, options, fault, 'after')],
  ...(kind === 'S3' ? ofRequests : ofFiles),
]

test.each(full ? Object.keys(changes) : ['upload'])(
  'a transaction that cannot begin is begun again: %s',
  async (name) => {
    const world = await openWorld(options)
    const anna = await world.person('anna')
    const change = changes[name]
    if (change === undefined) throw new Error(name)
    const fault = new Fault()
    failStatements(world, fault, 'refused', 'begin')
    const rehearsed = await createScenario(anna, change)
    expect(resultOf(await change.make(rehearsed))).toBe(codes.success.code)
    const whole = await observedState(rehearsed)
    for (let n = 1; n <= most; n += 1) {
      const stage = await createScenario(anna, change)
      fault.arm(n)
      const wire = await change.make(stage)
      fault.disarm()
      if (!fault.fired) {
        expect(n).toBeGreaterThan(1)
        return
      }
      expect(resultOf(wire), `${n}`).toBe(codes.success.code)
      expect(await observedState(stage), `${n}: a success that was none`).toEqual(whole)
    }
  },
)

describe.each(few(3, kinds))('the n-th %s', (what, open) => {
  const at = kinds.findIndex(([one]) => one === what)
  /**
   * Every change is tested with failing statements, only some with failing stores; the ordinary run takes one of each
   * kind.
   */
  const namesOf = (all: Readonly<Record<string, { stores?: true }>>, step: number): string[] => {
    const names = Object.keys(all).filter((name) => what.startsWith('statement') || all[name]?.stores === true)
    const chosen = (at * step) % names.length
    return full ? names : names.slice(chosen, chosen + 1)
  }
  const timeout = full ? 600_000 : 120_000

  test.each(namesOf(changes, 2))('of: %s', { timeout }, async (name) => {
    const fault = new Fault()
    const world = await open(fault)
    const anna = await world.person('anna')
    const change = changes[name]
    if (change === undefined) throw new Error(name)
    expect(await failEach(anna, fault, change)).toBeGreaterThan(0)
  })

  test.each(namesOf(works, 1))('of: %s', { timeout }, async (name) => {
    const fault = new Fault()
    const world = await open(fault)
    const anna = await world.person('anna')
    const work = works[name]
    if (work === undefined) throw new Error(name)
    expect(await failEachOf(anna, fault, work)).toBeGreaterThan(0)
  })
})
