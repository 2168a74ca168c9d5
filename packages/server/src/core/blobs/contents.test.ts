// Reading contents: they are verified by their checksums, are identical from memory and from the store, and small ones
// are read from the store once.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { blockSize, createBlockSums, pieceSize, piecesOf, sumsOf } from './block-sums.ts'
import { type Content, createContents } from './contents.ts'
import { openLocalStore } from './local-store.ts'
import type { BlobStore, ByteRange } from './store.ts'

const folder = await mkdtemp(join(tmpdir(), 'cloudoc-hot-'))
const store = await openLocalStore(folder)
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** A store that counts how many objects are opened. */
function counted(): { blobs: BlobStore; opened: () => number } {
  let opened = 0
  const open: BlobStore['open'] = (key, range) => {
    opened += 1
    return store.open(key, range)
  }
  return { blobs: { ...store, open }, opened: () => opened }
}

/** A store in which every object has ten bytes, whatever size was expected. */
function tens(): { blobs: BlobStore; opened: () => number } {
  let opened = 0
  async function* chunks() {
    yield Buffer.alloc(10, 1)
  }
  const open: BlobStore['open'] = async () => {
    opened += 1
    return { [Symbol.asyncIterator]: chunks, lent: chunks, [Symbol.asyncDispose]: () => Promise.resolve() }
  }
  return { blobs: { ...store, open }, opened: () => opened }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
/** Checksums of the contents stored in this file, by content id. */
const sums = new Map<number, Buffer>()

const ten = (key: string): Content => ({ blobId: 0, key, size: 10, sha256: sha256(Buffer.alloc(10, 1)) })

async function kept(size: number, fill = 1) {
  const bytes = Buffer.alloc(size, fill)
  for (let at = 0; at < size; at += 7) bytes[at] = at % 251
  const staged = await store.stage(
    (async function* () {
      yield bytes
    })(),
  )
  const content = { blobId: sums.size, key: await staged.keep(), size, sha256: staged.sha256 }
  sums.set(content.blobId, staged.sums)
  return { content, bytes }
}

const failures: unknown[] = []
const hot = (blobs: BlobStore) =>
  createContents(blobs, {
    sums: async (blobId, piece) => piecesOf(sums.get(blobId) ?? Buffer.alloc(0))[piece],
    failed: async (_content, error) => void failures.push(error),
  })
const read = async (contents: ReturnType<typeof hot>, content: Content, range?: ByteRange) => {
  await using object = await contents.open(content, range)
  const chunks: Uint8Array[] = []
  for await (const chunk of object.lent()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

// [R201] Small files that many people open are read from storage once.
test('[R201] a small content is read once, and every part of it is the same from memory', async () => {
  const { blobs, opened } = counted()
  const contents = hot(blobs)
  const { content, bytes } = await kept(100_000)
  expect(await read(contents, content, { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20))
  expect(await read(contents, content)).toEqual(bytes)
  expect(opened()).toBe(1)
  expect(await read(contents, content)).toEqual(bytes)
  for (const range of [
    { start: 0, end: 0 },
    { start: 99_999, end: 99_999 },
    { start: 65_530, end: 65_540 },
  ])
    expect(await read(contents, content, range)).toEqual(bytes.subarray(range.start, range.end + 1))
  expect(opened()).toBe(1)
})

test('what is held takes no more than is counted, however small the contents are', async () => {
  const { blobs, opened } = tens()
  const contents = hot(blobs)
  const most = (32 * 1024 * 1024) / 500
  for (let n = 0; n < most + 10; n += 1) await contents.open(ten(`${n}`))
  const before = opened()
  await using kept = await contents.open(ten(`${Math.floor(most)}`))
  for await (const chunk of kept.lent()) expect(chunk.buffer.byteLength).toBe(10)
  expect(opened()).toBe(before)
  await contents.open(ten('0'))
  expect(opened()).toBe(before + 1)
})

test('[R201] a large content is not held in memory', async () => {
  const { blobs, opened } = counted()
  const contents = hot(blobs)
  const { content, bytes } = await kept(300_000)
  for (let n = 1; n <= 3; n += 1) {
    expect(await read(contents, content)).toEqual(bytes)
    expect(opened()).toBe(n)
  }
})

longTest('what is asked for again stays, and no more than 32 MB are held', async () => {
  const { blobs, opened } = counted()
  const contents = hot(blobs)
  const { content } = await kept(256 * 1024)
  for (let n = 0; n < 200; n += 1) {
    const { content: other } = await kept(256 * 1024, n)
    await read(contents, other)
    await read(contents, content)
  }
  expect(opened()).toBe(201)
  const { content: last } = await kept(256 * 1024)
  for (let n = 0; n < 128; n += 1) await read(contents, (await kept(256 * 1024, n)).content)
  await read(contents, last)
  const before = opened()
  await read(contents, content)
  expect(opened()).toBe(before + 1)
})

test('[R201] a content that is shorter than its row says is an error each time, and nothing of it is held', async () => {
  const { content } = await kept(1000)
  for (const [blobs, one, size] of [
    [counted().blobs, content, 1000],
    [tens().blobs, ten('ten'), 10],
  ] as const) {
    const contents = hot(blobs)
    const longer = { ...one, size: size + 1 }
    for (let n = 0; n < 2; n += 1) await expect(read(contents, longer)).rejects.toThrow('shorter')
    expect((await read(contents, one)).length).toBe(size)
  }
})

/** A store whose next read returns these bytes in chunks of the given size, completely or from a position on. */
function bytesIn(bytes: Buffer, chunkSize: number): BlobStore {
  const open: BlobStore['open'] = async (_key, range) => {
    async function* chunks() {
      const { start, end } = range ?? { start: 0, end: bytes.length - 1 }
      const buffer = Buffer.alloc(chunkSize)
      for (let at = start; at <= end; at += chunkSize) {
        const chunk = bytes.subarray(at, Math.min(at + chunkSize, end + 1))
        // The same memory is used for every chunk.
        buffer.set(chunk)
        yield buffer.subarray(0, chunk.length)
      }
    }
    return { [Symbol.asyncIterator]: chunks, lent: chunks, [Symbol.asyncDispose]: () => Promise.resolve() }
  }
  return { ...store, open }
}

test.each([1000, 64 * 1024, blockSize, blockSize * 2, blockSize + 1, 10_000_000])(
  'every range of a checked content is its bytes, whatever chunks of %i bytes it comes in',
  async (chunkSize) => {
    const bytes = Buffer.alloc(blockSize * 4 + 12_345)
    for (let at = 0; at < bytes.length; at += 13) bytes[at] = at % 251
    const content = { blobId: 1e6, key: 'k', size: bytes.length, sha256: sha256(bytes) }
    sums.set(content.blobId, sumsOf(bytes))
    const contents = hot(bytesIn(bytes, chunkSize))
    const isRead = async (range?: ByteRange) =>
      (await read(contents, content, range)).equals(
        range === undefined ? bytes : bytes.subarray(range.start, range.end + 1),
      )
    expect(await isRead()).toBe(true)
    const edges = [0, 1, blockSize - 1, blockSize, blockSize + 1, 3 * blockSize, bytes.length - 1]
    for (const start of edges)
      for (const end of edges.filter((edge) => edge >= start)) expect(await isRead({ start, end })).toBe(true)
  },
)

test('no byte of a block that is not as it was stored goes out, and whoever reads past it hears of it', async () => {
  const { content, bytes } = await kept(blockSize * 3 + 5)
  for (const damaged of [blockSize + 7, bytes.length - 1]) {
    const other = Buffer.from(bytes)
    other[damaged] = 255 - (other[damaged] ?? 0)
    const contents = hot(bytesIn(other, 100_000))
    const out: Uint8Array[] = []
    const reading = (async () => {
      await using object = await contents.open(content)
      for await (const chunk of object.lent()) out.push(Buffer.from(chunk))
    })()
    failures.length = 0
    await expect(reading).rejects.toThrow('other bytes')
    expect(failures).toMatchObject([{ damage: 'hash' }])
    const sent = Buffer.concat(out)
    expect(sent.length).toBe(damaged - (damaged % blockSize))
    expect(sent).toEqual(bytes.subarray(0, sent.length))
    await expect(read(contents, content, { start: damaged, end: damaged })).rejects.toThrow('other bytes')
    expect(await read(contents, content, { start: 0, end: 9 })).toEqual(bytes.subarray(0, 10))
  }
  const shorter = hot(bytesIn(bytes.subarray(0, blockSize * 2), 100_000))
  await expect(read(shorter, content)).rejects.toThrow('shorter')
  const small = await kept(100)
  const others = hot(bytesIn(Buffer.alloc(100, 9), 1000))
  await expect(read(others, small.content)).rejects.toThrow('other bytes')
})

test('sums are those of the content, however it comes, and a large one has them in pieces', () => {
  const bytes = Buffer.alloc(blockSize * 2 + 1, 3)
  const byteByByte = createBlockSums()
  for (let at = 0; at < bytes.length; at += 1021) byteByByte.add(bytes.subarray(at, at + 1021))
  expect(byteByByte.end()).toEqual(sumsOf(bytes))
  expect(sumsOf(bytes).length).toBe(24)
  expect(sumsOf(bytes.subarray(0, blockSize)).length).toBe(0)
  const many = Buffer.alloc(((pieceSize / blockSize) * 2 + 1) * 8)
  expect(piecesOf(many).map(({ length }) => length)).toEqual([32_768, 32_768, 8])
})
