// Where contents lie. A stored object's key is never used again, so an object never changes under a reader.
import type { Readable } from 'node:stream'

/** Bytes that have arrived whole and are safe on disk, but belong to nobody yet. */
export interface Staged {
  readonly size: number
  readonly sha256: Buffer
  /** Gives the bytes their final place; durable when it resolves. Answers the key. */
  keep(): Promise<string>
  /** Drops the bytes. Never fails: what is left over is collected later. */
  discard(): Promise<void>
}

/** A part of an object, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface BlobStore {
  /** Takes a stream to its end. Rejects, and leaves nothing, when the stream breaks off. */
  stage(content: AsyncIterable<Uint8Array>): Promise<Staged>
  open(key: string, range?: ByteRange): Readable
  remove(key: string): Promise<void>
  /** Lets go of what the store holds open, and of what was staged and not kept. */
  close(): Promise<void>
}
