/*
 * Zip archives, and documents based on them. Only the directory is trusted, and only as far as it matches the bytes.
 * Nothing inflates to more than its declared size and the total limit.
 */
import { isUtf8 } from 'node:buffer'
import { constants, crc32, inflateRawSync } from 'node:zlib'
import { Refused } from '../refusal.ts'

export interface ZipEntry {
  readonly path: string
  readonly size: number
  readonly packed: number
  readonly modified: number
  readonly encrypted: boolean
  /** The raw bytes of the path, if its encoding is not declared. */
  readonly rawName: Buffer | undefined
  readonly method: number
  /** Of the unpacked bytes. */
  readonly crc: number
  readonly at: number
}

export interface Zip {
  readonly entries: readonly ZipEntry[]
  /** The bytes of an entry; undefined if the path does not exist. */
  bytes(path: string): Buffer | undefined
  /** The bytes of an entry, of a large one about the first `most`. */
  start(path: string, most: number): { readonly bytes: Buffer; readonly isWhole: boolean } | undefined
}

/** Maximum total bytes that all entries read may inflate to. */
const mostInflated = 512 * 1024 * 1024
const mostEntries = 200_000
const oleSign = 0xe011cfd0

/** Whether the bytes are an OLE container: an old document, or an encrypted new one. */
export const isOle = (bytes: Buffer): boolean => bytes.length > 512 && bytes.readUInt32LE(0) === oleSign

export function readZip(bytes: Buffer, names?: string): Zip {
  if (isOle(bytes))
    throw new Refused(
      bytes.includes(Buffer.from('EncryptedPackage', 'utf16le')) ? 'sourceEncrypted' : 'conversionFailed',
    )
  const found = [...directory(bytes)]
  const read = nameReader(
    found.flatMap(({ rawName }) => rawName ?? []),
    names,
  )
  const entries = found.map((entry) =>
    entry.rawName === undefined ? entry : { ...entry, path: read(entry.rawName).replaceAll('\\', '/') },
  )
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  let left = mostInflated
  /** The packed bytes of an entry of which `size` are unpacked. */
  const packedOf = (entry: ZipEntry, size: number): Buffer => {
    if (entry.encrypted) throw new Refused('sourceEncrypted')
    left -= size
    if (left < 0) throw new Refused('conversionFailed', 'it inflates to too much')
    const start = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28)
    if (entry.method !== 0 && entry.method !== 8)
      throw new Refused('conversionFailed', `packing method ${entry.method}`)
    return bytes.subarray(start, start + entry.packed)
  }
  const whole = (entry: ZipEntry): Buffer => {
    const packed = packedOf(entry, entry.size)
    return entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) })
  }
  return {
    entries,
    bytes(path) {
      const entry = byPath.get(path.replace(/^\//, ''))
      return entry === undefined ? undefined : whole(entry)
    },
    start(path, most) {
      const entry = byPath.get(path.replace(/^\//, ''))
      if (entry === undefined) return undefined
      if (entry.size <= most) return { bytes: whole(entry), isWhole: true }
      const packed = packedOf(entry, most * 2)
      if (entry.method === 0) return { bytes: packed.subarray(0, most), isWhole: false }
      // The first bytes pack about as well as all of them.
      const part = packed.subarray(0, Math.ceil((packed.length * most) / entry.size))
      const found = inflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most * 2 })
      return { bytes: found, isWhole: false }
    },
  }
}

function* directory(bytes: Buffer): Generator<ZipEntry> {
  const end = endOf(bytes)
  let count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (end >= 20 && bytes.readUInt32LE(end - 20) === 0x07064b50) {
    const wide = Number(bytes.readBigUInt64LE(end - 12))
    if (bytes.readUInt32LE(wide) !== 0x06064b50) throw new Refused('conversionFailed', 'no directory')
    count = Number(bytes.readBigUInt64LE(wide + 32))
    at = Number(bytes.readBigUInt64LE(wide + 48))
  }
  if (count > mostEntries) throw new Refused('archiveTooLarge')
  for (let n = 0; n < count; n += 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Refused('conversionFailed', 'a broken directory')
    const flags = bytes.readUInt16LE(at + 8)
    const nameLength = bytes.readUInt16LE(at + 28)
    const extraLength = bytes.readUInt16LE(at + 30)
    const name = bytes.subarray(at + 46, at + 46 + nameLength)
    const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const sizes = wideSizes(extra, [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ])
    const isSaid = (flags & 0x800) !== 0 || name.every((byte) => byte < 0x80)
    const path = unicodePath(extra, name) ?? (isSaid ? name.toString('utf8') : undefined)
    yield {
      path: (path ?? '').replaceAll('\\', '/'),
      rawName: path === undefined ? name : undefined,
      size: sizes[0],
      packed: sizes[1],
      at: sizes[2],
      modified: dosTime(bytes.readUInt16LE(at + 14), bytes.readUInt16LE(at + 12)),
      encrypted: (flags & 1) !== 0,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
    }
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
  }
}

function endOf(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1) {
    if (bytes.readUInt32LE(at) === 0x06054b50) return at
  }
  throw new Refused('conversionFailed', 'no zip')
}

/** Sizes above 4 GB are stored in an extra field. */
function wideSizes(extra: Buffer, short: [number, number, number]): [number, number, number] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let from = at + 4
    return short.map((value) => {
      if (value !== 0xffffffff || from + 8 > extra.length) return value
      from += 8
      return Number(extra.readBigUInt64LE(from - 8))
    }) as [number, number, number]
  }
  return short
}

/** The UTF-8 name in an extra field, if it belongs to the stored name. */
function unicodePath(extra: Buffer, name: Buffer): string | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) !== 0x7075 || end > extra.length || end < at + 10) continue
    if (extra.readUInt32LE(at + 5) === crc32(name)) return extra.toString('utf8', at + 9, end)
  }
  return undefined
}

/**
 * Decodes the names of an archive that does not declare their encoding: in the requested encoding, or as UTF-8 if all
 * of them are valid UTF-8, else as GBK, which Chinese Windows writes.
 */
export function nameReader(raw: readonly Uint8Array[], names?: string): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder(names ?? (raw.every(isUtf8) ? 'utf-8' : 'gb18030'))
  return (bytes) => decoder.decode(bytes)
}

/** Converts DOS time. The time zone of the writer is unknown, so it is read as China time. */
function dosTime(date: number, time: number): number {
  if (date === 0) return 0
  const utc = Date.UTC(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  )
  return utc - 8 * 60 * 60_000
}
