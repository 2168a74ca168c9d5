/*
 * Power loss after any operation of the file system: every acknowledged content is complete, whatever survives of the
 * rest.
 */
import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { openLocalStore } from '../src/core/blobs/local-store.ts'
import type { BlobStore } from '../src/core/blobs/store.ts'
import { Disk, type Loss } from './disk.ts'
import { cloneDatabase, openWorld, type World } from './harness.ts'
import { randomOf } from './random.ts'

const folder = '/data/blobs'
const uploads = 100
const full = inject('full')
/** Between the sizes of the contents, so that the tests cover both ways of storing one. */
const heldInMemory = 600
/** Small contents as files of their own, or all in packs, of which several are filled. */
const ways = [
  ['files of their own', { heldInMemory }],
  ['packs', { heldInMemory, packing: { after: 0, bytes: 48 * 1024 } }],
] as const

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function* inChunks(bytes: Buffer): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 300) {
    await Promise.resolve()
    yield bytes.subarray(at, at + 300)
  }
}

/** Ways to lose unsynced data: all of it, or random parts. */
const losses = (seed: number): Loss[] => [
  'everything',
  ...Array.from({ length: full ? 8 : 1 }, (_, n) => randomOf(seed * 31 + n)),
]
/**
 * How often a store is started and all contents are read. After the other operations only the newest contents are read.
 */
const startEvery = full ? 5 : 40
const newest = 8
/** Size of the header of each content in a pack, in bytes. */
const packHead = 64

/** A store that marks on its disk which contents it has stored. */
function marking(disk: Disk, store: BlobStore): BlobStore {
  return {
    ...store,
    async stage(content) {
      const staged = await store.stage(content)
      return {
        ...staged,
        async keep() {
          const key = await staged.keep()
          disk.mark(key)
          return key
        },
      }
    },
  }
}

/** Starts a store on the disk; returns the keys whose contents are not complete. */
async function damage(disk: Disk, keys: readonly string[]): Promise<string[]> {
  const store = await openLocalStore(folder, undefined, disk)
  const broken: string[] = []
  for (const key of keys) {
    const bytes = await store
      .open(key)
      .then(buffer)
      .catch(() => undefined)
    if (bytes === undefined || hashOf(bytes) !== key.slice(3, 67)) broken.push(key)
  }
  await store.close()
  return broken
}

/** The bytes at the key's location. */
function bytesOf(disk: Disk, key: string): Buffer | undefined {
  const [, id, at = '', size = ''] = key.split('.')
  if (!key.startsWith('pk/')) return disk.bytesAt(`${folder}/${key}`)
  const start = Number.parseInt(at, 36) + packHead
  return disk.bytesAt(`${folder}/packs/${id}`)?.subarray(start, start + Number.parseInt(size, 36))
}

/** The same check of the newest keys, without starting a store. */
function quickDamage(disk: Disk, keys: readonly string[]): string[] {
  return keys.slice(-newest).filter((key) => {
    const bytes = bytesOf(disk, key)
    return bytes === undefined || hashOf(bytes) !== key.slice(3, 67)
  })
}

test.each(ways)(
  `of ${uploads} uploads, many at once, with %s, each that was kept when the power went is whole`,
  async (_, options) => {
    const seed = randomBytes(3).readUIntBE(0, 3)
    const random = randomOf(seed)
    const disk = new Disk()
    await disk.mkdir(folder, { recursive: true })
    const store = marking(disk, await openLocalStore(folder, undefined, disk, options))
    const begin = disk.log.length
    const waiting = Array.from({ length: uploads }, (_, n) =>
      Buffer.alloc(Math.floor(random() * 2000), `${seed} ${n} `),
    )
    const worker = async (): Promise<void> => {
      for (let bytes = waiting.pop(); bytes !== undefined; bytes = waiting.pop()) {
        const staged = await store.stage(inChunks(bytes))
        if (random() < 0.1) await staged.discard()
        else await staged.keep()
      }
    }
    await Promise.all(Array.from({ length: 6 }, worker))
    const broken: unknown[] = []
    for (let length = begin; length <= disk.log.length; length += 1) {
      const kept = disk.marksBefore(length)
      for (const [n, loss] of losses(length).entries()) {
        const crashed = disk.crashed(length, loss)
        const lost = length % startEvery === 0 ? await damage(crashed, kept) : quickDamage(crashed, kept)
        if (lost.length > 0) broken.push({ seed, length, n, lost: lost.length, of: kept.length })
      }
    }
    expect(broken.slice(0, 3)).toEqual([])
  },
  180_000,
)

