// Where contents lie. A stored object's key is never used again, so an object never changes under a reader.

/** Contents of up to so many bytes are held in memory while they arrive, and are here with their request. */
export const smallContent = 64 * 1024

/** Bytes that have arrived whole and are safe on disk, but belong to nobody yet. */
export interface Staged {
  readonly size: number
  readonly sha256: Buffer
  /** The sums of its blocks (block-sums.ts). */
  readonly sums: Buffer
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

/**
 * The bytes of an object that is open, in order, to be read once. Closed by its end, by leaving the loop, and by
 * `await using` where there may be no loop.
 */
export interface OpenObject extends AsyncIterable<Uint8Array>, AsyncDisposable {
  /** The same bytes, cheaper: a chunk is good only until the next one is asked for. */
  lent(): AsyncIterable<Uint8Array>
}

/** What a store holds, whoever may name it. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  /** When it got its place, by the store's own clock. */
  readonly modifiedAt: number
}

/** A part of an upload that is safe in the store. */
export interface StoredPart {
  /** What the store finds it by, together with its upload's key. */
  readonly tag: string
  readonly size: number
  readonly sha256: Buffer
}

/** Where the bytes of a part belong in the whole. */
export interface PartPlace {
  readonly start: number
  /** The most bytes that the part may have. */
  readonly most: number
  /**
   * True where nobody else was ever given any of these bytes to write, or has let go of them: then the store may write
   * them in their place. Otherwise the attempt is kept beside all others.
   */
  readonly alone: boolean
}

/**
 * Uploads in parts. The caller names each upload by a key of its own (letters, digits, `-`, `_`, at least 20), which it
 * has written down before and removes at the end, so that nothing is left that nobody knows of. Any process that shares
 * the store can go on with any upload.
 */
export interface PartStore {
  /** Takes a stream to its end; durable when it resolves, nothing kept when it rejects. Parts come in any order. */
  writePart(key: string, place: PartPlace, content: AsyncIterable<Uint8Array>): Promise<StoredPart>
  /**
   * Makes one content of parts that follow each other without a gap, first to last, and computes its hash. Holds no more
   * than a few chunks in memory. The parts stay, so that it can be asked again, also at the same time.
   */
  joinParts(key: string, parts: readonly { start: number; size: number; tag: string }[]): Promise<Staged>
  /** Drops an attempt that another one has replaced. */
  removePart(key: string, tag: string): Promise<void>
  /** Drops all that is kept of an upload; nothing happens where there is nothing. */
  removeParts(key: string): Promise<void>
}

/** What reading a content fails with that is not what was stored. */
export class NotAsStored extends Error {
  override name = 'NotAsStored'
  readonly damage: 'size' | 'hash'

  constructor(damage: 'size' | 'hash') {
    super(damage === 'size' ? 'a stored content is shorter than it was' : 'a stored content has other bytes')
    this.damage = damage
  }
}

/** What opening an object rejects with whose key is not even one: like a file that is not there. */
export function noSuchObject(): Error {
  return Object.assign(new Error('no such object'), { code: 'ENOENT' })
}

export interface BlobStore extends PartStore {
  /** Takes a stream to its end. Rejects, and leaves nothing, when the stream breaks off. */
  stage(content: AsyncIterable<Uint8Array>): Promise<Staged>
  /** Rejects where the object is not there or cannot be read. One that is open stays whole, whoever removes it. */
  open(key: string, range?: ByteRange): Promise<OpenObject>
  /** Removes an object; one that is not there, or has no key that one could have, is removed already. */
  remove(key: string): Promise<void>
  /** Every object, in no order; what is kept or removed meanwhile may be among them or not. */
  list(): AsyncIterable<StoredObject>
  /**
   * An address that gives an object, past this server, to whoever has it in the next minutes; `disposition` is the header
   * it comes with. Only where the store is set up for it.
   */
  readonly direct?: (key: string, disposition: string) => Promise<string>
  /**
   * Gives the room of removed objects back to the disk, where removing them does not; while objects are kept, read and
   * removed. One process at a time.
   */
  giveBack?(): Promise<void>
  /** Where it is, for whoever keeps the server: a folder or a bucket. */
  readonly place?: string
  /** The disk that it is on; only where it is on one. */
  disk?(): Promise<{ readonly free: number; readonly size: number }>
  /** The installation whose contents these are, as it has marked the store; `mark` marks it anew. */
  markedFor?(mark?: string): Promise<string | undefined>
  /** Rejects, in bounded time, where the store does not answer; only where it can be asked without doing anything. */
  reach?(): Promise<void>
  /** Bytes that there is room for; only where the store can know. */
  room?(): Promise<number>
  /** Lets go of what the store holds open, and of what was staged and not kept. */
  close(): Promise<void>
}
