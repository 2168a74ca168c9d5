// The S3 store against a server that is killed at arbitrary moments and restarted.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { few } from '../../../test/full.ts'
import { makeBucket, openTestStore, removeBuckets, S3Server, type StoreOptions } from '../../../test/s3.ts'
import { s3LeastPart } from '../../../test/s3-account.ts'
import { createLog } from '../log.ts'
import { openS3Store } from './s3-store.ts'
import type { BlobStore, StoredObject } from './store.ts'

const silent = createLog('silent')
const opened: BlobStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

let s3: S3Server
beforeAll(async () => {
  s3 = await S3Server.start()
})
afterAll(async () => {
  await s3.kill()
  await removeBuckets()
})

async function storeOf(folder: string, options: StoreOptions = {}): Promise<BlobStore> {
  const store = await openTestStore(s3, folder, options)
  opened.push(store)
  return store
}

async function* inChunks(bytes: Uint8Array, size = 20_000): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await setImmediate()
    yield bytes.subarray(at, at + size)
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
async function listOf(store: BlobStore): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  for await (const object of store.list()) found.push(object)
  return found
}
const keysOf = async (store: BlobStore): Promise<string[]> => (await listOf(store)).map(({ key }) => key)
const openUploads = async (folder: string): Promise<number> =>
  (await readdir(join(folder, 'blobs', 'multipart')).catch(() => [])).length

async function keep(store: BlobStore, bytes: Uint8Array): Promise<string> {
  const staged = await store.stage(inChunks(bytes))
  expect([staged.size, staged.sha256]).toEqual([bytes.length, sha256(bytes)])
  return staged.keep()
}

test('contents of every size come back whole and in ranges, and are listed with their size', async () => {
  const store = await storeOf(await makeBucket())
  const sizes = [0, 1, s3LeastPart - 1, s3LeastPart, s3LeastPart + 1, 10 * s3LeastPart + 7]
  const kept = new Map<string, Buffer>()
  for (const size of sizes) {
    const bytes = randomBytes(size)
    kept.set(await keep(store, bytes), bytes)
  }
  for (const [key, bytes] of kept) {
    expect(await buffer(await store.open(key))).toEqual(bytes)
    const range = { start: Math.floor(bytes.length / 3), end: Math.floor(bytes.length / 2) }
    if (bytes.length > 0) {
      expect(await buffer(await store.open(key, range))).toEqual(bytes.subarray(range.start, range.end + 1))
    }
  }
  const listed = await listOf(store)
  expect(new Map(listed.map(({ key, size }) => [key, size]))).toEqual(
    new Map(Array.from(kept, ([key, bytes]) => [key, bytes.length])),
  )
  for (const { modifiedAt } of listed) expect(Math.abs(Date.now() - modifiedAt)).toBeLessThan(60_000)
  const [first = ''] = kept.keys()
  await store.remove(first)
  await store.remove(first)
  await expect(store.open(first)).rejects.toThrow(/404 NoSuchKey/)
})

test('a key that no object can have names nothing: it is not there, and removed already', async () => {
  const store = await storeOf(await makeBucket())
  const key = await keep(store, Buffer.from('content'))
  for (const other of ['', 'probe', `../${key}`, `objects/../${key}`, `${key}/`, `00/${'0'.repeat(64)}.abcdefghijkl`]) {
    await expect(store.open(other)).rejects.toMatchObject({ code: 'ENOENT' })
    await store.remove(other)
  }
  expect(await keysOf(store)).toEqual([key])
})

test('a list longer than a page is whole', async () => {
  const store = await storeOf(await makeBucket())
  const keys = await Promise.all(Array.from({ length: 230 }, (_, n) => keep(store, Buffer.from(`${n}`))))
  expect((await keysOf(store)).toSorted()).toEqual(keys.toSorted())
})

test('a content that breaks off leaves neither an object nor a multipart upload', async () => {
  const folder = await makeBucket()
  const store = await storeOf(folder)
  const broken = async function* () {
    yield* inChunks(randomBytes(3 * s3LeastPart))
    await vi.waitFor(async () => expect(await openUploads(folder)).toBe(1), { timeout: 120_000 })
    throw new Error('broken off')
  }
  await expect(store.stage(broken())).rejects.toThrow('broken off')
  expect([await keysOf(store), await openUploads(folder)]).toEqual([[], 0])
})

