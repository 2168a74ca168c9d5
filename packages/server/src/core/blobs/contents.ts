/*
 * The contents that people read, as they were stored or not at all (ADR 80): no byte goes out before its block has been
 * compared with its sum. Small ones that were read lately are in memory: many people open the same ones, and what a key
 * names never changes.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { blockSize, isBlock, pieceSize } from './block-sums.ts'
import { inMemory } from './read-object.ts'
import { type BlobStore, type ByteRange, NotAsStored, type OpenObject } from './store.ts'

/** Bytes that a process keeps at most; contents of more than one block are as fast from a disk as from memory. */
const mostBytes = 32 * 1024 * 1024
/** What one takes beside its bytes: its key, its buffer and its place among the others. */
const overhead = 500

/** A content as its row and its object say. */
export interface Content {
  readonly blobId: number
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
}

/** What is known of contents beside their bytes. */
export interface Checks {
  /** The sums of one piece of a content; undefined where nobody has made them yet. */
  sums(blobId: number, piece: number): Promise<Buffer | undefined>
  /** Hears what goes wrong with a content that is being read. */
  failed(content: Content, error: unknown): Promise<void>
}

export interface Contents {
  /**
   * Opens a content as `BlobStore.open`; one that is not as it was stored rejects, or ends what is being read. Who asks has
   * been allowed to read it. With `fresh` it is read from the store, and not kept in memory.
   */
  open(content: Content, range?: ByteRange, how?: { readonly fresh: boolean }): Promise<OpenObject>
}

/** The contents of a store. */
export function createContents(blobs: BlobStore, checks: Checks): Contents {
  const kept = new LRUCache<string, Buffer>({ maxSize: mostBytes, sizeCalculation: (bytes) => bytes.length + overhead })

  /** Reads one block, which is all. */
  const readSmall = async ({ key, size, sha256 }: Content): Promise<Buffer> => {
    await using object = await blobs.open(key, { start: 0, end: size - 1 })
    // In memory of its own: a small buffer would be a part of a larger one, all of which would be held with it.
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

  /** Opens the blocks that a range lies in, and gives what of them is in it. */
  const openBlocks = async (content: Content, range: ByteRange): Promise<OpenObject> => {
    const { blobId, key, size } = content
    const start = range.start - (range.start % blockSize)
    const end = Math.min(size, range.end + blockSize - (range.end % blockSize)) - 1
    const first = await checks.sums(blobId, Math.floor(start / pieceSize))
    // One that nobody has summed yet goes out as it is.
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

/** The same bytes in chunks of whole blocks; the last one may be shorter. With `reuse` a chunk is good until the next. */
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
