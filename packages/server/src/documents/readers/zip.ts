/*
 * Zip archives, and the documents that are ones. Only its directory is believed, and only as far as it fits the bytes;
 * nothing inflates to more than it says and than is allowed altogether.
 */
import { isUtf8 } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import { Refused } from '../refusal.ts'

export interface ZipEntry {
  readonly path: string
  readonly size: number
  readonly packed: number
  readonly modified: number
  readonly encrypted: boolean
  /** The bytes of the path, where nothing says how they are written. */
  readonly rawName: Buffer | undefined
  readonly method: number
  /** Of its bytes, as they were packed. */
  readonly crc: number
  readonly at: number
}

export interface Zip {
  readonly entries: readonly ZipEntry[]
  /** The bytes of an entry; undefined where there is none of the path. */
  bytes(path: string): Buffer | undefined
}

/** Bytes that all entries together that are read may inflate to. */
const mostInflated = 512 * 1024 * 1024
const mostEntries = 200_000
const oleSign = 0xe011cfd0

/** Whether the bytes are an OLE container: an old document, or a new one that is encrypted. */
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
  return {
    entries,
    bytes(path) {
      const entry = byPath.get(path.replace(/^\//, ''))
      if (entry === undefined) return undefined
      if (entry.encrypted) throw new Refused('sourceEncrypted')
      left -= entry.size
      if (left < 0) throw new Refused('conversionFailed', 'it inflates to too much')
      const start = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28)
      const packed = bytes.subarray(start, start + entry.packed)
      if (entry.method === 0) return packed
      if (entry.method !== 8) throw new Refused('conversionFailed', `packing method ${entry.method}`)
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) })
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
  if (count > mostEntries) throw new Refused('conversionFailed', 'too many entries')
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

/** Sizes above 4 GB stand in a field of their own. */
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

/** The name in UTF-8 that some write beside the other, as long as it is of that. */
function unicodePath(extra: Buffer, name: Buffer): string | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) !== 0x7075 || end > extra.length || end < at + 10) continue
    if (extra.readUInt32LE(at + 5) === crc32(name)) return extra.toString('utf8', at + 9, end)
  }
  return undefined
}

/**
 * Reads the names of an archive that does not say how they are written: in the encoding that is asked for, or as UTF-8 where
 * all of them can be; Chinese Windows wrote GBK.
 */
export function nameReader(raw: readonly Uint8Array[], names?: string): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder(names ?? (raw.every(isUtf8) ? 'utf-8' : 'gb18030'))
  return (bytes) => decoder.decode(bytes)
}

/** The clock of the machine that packed it is not known; it is read as that of China. */
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
