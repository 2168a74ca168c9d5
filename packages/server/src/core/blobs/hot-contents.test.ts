// Contents that come from memory say the same as the store, and cost it one reading.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createHotContents } from './hot-contents.ts'
import { openLocalStore } from './local-store.ts'
import type { BlobStore, ByteRange } from './store.ts'

const folder = await mkdtemp(join(tmpdir(), 'cloudoc-hot-'))
const store = await openLocalStore(folder)
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** A store that counts what is opened. */
function counted(): { blobs: BlobStore; opened: () => number } {
  let opened = 0
  const open: BlobStore['open'] = (key, range) => {
    opened += 1
    return store.open(key, range)
  }
  return { blobs: { ...store, open }, opened: () => opened }
}

/** A store in which every object has ten bytes, and which does not know how many there should be. */
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

async function kept(size: number, fill = 1) {
  const bytes = Buffer.alloc(size, fill)
  for (let at = 0; at < size; at += 7) bytes[at] = at % 251
  const key = await (
    await store.stage(
      (async function* () {
        yield bytes
      })(),
    )
  ).keep()
  return { content: { key, size }, bytes }
}

const hot = createHotContents
const read = async (contents: ReturnType<typeof hot>, content: { key: string; size: number }, range?: ByteRange) => {
  await using object = await contents.open(content, range)
  const chunks: Uint8Array[] = []
  for await (const chunk of object.lent()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

test('[R201] a small content is read once, and every part of it is the same from memory', async () => {
  const { blobs, opened } = counted()
  const contents = hot(blobs)
  const { content, bytes } = await kept(100_000)
  expect(await read(contents, content, { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20))
  expect(await read(contents, content)).toEqual(bytes)
  expect(opened()).toBe(2)
  expect(await read(contents, content)).toEqual(bytes)
  for (const range of [
    { start: 0, end: 0 },
    { start: 99_999, end: 99_999 },
    { start: 65_530, end: 65_540 },
  ])
    expect(await read(contents, content, range)).toEqual(bytes.subarray(range.start, range.end + 1))
  expect(opened()).toBe(2)
})

test('what is held takes no more than is counted, however small the contents are', async () => {
  const { blobs, opened } = tens()
  const contents = hot(blobs)
  const most = (32 * 1024 * 1024) / 500
  for (let n = 0; n < most + 10; n += 1) await contents.open({ key: `${n}`, size: 10 })
  const before = opened()
  await using kept = await contents.open({ key: `${Math.floor(most)}`, size: 10 })
  for await (const chunk of kept.lent()) expect(chunk.buffer.byteLength).toBe(10)
  expect(opened()).toBe(before)
  await contents.open({ key: '0', size: 10 })
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

test('what is asked for again stays, and no more than 32 MB are held', async () => {
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
    [tens().blobs, { key: 'ten', size: 10 }, 10],
  ] as const) {
    const contents = hot(blobs)
    const longer = { ...one, size: size + 1 }
    for (let n = 0; n < 2; n += 1) await expect(read(contents, longer)).rejects.toThrow('shorter')
    expect((await read(contents, one)).length).toBe(size)
  }
})
