import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { createLog } from '../../core/log.ts'
import { removeDropped } from '../../drive/content/index.ts'
import { scrub, scrubSome } from './index.ts'

const day = 24 * 60 * 60_000

/** A library of small blobs and a scrubber that runs step by step, on its own clock. */
async function furnished(count = 30) {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  for (let n = 0; n < count; n += 1) await anna.upload(anna.library, `${n}.txt`, `content ${n} `)
  const lines: string[] = []
  const clock = { now: Date.now(), waited: 0 }
  const parts = {
    db: world.app.db,
    blobs: world.app.blobs,
    now: () => clock.now,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    cycleMs: 30 * day,
    wait: (ms: number) => {
      clock.waited += ms
      return Promise.resolve()
    },
  }
  const stop = new AbortController()
  return {
    world,
    anna,
    parts,
    clock,
    lines,
    step: () => scrubSome(parts, stop.signal),
    cycle: async (): Promise<void> => {
      while (await scrubSome(parts, stop.signal));
    },
  }
}

async function objectOf(world: World, text: string): Promise<string> {
  const entries = await readdir(join(world.folder, 'blobs'), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if ((await readFile(path, 'utf8')) === text) return path
  }
  throw new Error(`no object holds ${text}`)
}

const problems = async ({ app }: World): Promise<string[]> => {
  const rows = await app.db.selectFrom('blob_problem').select('kind').orderBy('kind').execute()
  return rows.map((row) => row.kind)
}

const damagedByMetrics = async (world: World): Promise<string | undefined> =>
  /^cloudoc_damaged_contents (\S+)$/m.exec((await world.app.http.inject('/metrics')).body)?.[1]

test('within one cycle a flipped bit, a short and a missing content are in the log, the table and the metrics', async () => {
  const { world, lines, clock, cycle } = await furnished()
  await cycle()
  expect(await problems(world)).toEqual([])
  expect(await damagedByMetrics(world)).toBe('0')
  const path = await objectOf(world, 'content 3 ')
  const whole = await readFile(path)
  const flipped = Buffer.from(whole)
  flipped[2] = (flipped[2] ?? 0) ^ 4
  await writeFile(path, flipped)
  await truncate(await objectOf(world, 'content 7 '), 1)
  await unlink(await objectOf(world, 'content 29 '))
  await cycle()
  expect(await problems(world), 'before the next cycle').toEqual([])
  clock.now += 30 * day
  await cycle()
  expect(await problems(world)).toEqual(['hash', 'missing', 'size'])
  expect(await damagedByMetrics(world)).toBe('3')
  expect(lines.filter((line) => line.includes('is not as it was stored'))).toHaveLength(3)
  await writeFile(path, whole)
  clock.now += 30 * day
  await cycle()
  expect(await problems(world)).toEqual(['missing', 'size'])
})

const ways = {
  uploaded: (anna: Person, text: string) => anna.upload(anna.library, 'again.txt', text),
  'uploaded in parts': async (anna: Person, text: string) => {
    const begin = { folderId: anna.library, fileName: 'again.txt', fileSize: text.length }
    const { uploadId } = await anna.call('uploadOpen', begin)
    await anna.uploadPart(uploadId, 1, text)
    return (await anna.call('uploadComplete', { uploadId })).fileId
  },
} as const

test.each([
  ['flipped', 'uploaded'],
  ['missing', 'uploaded'],
  ['flipped', 'uploaded in parts'],
] as const)('[R398] a content known to be %s is whole for all its files once an equal one is %s', async (how, way) => {
  const { world, anna, clock, cycle } = await furnished(3)
  const path = await objectOf(world, 'content 1 ')
  if (how === 'missing') await unlink(path)
  else await writeFile(path, 'contemt 1 ')
  await cycle()
  expect(await damagedByMetrics(world)).toBe('1')
  const fileId = await ways[way](anna, 'content 1 ')
  expect(await damagedByMetrics(world)).toBe('0')
  const { list } = await anna.call('getSubItemList3', { folderId: anna.library })
  for (const name of ['1.txt', 'again.txt']) {
    const file = list.find(({ fName }) => fName === name)
    expect((await anna.download(file?.fId ?? 0)).body).toBe('content 1 ')
  }
  expect(list.some(({ fId }) => fId === fileId)).toBe(true)
  // The damaged object is left to the collector, and no other object is.
  const { rows } = await sql<{ key: string }>`select key from dropped_object`.execute(world.app.db)
  expect(rows.map(({ key }) => path.endsWith(key))).toEqual([true])
  clock.now += 30 * day
  await cycle()
  expect(await problems(world)).toEqual([])
})

