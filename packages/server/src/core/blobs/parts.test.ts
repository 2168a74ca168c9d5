// The contract of every store for multipart uploads. A store is opened twice over the same location, to act as two
// processes.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { quickFolder } from '../../../../../scripts/quick-folder.mjs'
import { sharedS3 } from '../../../test/harness.ts'
import { openTestStore } from '../../../test/s3.ts'
import { openLocalStore } from './local-store.ts'
import type { BlobStore } from './store.ts'

const made: string[] = []
const opened: BlobStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function twoStores(): Promise<{ a: BlobStore; b: BlobStore; files: () => Promise<string[]> }> {
  const folder = await mkdtemp(join(quickFolder, 'cloudoc-parts-'))
  made.push(folder)
  const s3 = inject('store') === 's3' ? await sharedS3() : undefined
  const open = () => (s3 === undefined ? openLocalStore(folder) : openTestStore(s3, folder))
  const [a, b] = [await open(), await open()]
  opened.push(a, b)
  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  }
  return { a, b, files }
}

const newKey = (): string => randomBytes(18).toString('base64url')
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

async function* inChunks(bytes: Uint8Array, size = 7, until = bytes.length): AsyncIterable<Uint8Array> {
  for (let at = 0; at < until; at += size) yield bytes.subarray(at, Math.min(at + size, until))
  if (until < bytes.length) throw new Error('broken off')
}

describe('uploads in parts', () => {
  test('parts of any order, written by two processes, make the whole, which outlives its parts', async () => {
    const stores = await twoStores()
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 0, maxLength: 400 }),
        fc.integer({ min: 1, max: 100 }),
        fc.infiniteStream(fc.record({ at: fc.nat(), alone: fc.boolean(), second: fc.boolean() })),
        async (bytes, partSize, choices) => {
          const key = newKey()
          const count = Math.ceil(bytes.length / partSize)
          const parts = Array.from({ length: count }, (_, n) => ({ start: n * partSize, size: 0, tag: '' }))
          const todo = [...parts.keys()]
          while (todo.length > 0) {
            const [choice] = choices.take(1)
            const [n = 0] = todo.splice((choice?.at ?? 0) % todo.length, 1)
            const start = n * partSize
            const piece = bytes.subarray(start, start + partSize)
            const place = { start, most: partSize, alone: choice?.alone ?? true }
            const { size, tag, ...kept } = await (choice?.second === true ? stores.b : stores.a).writePart(
              key,
              place,
              inChunks(piece),
            )
            expect([size, kept.sha256]).toEqual([piece.length, sha256(piece)])
            parts[n] = { start, size, tag }
          }
          const [first, second] = await Promise.all([stores.a.joinParts(key, parts), stores.b.joinParts(key, parts)])
          expect([first.size, first.sha256]).toEqual([bytes.length, sha256(bytes)])
          const keys = [await first.keep(), await second.keep()]
          await stores.a.removeParts(key)
          expect(await stores.files()).toHaveLength(2)
          for (const each of keys) expect(await buffer(await stores.b.open(each))).toEqual(Buffer.from(bytes))
          await stores.a.remove(keys[0] ?? '')
          expect(await buffer(await stores.b.open(keys[1] ?? ''))).toEqual(Buffer.from(bytes))
          await stores.b.remove(keys[1] ?? '')
        },
      ),
      { numRuns: 30 },
    )
  })

  test('attempts at one part at the same time never mix, and the one that is named counts', async () => {
    const { a, b } = await twoStores()
    const key = newKey()
    const contents = Array.from({ length: 6 }, (_, n) => Buffer.alloc(5000, n + 1))
    const kept = await Promise.all(
      contents.map((bytes, n) =>
        (n % 2 === 0 ? a : b).writePart(key, { start: 0, most: 5000, alone: n === 0 }, inChunks(bytes, 100)),
      ),
    )
    for (const [n, part] of kept.entries()) {
      const staged = await a.joinParts(key, [{ ...part, start: 0 }])
      expect(await buffer(await a.open(await staged.keep()))).toEqual(contents[n])
    }
  })

  test('an attempt that breaks off, or is longer than its place, is refused and harms nothing', async () => {
    const { a, files } = await twoStores()
    const key = newKey()
    const bytes = Buffer.alloc(200, 1)
    const part = await a.writePart(key, { start: 0, most: 200, alone: true }, inChunks(bytes))
    const before = await files()
    const other = Buffer.alloc(300, 2)
    await expect(
      a.writePart(key, { start: 0, most: 200, alone: false }, inChunks(other.subarray(100), 7, 50)),
    ).rejects.toThrow('broken off')
    await expect(a.writePart(key, { start: 0, most: 200, alone: false }, inChunks(other))).rejects.toThrow(/more bytes/)
    await expect(a.writePart(key, { start: 200, most: 10, alone: true }, inChunks(other))).rejects.toThrow(/more bytes/)
    expect(await files()).toEqual(before)
    const staged = await a.joinParts(key, [{ ...part, start: 0 }])
    expect(await buffer(await a.open(await staged.keep()))).toEqual(bytes)
  })

  test('what is dropped leaves nothing, and may be dropped twice', async () => {
    const { a, b, files } = await twoStores()
    const key = newKey()
    const bytes = Buffer.from('some bytes')
    const part = await a.writePart(key, { start: 0, most: 10, alone: false }, inChunks(bytes))
    await a.removePart(key, part.tag)
    await a.removePart(key, part.tag)
    await expect(a.joinParts(key, [{ ...part, start: 0 }])).rejects.toThrow()
    await b.removeParts(key)
    await b.removeParts(key)
    await a.removeParts(newKey())
    expect(await files()).toEqual([])
  })

  test('no key leads out of the folder of uploads', async () => {
    const { a } = await twoStores()
    for (const key of ['../staging', '', '.', `${newKey()}/..`, 'short']) {
      await expect(a.writePart(key, { start: 0, most: 1, alone: true }, inChunks(Buffer.from('x')))).rejects.toThrow()
      await expect(a.removeParts(key)).rejects.toThrow()
    }
  })
})
