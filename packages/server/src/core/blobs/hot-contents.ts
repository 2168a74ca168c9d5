// Small contents that were read lately, in memory: many people open the same ones, and what a key names never changes.
import { LRUCache } from 'lru-cache'
import { inMemory } from './read-object.ts'
import type { BlobStore, ByteRange, OpenObject } from './store.ts'

/** Bytes that a process keeps at most, and the largest content among them: beyond it, a disk is as fast as memory. */
const mostBytes = 32 * 1024 * 1024
const largest = 256 * 1024
/** What one takes beside its bytes: its key, its buffer and its place among the others. */
const overhead = 500

/** A content as its object and its version say. */
export interface Content {
  readonly key: string
  readonly size: number
}

/** Opens contents as `BlobStore.open`. Who asks has been allowed to read them. */
export interface HotContents {
  open(content: Content, range?: ByteRange): Promise<OpenObject>
}

/** The contents of a store; those that have been read whole may come from memory. */
export function createHotContents(blobs: BlobStore): HotContents {
  const kept = new LRUCache<string, Buffer>({ maxSize: mostBytes, sizeCalculation: (bytes) => bytes.length + overhead })
  return {
    async open({ key, size }, range) {
      const bytes = kept.get(key)
      if (bytes !== undefined) return inMemory(bytes, range)
      const all = { start: 0, end: size - 1 }
      if (size > largest || range !== undefined) return blobs.open(key, range ?? all)
      await using object = await blobs.open(key, all)
      // In memory of its own: a small buffer would be a part of a larger one, all of which would be held with it.
      const read = Buffer.allocUnsafeSlow(size)
      let at = 0
      for await (const chunk of object.lent()) {
        read.set(chunk, at)
        at += chunk.length
      }
      if (at < size) throw new Error('a stored content is shorter than it was')
      kept.set(key, read)
      return inMemory(read, undefined)
    },
  }
}