describe('parts of an upload', () => {
  const upload = (): string => randomBytes(18).toString('base64url')
  const parted = async (store: BlobStore, key: string, sizes: readonly number[]) => {
    const parts: { start: number; size: number; tag: string }[] = []
    const all: Buffer[] = []
    let start = 0
    for (const size of sizes) {
      const bytes = randomBytes(size)
      const { tag } = await store.writePart(key, { start, most: size, alone: true }, inChunks(bytes))
      parts.push({ start, size, tag })
      all.push(bytes)
      start += size
    }
    return { parts, bytes: Buffer.concat(all) }
  }

  test.each([
    [[1]],
    [[3, 5, 0, 9]],
    [[2, 2, 0.5]],
    [[0.5, 2, 2]],
    [[0.25, 0.5, 1.2, 4, 0.1]],
    [[0.9, 1, 1, 0.9, 3, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 2]],
    [Array(40).fill(0.3)],
  ])('of %j times the least size make the whole, which S3 takes', async (sizes) => {
    const store = await storeOf(await makeBucket())
    const key = upload()
    const { parts, bytes } = await parted(
      store,
      key,
      sizes.map((size) => Math.floor(size * s3LeastPart)),
    )
    const staged = await store.joinParts(key, parts)
    expect([staged.size, staged.sha256]).toEqual([bytes.length, sha256(bytes)])
    const kept = await staged.keep()
    await store.removeParts(key)
    expect(await keysOf(store)).toEqual([kept])
    expect((await buffer(await store.open(kept))).equals(bytes)).toBe(true)
  })

  test('are copied inside the store, also when it is killed meanwhile', async () => {
    const store = await storeOf(await makeBucket())
    const key = upload()
    const { parts, bytes } = await parted(store, key, [2 * s3LeastPart, 3 * s3LeastPart])
    await s3.restart('copied')
    const joining = store.joinParts(key, parts)
    await s3.stopped()
    await s3.restart()
    const kept = await (await joining).keep()
    expect((await buffer(await store.open(kept))).equals(bytes)).toBe(true)
  })
})

describe('a server that is killed', () => {
  const large = randomBytes(5 * s3LeastPart)
  const small = randomBytes(100)
  const moments: [moment: string, bytes: Buffer][] = [
    ['mid put', small],
    ['put kept', small],
    ['begin', large],
    ['mid part', large],
    ['part kept', large],
    ['mid complete', large],
    ['complete', large],
    ['completed', large],
  ]

  test.each(few(2, moments))('at “%s” and comes back has the whole content', async (moment, bytes) => {
    const folder = await makeBucket()
    const store = await storeOf(folder)
    await s3.restart(moment)
    const staging = store.stage(inChunks(bytes))
    await s3.stopped()
    await s3.restart()
    const staged = await staging
    expect(staged.sha256).toEqual(sha256(bytes))
    expect(await buffer(await store.open(await staged.keep()))).toEqual(bytes)
  })

  test.each(few(2, moments))(
    'at “%s” and stays away refuses by name, shows nothing half, and serves again',
    async (moment, bytes) => {
      const folder = await makeBucket()
      const store = await storeOf(folder, { patienceMs: 100 })
      const key = await keep(store, small)
      await s3.kill()
      await s3.restart(moment)
      const staging = store.stage(inChunks(bytes))
      staging.catch(() => {})
      await s3.stopped()
      await s3.kill()
      await expect(staging).rejects.toMatchObject({ code: 'storageUnavailable' })
      await expect(store.open(key)).rejects.toMatchObject({ code: 'storageUnavailable' })
      await s3.restart()
      for (const each of await keysOf(store)) {
        const found = await buffer(await store.open(each))
        expect(found.equals(small) || found.equals(bytes)).toBe(true)
      }
      expect(await buffer(await store.open(await keep(store, bytes)))).toEqual(bytes)
    },
  )

  test('in the middle of an answer goes on where it was, once it is back', async () => {
    const store = await storeOf(await makeBucket())
    const bytes = randomBytes(3_000_000)
    const key = await keep(store, bytes)
    await s3.restart('mid get')
    const reading = buffer(await store.open(key, { start: 10, end: bytes.length - 1 }))
    await s3.stopped()
    await s3.restart()
    expect((await reading).equals(bytes.subarray(10))).toBe(true)
  })

  test('in the middle of every answer, and stands still, is asked on from there, and given up where nothing comes at all', async () => {
    const folder = await makeBucket()
    const store = await storeOf(folder, { patienceMs: 100, answerWithinMs: 300 })
    const bytes = randomBytes(1000)
    const key = await keep(store, bytes)
    await s3.restart('mid get')
    expect((await buffer(await store.open(key))).equals(bytes)).toBe(true)
    await s3.restart('get')
    await expect((async () => buffer(await store.open(key)))()).rejects.toMatchObject({ code: 'storageUnavailable' })
    await s3.restart()
  })

  test('that has no room takes nothing new, and is told apart from one that is away', async () => {
    const folder = await makeBucket()
    const store = await storeOf(folder)
    const key = await keep(store, small)
    await writeFile(join(folder, 'full'), '')
    for (const bytes of [small, randomBytes(3 * s3LeastPart)]) {
      await expect(store.stage(inChunks(bytes))).rejects.toMatchObject({ code: 'capacityNotSatisfied' })
    }
    // A store that is opened meanwhile can read too.
    for (const each of [store, await storeOf(folder)]) expect(await buffer(await each.open(key))).toEqual(small)
    await rm(join(folder, 'full'))
    expect(await openUploads(folder)).toBe(0)
    await keep(store, small)
  })
})