test('[R398] a content that is known to be damaged is not taken for one that need not be sent', async () => {
  const { world, anna, cycle } = await furnished(2)
  const text = 'content 1 '
  await writeFile(await objectOf(world, text), 'contemt 1 ')
  await cycle()
  await writeFile(await objectOf(world, 'contemt 1 '), text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  const begin = { folderId: anna.library, fileName: 'again.txt', fileSize: text.length, sha256 }
  const { uploadId, challenge } = await anna.call('uploadOpen', begin)
  const nonce = Buffer.from(challenge?.nonce ?? '', 'hex')
  const proof = createHash('sha256').update(nonce).update(text).digest('hex')
  expect(await anna.call('uploadOpen', { ...begin, uploadId, proof })).not.toMatchObject({ done: true })
})

/** Keys no store assigns: of another store, of another folder, empty. */
const malformed = [
  '',
  '../../postgres/PG_VERSION',
  'objects/../probe',
  `zz/${'0'.repeat(64)}.abcdefghijkl`,
  'é'.repeat(300),
]

test('[R398] contents with keys that no object can have are reported as missing, and the cycle goes on', async () => {
  const { world, anna, lines, clock, cycle } = await furnished(malformed.length + 2)
  const { rows } = await sql<{ id: number }>`select id from blob order by id`.execute(world.app.db)
  for (const [n, key] of malformed.entries())
    await sql`update blob set key = ${key} where id = ${rows[n + 1]?.id}`.execute(world.app.db)
  await cycle()
  expect(await problems(world)).toEqual(malformed.map(() => 'missing'))
  expect(lines.filter((line) => line.includes('is not as it was stored'))).toHaveLength(malformed.length)
  expect(lines.filter((line) => line.includes('every content has been read again'))).toHaveLength(1)
  // Uploads of the same content replace them, and the collector drops the keys.
  for (const n of malformed.keys()) await anna.upload(anna.library, `again ${n}.txt`, `content ${n + 1} `)
  expect(await damagedByMetrics(world)).toBe('0')
  clock.now += 30 * day
  await cycle()
  expect(await problems(world)).toEqual([])
  const collector = { ...world.app, now: () => Date.now() + limits.droppedObjectMs, pause: () => Promise.resolve() }
  expect(await removeDropped(collector)).toBe(malformed.length)
  expect(await removeDropped(collector)).toBe(0)
})

test('[R398] a content in whose place lies a folder is reported, and the cycle goes on', async () => {
  const { world, cycle, lines } = await furnished(3)
  const path = await objectOf(world, 'content 1 ')
  await unlink(path)
  await mkdir(path)
  await cycle()
  expect(await problems(world)).toEqual(['unreadable'])
  expect(lines.filter((line) => line.includes('every content has been read again'))).toHaveLength(1)
})

longTest('a process that takes over goes on where the other one stopped', async () => {
  const { world, parts, step } = await furnished()
  await step()
  await unlink(await objectOf(world, 'content 1 '))
  await unlink(await objectOf(world, 'content 25 '))
  const next = await openWorld({ peer: world, elected: false })
  const stop = new AbortController()
  const more = { ...parts, db: next.app.db, blobs: next.app.blobs }
  while (await scrubSome(more, stop.signal));
  expect(await problems(world)).toEqual(['missing'])
})

test('what is read is spread over the cycle, as slowly as the cycle allows', async () => {
  const { anna, parts, clock, cycle } = await furnished(1)
  const size = 8 * 1024 * 1024
  await anna.upload(anna.library, 'large.bin', Buffer.alloc(size, 1))
  // Twice as fast as the minimum rate, so that reading takes 80 % of the cycle.
  parts.cycleMs = (size / (4 * 1024 * 1024) / 0.8) * 1000
  await cycle()
  expect(clock.waited).toBeGreaterThan(parts.cycleMs * 0.6)
  expect(clock.waited).toBeLessThan(parts.cycleMs)
})

test('a store that fails for a while is asked again and its contents are not taken for damaged', async () => {
  const { world, parts, lines } = await furnished(3)
  let failing = 2
  const stop = new AbortController()
  const blobs = {
    ...world.app.blobs,
    open: (key: string) => {
      if (failing === 0) return world.app.blobs.open(key)
      failing -= 1
      return Promise.reject(new Error('the store is away'))
    },
  }
  const log = createLog('info', {
    write: (line) => {
      lines.push(line)
      if (line.includes('every content has been read again')) stop.abort()
    },
  })
  await scrub({ ...parts, blobs, log }, stop.signal)
  expect(lines.filter((line) => line.includes('failed and is tried again'))).toHaveLength(2)
  expect(await problems(world)).toEqual([])
})

test('the elected process reads by itself, where the operator has not switched it off', async () => {
  const { world } = await furnished(3)
  await unlink(await objectOf(world, 'content 1 '))
  await openWorld({ peer: world, scrubDays: 1 })
  await expect.poll(() => problems(world)).toEqual(['missing'])
})

test.each([30, 21])('an object that its store refuses for good does not hold up the others, of %i', async (count) => {
  const { world, parts, clock } = await furnished(count)
  const { key } = await world.app.db
    .selectFrom('blob')
    .select('key')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  let everything = false
  const open: BlobStore['open'] = (asked, range) =>
    everything || asked === key
      ? Promise.reject(Object.assign(new Error('403 AccessDenied'), { status: 403 }))
      : world.app.blobs.open(asked, range)
  const { signal } = new AbortController()
  const refusing = { ...parts, blobs: { ...world.app.blobs, open } }
  while (await scrubSome(refusing, signal));
  expect(await problems(world)).toEqual(['unreadable'])
  // A store that refuses everything tells nothing about its blobs.
  clock.now += 31 * day
  everything = true
  await expect(scrubSome(refusing, signal)).rejects.toThrow('403')
  expect(await problems(world)).toEqual(['unreadable'])
  everything = false
  while (await scrubSome(parts, signal));
  expect(await problems(world)).toEqual([])
})