test.each(ways)(
  'with %s a server that starts after the loss has every upload that was acknowledged, and none that is not whole',
  async (_, options) => {
    const seed = randomBytes(3).readUIntBE(0, 3)
    const random = randomOf(seed)
    const disk = new Disk()
    await disk.mkdir(folder, { recursive: true })
    const world = await openWorld({
      elected: false,
      openBlobs: async (pause) => marking(disk, await openLocalStore(folder, pause, disk, options)),
    })
    const anna = await world.person('anna')
    const begin = disk.log.length
    const contents = new Map(Array.from({ length: uploads }, (_, n) => [`${n}.txt`, `${seed} ${n} `.repeat(n)]))
    const waiting = [...contents]
    const worker = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        await anna.upload(anna.library, ...next)
        disk.mark(`acknowledged ${next[0]}`)
      }
    }
    await Promise.all(Array.from({ length: 6 }, worker))

    await world.close()
    for (let round = 0; round < (full ? 60 : 3); round += 1) {
      const length = begin + Math.floor(random() * (disk.log.length - begin + 1))
      const marks = disk.marksBefore(length)
      const acknowledged = new Set(marks.flatMap((mark) => /^acknowledged (.+)/.exec(mark)?.[1] ?? []))
      const after = await openWorld({
        peer: { database: await cloneDatabase(world.database.database), folder: world.folder },
        elected: false,
        openBlobs: (pause) => openLocalStore(folder, pause, disk.crashed(length, randomOf(seed + round))),
      })
      // Rows that were not acknowledged may have been committed, once their object was stored.
      const { rows } = await namedIn(after)
      const gone = rows.filter(({ key, name }) => !acknowledged.has(name) && !(marks.includes(key) && random() < 0.5))
      await forget(
        after,
        gone.map(({ id }) => id),
      )
      const again = await after.signIn('anna', 7)
      const { list } = await again.call('getSubItemList3', { folderId: again.library, rows: 1000 })
      const names = new Set(list.map((item) => item.fName))
      expect(
        [...acknowledged].filter((name) => !names.has(name)),
        `seed ${seed}, power lost at ${length}`,
      ).toEqual([])
      for (const { fId, fName } of list) {
        const { statusCode, body } = await again.download(fId)
        const whole = [200, hashOf(Buffer.from(contents.get(fName) ?? ''))]
        expect([statusCode, hashOf(Buffer.from(body))], `seed ${seed}, ${length}: ${fName}`).toEqual(whole)
      }
      await after.close()
    }
  },
)

test('while the room of packs is given back, what was not removed is whole whenever the power goes', async () => {
  const seed = randomBytes(3).readUIntBE(0, 3)
  const random = randomOf(seed)
  const disk = new Disk()
  await disk.mkdir(folder, { recursive: true })
  const options = ways[1][1]
  const store = await openLocalStore(folder, undefined, disk, options)
  const keep = async (n: number): Promise<string> =>
    (await store.stage(inChunks(Buffer.alloc(Math.floor(random() * 600), `${seed} ${n} `)))).keep()
  const keys = await Promise.all(Array.from({ length: 60 }, (_, n) => keep(n)))
  await store.close()
  const others = await openLocalStore(folder, undefined, disk, options)
  const begin = disk.log.length
  // Two contents, wherever they are, take at most four of the twelve blocks.
  const kept = keys.filter((_, n) => n < 2)
  for (const key of keys) if (!kept.includes(key)) await others.remove(key)
  const before = disk.takenBy(`${folder}/packs`)
  await others.giveBack?.()
  expect(disk.takenBy(`${folder}/packs`)).toBeLessThan(before / 2)
  const broken: unknown[] = []
  for (let length = begin; length <= disk.log.length; length += 1) {
    for (const [n, loss] of losses(length).entries()) {
      const lost = await damage(disk.crashed(length, loss), kept)
      if (lost.length > 0) broken.push({ seed, length, n, lost: lost.length, of: kept.length })
    }
  }
  expect(broken.slice(0, 3)).toEqual([])
}, 180_000)

interface Named {
  readonly id: number
  readonly name: string
  readonly key: string
}

async function namedIn({ app }: World): Promise<{ rows: Named[] }> {
  const rows = await app.db
    .selectFrom('item as i')
    .innerJoin('version as v', 'v.item_id', 'i.id')
    .innerJoin('blob as b', 'b.id', 'v.blob_id')
    .select(['i.id', 'i.name', 'b.key'])
    .execute()
  return { rows }
}

/** Undoes what was not committed at the power loss. */
async function forget({ app }: World, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await app.db.deleteFrom('item').where('id', 'in', ids).execute()
}
