// The interface of stores of contents. A stored object's key is never reused, so an object never changes while it is
// read.

/** Contents up to this size are held in memory while they arrive, and arrive together with their request. */
export const smallContent = 64 * 1024

/** Bytes that have arrived completely and are safely stored, but are not referenced yet. */
export interface Staged {
  readonly size: number
  readonly sha256: Buffer
  /** The checksums of its blocks (block-sums.ts). */
  readonly sums: Buffer
  /** Moves the bytes to their final location. Durable when it resolves. Returns the key. */
  keep(): Promise<string>
  /** Drops the bytes. Never fails: leftovers are collected later. */
  discard(): Promise<void>
}

/** A part of an object, both ends inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The bytes of an open object, in order, to be read once. It is closed at its end, by leaving the loop, and by `await
 * using` if there may be no loop.
 */
export interface OpenObject extends AsyncIterable<Uint8Array>, AsyncDisposable {
  /** The same bytes with less copying: a chunk is valid only until the next one is requested. */
  lent(): AsyncIterable<Uint8Array>
}

/** An object in the store, whether or not a row refers to it. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  /** When it was stored, by the store's own clock. */
  readonly modifiedAt: number
}

/** A part of an upload that is safely stored. */
export interface StoredPart {
  /** Identifies the part in the store, together with its upload's key. */
  readonly tag: string
  readonly size: number
  readonly sha256: Buffer
}

/** The range of a part in the whole content. */
export interface PartPlace {
  readonly start: number
  /** Maximum bytes of the part. */
  readonly most: number
  /**
   * True if no other writer was ever given any of these bytes, or every other one has released them. The store may then
   * write them at their final offset. Otherwise the attempt is stored separately.
   */
  readonly alone: boolean
}

/**
 * Multipart uploads. The caller names each upload by its own key (letters, digits, `-`, `_`, at least 20). It records
 * the key before and removes it at the end, so that no unknown upload is left. Any process that shares the store can
 * continue any upload.
 */
export interface PartStore {
  /**
   * Writes a stream to its end. Durable when it resolves, nothing remains when it rejects. Parts may arrive in any
   * order.
   */
  writePart(key: string, place: PartPlace, content: AsyncIterable<Uint8Array>): Promise<StoredPart>
  /**
   * Joins contiguous parts, first to last, to one content and computes its hash. Holds no more than a few chunks in
   * memory. The parts remain, so that a join can be repeated, also concurrently.
   */
  joinParts(key: string, parts: readonly { start: number; size: number; tag: string }[]): Promise<Staged>
  /** Drops an attempt that was replaced by another one. */
  removePart(key: string, tag: string): Promise<void>
  /** Drops all data of an upload. Does nothing if there is none. */
  removeParts(key: string): Promise<void>
}

/** The error of reading a content that differs from what was stored. */
export class NotAsStored extends Error {
  override name = 'NotAsStored'
  readonly damage: 'size' | 'hash'

  constructor(damage: 'size' | 'hash') {
    super(damage === 'size' ? 'a stored content is shorter than it was' : 'a stored content has other bytes')
    this.damage = damage
  }
}

/** The error of opening an object with an invalid key. It equals that of a missing file. */
export function noSuchObject(): Error {
  return Object.assign(new Error('no such object'), { code: 'ENOENT' })
}

export interface BlobStore extends PartStore {
  /** Reads a stream to its end. If the stream breaks off, rejects and leaves nothing. */
  stage(content: AsyncIterable<Uint8Array>): Promise<Staged>
  /** Rejects if the object does not exist or cannot be read. An open object stays readable even if it is removed. */
  open(key: string, range?: ByteRange): Promise<OpenObject>
  /** Removes an object. An object that does not exist, or has an invalid key, counts as removed. */
  remove(key: string): Promise<void>
  /** Lists every object, in no order. Objects that are stored or removed meanwhile may or may not be included. */
  list(): AsyncIterable<StoredObject>
  /**
   * A URL from which anyone who has it can download an object directly from the store during the next minutes.
   * `disposition` is the Content-Disposition header of the answer. Present only if the store is configured for it.
   */
  readonly direct?: (key: string, disposition: string) => Promise<string>
  /**
   * Frees the disk space of removed objects if removing them does not. Runs while objects are stored, read and removed.
   * One process at a time.
   */
  giveBack?(): Promise<void>
  /** The location for the operator: a folder or a bucket. */
  readonly place?: string
  /** The free and total bytes of the disk, if the store is on a disk. */
  disk?(): Promise<{ readonly free: number; readonly size: number }>
  /** Returns the installation that has marked the store. `mark` sets a new mark. */
  markedFor?(mark?: string): Promise<string | undefined>
  /**
   * Rejects if contents cannot be stored now: a store on a disk is probed by writing. Present only if the store can be
   * probed without lasting effects.
   */
  reach?(): Promise<void>
  /** Available bytes, if the store can know. */
  room?(): Promise<number>
  /** Closes what the store has open, and drops what was staged but not stored. */
  close(): Promise<void>
}