test('what S3 never got to the end of is dropped after a day', async () => {
  const folder = await makeBucket()
  const multipart = join(folder, 'blobs', 'multipart')
  await storeOf(folder)
  const old = new Date(Date.now() - 25 * 60 * 60_000)
  for (let n = 0; n < 120; n += 1) {
    const path = join(multipart, `${randomBytes(12).toString('hex')}.objects%2F${n}`)
    await mkdir(path, { recursive: true })
    if (n > 0) await utimes(path, old, old)
  }
  // This upload is listed first, and the store does not know its id when it is dropped, as if another server had
  // dropped it first.
  const gone = '000&amp;.objects%2Fgone'
  await mkdir(join(multipart, gone))
  await utimes(join(multipart, gone), old, old)
  await storeOf(folder)
  const isLeft = async () =>
    expect((await readdir(multipart)).toSorted()).toEqual([gone, expect.stringMatching(/%2F0$/)])
  await vi.waitFor(isLeft, { timeout: 120_000 })
})

test('a start that is cut off while it tries the bucket leaves nothing that the next one does not remove', async () => {
  const folder = await makeBucket()
  await s3.restart('put kept')
  for (let n = 0; n < 2; n += 1) {
    const cutOff = storeOf(folder, { patienceMs: 100 })
    const refused = cutOff.then(() => 'opened', String)
    await s3.stopped()
    await s3.kill()
    expect(await refused).toContain('BLOB_URL')
    await s3.restart(n === 0 ? 'put kept' : '')
  }
  await storeOf(folder)
  expect(await readdir(join(folder, 'blobs'))).toEqual([])
})

describe('a store that cannot be used is told at the start', () => {
  test.each([
    ['a wrong secret', { secretAccessKey: 'other' }, /403 SignatureDoesNotMatch/],
    ['an unknown key', { accessKeyId: 'other' }, /403 InvalidAccessKeyId/],
    ['another region', { region: 'eu-west-1' }, /403/],
    ['a bucket that is not there', { bucketUrl: '/none' }, /404 NoSuchBucket/],
  ])('%s', async (_what, wrong, message) => {
    const config = { ...s3.configOf(await makeBucket()), ...wrong }
    const bucketUrl = config.bucketUrl.startsWith('/') ? s3.origin + config.bucketUrl : config.bucketUrl
    await expect(openS3Store({ ...config, bucketUrl }, { log: silent })).rejects.toThrow(message)
  })

  test('no server at all', async () => {
    const config = s3.configOf(await makeBucket())
    await s3.kill()
    await expect(openS3Store(config, { log: silent, patienceMs: 100 })).rejects.toThrow(
      /does not answer .*ECONNREFUSED/,
    )
    await s3.restart()
  })
})

test('an address for a direct download gives the object as an attachment, until it expires, and no other', async () => {
  const folder = await makeBucket()
  const store = await storeOf(folder, { directUrl: s3.configOf(folder).bucketUrl })
  const key = await keep(store, Buffer.from('<script>alert(1)</script>'))
  const name = 'attachment; filename="a.html"; filename*=UTF-8\'\'%E5%90%88%20%281%29.html'
  const url = (await store.direct?.(key, name)) ?? ''
  const response = await fetch(url, { headers: { range: 'bytes=0-7' } })
  expect([response.status, await response.text()]).toEqual([206, '<script>'])
  expect(response.headers.get('content-disposition')).toBe(name)
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  const other = await keep(store, Buffer.from('other'))
  for (const changed of [
    url.replace(key, other),
    url.replace('octet-stream', 'html'),
    url.replace('Expires=300', 'Expires=900'),
  ]) {
    expect(changed).not.toBe(url)
    expect((await fetch(changed)).status).toBe(403)
  }
})
