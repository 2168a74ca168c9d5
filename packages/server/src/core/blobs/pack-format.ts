/*
 * The file format of a pack (ADR 58). The first word of the first page says whether the pack is still written, the
 * second line names its owner. Then follow records: a head and the bytes of a content, each at a multiple of the head's
 * size. The records of one batch start at a new page. A head:
 *
 * - offset 0: the pack's id, which is never disclosed, so that no content can imitate a head
 * - offset 12: the state
 * - offset 16: the size (4 bytes, little endian), the checksum of all but the state (4), the time in ms (8)
 * - offset 32: the sha256
 */
import { crc32 } from 'node:zlib'
import type { ReadableFile } from './read-object.ts'
import { noSuchObject } from './store.ts'

/** The unit in which packs are written. */
export const page = 4096
export const headSize = 64
/** The name of a pack. */
export const idForm = /^[\w-]{12}$/
const keyForm = /^pk\/([0-9a-f]{64})\.([\w-]{12})\.([0-9a-z]{1,9})\.([0-9a-z]{1,4})$/
/** The first word of a pack. */
export const [beingWritten, full] = ['open', 'full']
/** The state of a record. A single bit error does not turn one state into the other. */
export const [live, gone] = ['kept', 'gone']

/** Whether a key names a content in a pack. */
export function isPacked(key: string): boolean {
  return keyForm.test(key)
}

/** A content to be stored. */
export interface Content {
  readonly sha256: Buffer
  readonly bytes: Uint8Array
}

/** The fields of a content's head. */
export interface Head {
  readonly size: number
  readonly sha256: Buffer
  readonly writtenAt: number
  readonly isGone: boolean
}

/** The next multiple of a unit. */
export const upTo = (unit: number, n: number): number => Math.ceil(n / unit) * unit

const zeros = Buffer.alloc(page)
export const isZero = (bytes: Buffer): boolean => bytes.equals(zeros.subarray(0, bytes.length))

export const stateAt = 12
const sizeAt = 16
const checksumAt = 20
const writtenAt = 24
const sha256At = 32

const checksumOf = (head: Buffer): number =>
  crc32(head.subarray(writtenAt), crc32(head.subarray(sizeAt, checksumAt), crc32(head.subarray(0, stateAt))))

/** Writes the head at the start of a record. */
export function writeHead(head: Buffer, id: string, { sha256, bytes }: Content, now: number): void {
  head.write(id + live, 'latin1')
  head.writeUInt32LE(bytes.length, sizeAt)
  head.writeDoubleLE(now, writtenAt)
  head.set(sha256, sha256At)
  head.writeUInt32LE(checksumOf(head), checksumAt)
}

/** Parses a head. Returns undefined if there is none or it is damaged. */
export function readHead(head: Buffer, id: string): Head | undefined {
  if (head[0] !== id.charCodeAt(0) || head.toString('latin1', 0, stateAt) !== id) return undefined
  const state = head.toString('latin1', stateAt, sizeAt)
  if (state !== live && state !== gone) return undefined
  if (head.readUInt32LE(checksumAt) !== checksumOf(head)) return undefined
  return {
    size: head.readUInt32LE(sizeAt),
    sha256: Buffer.from(head.subarray(sha256At)),
    writtenAt: head.readDoubleLE(writtenAt),
    isGone: state === gone,
  }
}

/** The key of a content. It contains the position of its record. */
export function keyOf(id: string, { at, sha256, size }: { at: number; sha256: Buffer; size: number }): string {
  return `pk/${sha256.toString('hex')}.${id}.${at.toString(36)}.${size.toString(36)}`
}

/** Parses the position of the record from a key. @throws noSuchObject if no record can exist there */
export function placeOf(key: string): { id: string; at: number; size: number } {
  const [, , id, at, size] = keyForm.exec(key) ?? []
  if (id === undefined || at === undefined || size === undefined) throw noSuchObject()
  const place = { id, at: Number.parseInt(at, 36), size: Number.parseInt(size, 36) }
  if (place.at < page || place.at % headSize > 0) throw noSuchObject()
  return place
}

/** Heads are searched in windows of this many bytes. */
const windowSize = 64 * 1024

/**
 * Yields the heads of a pack in order. After a gap the next head may start behind a removed record or at the next page.
 */
export async function* headsOf(file: ReadableFile, id: string): AsyncGenerator<{ at: number; head: Head }> {
  const buffer = Buffer.allocUnsafeSlow(windowSize)
  let window = buffer.subarray(0, 0)
  let from = 0
  for (let at = page; ; ) {
    if (at + headSize > from + window.length) {
      window = await readUpTo(file, buffer, at)
      from = at
      if (window.length < headSize) return
    }
    const head = readHead(window.subarray(at - from, at - from + headSize), id)
    if (head !== undefined) yield { at, head }
    at = upTo(headSize, at + headSize + (head?.size ?? 0))
  }
}

/** Reads from a position on, up to the size of the buffer. Returns fewer bytes at the end of the file. */
export async function readUpTo(
  file: ReadableFile,
  buffer: Buffer<ArrayBuffer>,
  at: number,
): Promise<Buffer<ArrayBuffer>> {
  let held = 0
  while (held < buffer.length) {
    const { bytesRead } = await file.read(buffer, held, buffer.length - held, at + held)
    if (bytesRead === 0) break
    held += bytesRead
  }
  return buffer.subarray(0, held)
}
