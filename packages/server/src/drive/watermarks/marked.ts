/*
 * Watermarked contents: generated on download in a separate process and cached in memory for as long as the download
 * may be resumed by ranges. The result is a separate content with its own length and hash.
 */
import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { fail, markableExts } from '@cloudoc/domain'
import { LRUCache } from 'lru-cache'
import type { Content, Contents } from '../../core/blobs/contents.ts'
import type { OpenObject } from '../../core/blobs/store.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { ConfinedFailure, makeMarked, Refused } from '../../documents/index.ts'
import type { Chosen } from './choose.ts'

/** Maximum size of this cache in bytes per process, and its lifetime after the last use. */
const mostBytes = 192 * 1024 * 1024
const cacheMs = 10 * 60_000
/** Maximum wait for a free slot. */
const waitMs = 30_000

const semaphore = createSemaphore(Math.max(1, Math.min(2, availableParallelism() - 1)))
const cache = new LRUCache<string, MarkedContent>({
  maxSize: mostBytes,
  sizeCalculation: ({ bytes }) => bytes.length + 500,
  ttl: cacheMs,
  updateAgeOnGet: true,
})
const pending = new Map<string, Promise<MarkedContent>>()

/** A watermarked content that can be sent. */
export interface MarkedContent {
  readonly bytes: Buffer
  readonly content: Content
  readonly contents: Pick<Contents, 'open'>
}

/** Whether files with this extension can be watermarked. */
export const canBeMarked = (ext: string): boolean => markableExts.has(ext.toLowerCase())

/**
 * Returns the watermarked content from the cache or generates it: the `copy` of a file by its extension, or its
 * rendition. Fails with the code of the reason.
 */
export async function markedContent(
  contents: Contents,
  make: 'copy' | 'rendition',
  content: Content,
  ext: string,
  { watermark, key }: Chosen,
): Promise<MarkedContent> {
  const name = `${make} ${ext} ${content.sha256.toString('base64url')} ${key}`
  const known = cache.get(name) ?? pending.get(name)
  if (known !== undefined) return known
  const work = makeOne(contents, make, content, ext, watermark)
  pending.set(name, work)
  try {
    const made = await work
    cache.set(name, made)
    return made
  } catch (error) {
    if (error instanceof Refused) return fail(error.code)
    if (error instanceof ConfinedFailure) return fail(error.code === 'time' ? 'conversionTimedOut' : 'conversionFailed')
    throw error
  } finally {
    pending.delete(name)
  }
}

async function makeOne(
  contents: Contents,
  make: 'copy' | 'rendition',
  content: Content,
  ext: string,
  watermark: Chosen['watermark'],
): Promise<MarkedContent> {
  if (!(await semaphore.acquire(AbortSignal.timeout(waitMs)))) throw new ConfinedFailure('time', 'others came first')
  try {
    await using object = await contents.open(content)
    const source = { content: Readable.from(object, { objectMode: false }), size: content.size, ext }
    const bytes = await makeMarked(make, source, watermark)
    return {
      bytes,
      content: { blobId: 0, key: '', size: bytes.length, sha256: hash('sha256', bytes, 'buffer') },
      contents: {
        open: (_content, range) =>
          Promise.resolve(openBuffer(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))),
      },
    }
  } finally {
    semaphore.release()
  }
}

const pieceBytes = 512 * 1024

/** Bytes in memory as an open object. */
function openBuffer(bytes: Buffer): OpenObject {
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  return { [Symbol.asyncIterator]: read, lent: read, [Symbol.asyncDispose]: () => Promise.resolve() }
}
