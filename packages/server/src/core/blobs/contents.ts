/*
 * The read path of contents: returns them exactly as they were stored, or fails (ADR 80). No byte is sent before its
 * block is verified against its checksum. Small contents that were read recently are cached in memory: many users open
 * the same ones, and the content of a key never changes.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { blockSize, isBlock, pieceSize } from './block-sums.ts'
import { inMemory } from './read-object.ts'
import { type BlobStore, type ByteRange, NotAsStored, type OpenObject } from './store.ts'

/** Maximum bytes of the cache of a process. Contents of more than one block are as fast from disk as from memory. */
const mostBytes = 32 * 1024 * 1024
/** Overhead of a cache entry in bytes: its key, its buffer and its map entry. */
const overhead = 500

/** A content as described by its row and its stored object. */
export interface Content {
  readonly blobId: number
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
}

/** What is known of contents beside their bytes. */
export interface Checks {
  /** The checksums of one piece of a content. Undefined if they are not computed yet. */
  sums(blobId: number, piece: number): Promise<Buffer | undefined>
  /** Called when reading a content fails. */
  failed(content: Content, error: unknown): Promise<void>
}

export interface Contents {
  /**
   * Opens a content like `BlobStore.open`. If the content differs from what was stored, opening rejects or the read
   * ends with an error. The caller has already checked the permission to read it. With `fresh` the content is read from
   * the store and not cached.
   */
  open(content: Content, range?: ByteRange, how?: { readonly fresh: boolean }): Promise<OpenObject>
}

/** Creates the read path for the contents of a store. */
export function createContents(blobs: BlobStore, checks: Checks): Contents {
  const kept = new LRUCache<string, Buffer>({ maxSize: mostBytes, sizeCalculation: (bytes) => bytes.length + overhead })

  /** Reads a content of one block. */
  const readSmall = async ({ key, size, sha256 }: Content): Promise<Buffer> => {
    await using object = await blobs.open(key, { start: 0, end: size - 1 })
    // Its own allocation: a pooled small buffer would keep the whole pool buffer in memory.
    const bytes = Buffer.allocUnsafeSlow(size)
    let at = 0
    for await (const chunk of object.lent()) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    if (at < size) throw new NotAsStored('size')
    if (!hash('sha256', bytes, 'buffer').equals(sha256)) throw new NotAsStored('hash')
    return bytes
  }

  /** Opens the blocks that contain a range and returns the bytes of the range. */
  const openBlocks = async (content: Content, range: ByteRange): Promise<OpenObject> => {
    const { blobId, key, size } = content
    const start = range.start - (range.start % blockSize)
    const end = Math.min(size, range.end + blockSize - (range.end % blockSize)) - 1
    const first = await checks.sums(blobId, Math.floor(start / pieceSize))
    // A content without checksums yet is sent unverified.
    const sums = first && { at: Math.floor(start / pieceSize), piece: first }
    const object = await blobs.open(key, sums === undefined ? range : { start, end })
    const read = async function* (chunks: AsyncIterable<Uint8Array>, reuse: boolean): AsyncGenerator<Uint8Array> {
      try {
        if (sums === undefined) {
          yield* chunks
          return
        }
        let at = start
        for await (const bytes of wholeBlocks(chunks, { at, end }, reuse)) {
          for (let from = 0; from < bytes.length; from += blockSize) {
            const piece = Math.floor((at + from) / pieceSize)
            if (piece !== sums.at) {
              sums.at = piece
              sums.piece = (await checks.sums(blobId, piece)) ?? Buffer.alloc(0)
            }
            if (!isBlock(bytes.subarray(from, from + blockSize), at + from, sums.piece)) throw new NotAsStored('hash')
          }
          yield bytes.subarray(Math.max(0, range.start - at), range.end + 1 - at)
          at += bytes.length
        }
      } catch (error) {
        await checks.failed(content, error)
        throw error
      }
    }
    return {
      [Symbol.asyncIterator]: () => read(object, false),
      lent: () => read(object.lent(), true),
      [Symbol.asyncDispose]: () => object[Symbol.asyncDispose](),
    }
  }

  return {
    async open(content, range, { fresh } = { fresh: false }) {
      const { key, size } = content
      if (size === 0) return inMemory(Buffer.alloc(0), undefined)
      const found = fresh ? undefined : kept.get(key)
      if (found !== undefined) return inMemory(found, range)
      try {
        if (size > blockSize) return await openBlocks(content, range ?? { start: 0, end: size - 1 })
        const bytes = await readSmall(content)
        if (!fresh) kept.set(key, bytes)
        return inMemory(bytes, range)
      } catch (error) {
        await checks.failed(content, error)
        throw error
      }
    },
  }
}

/**
 * The same bytes in chunks of whole blocks. The last chunk may be shorter. With `reuse` a chunk is valid only until the
 * next.
 */
async function* wholeBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { at, end }: { at: number; end: number },
  reuse: boolean,
): AsyncGenerator<Uint8Array> {
  let filling: Buffer | undefined
  let held = 0
  let left = end + 1 - at
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const rest = chunk.length - from
      const whole = rest >= left ? left : rest - (rest % blockSize)
      if (held === 0 && whole > 0) {
        yield chunk.subarray(from, from + whole)
        from += whole
        left -= whole
        continue
      }
      if (filling === undefined || (!reuse && held === 0)) filling = Buffer.allocUnsafeSlow(blockSize)
      const size = Math.min(blockSize, left)
      const taken = chunk.subarray(from, from + size - held)
      filling.set(taken, held)
      held += taken.length
      from += taken.length
      if (held < size) continue
      held = 0
      left -= size
      yield filling.subarray(0, size)
    }
  }
  if (left > 0) throw new NotAsStored('size')
}
