// Lists an archive and extracts single files.
import { crc32 } from 'node:zlib'
import type { ListedEntry, Listing } from '@cloudoc/contract'
import { type Refusal, Refused } from '../refusal.ts'
import { largestEntry, mostListed, mostUnpacked } from './archive-limits.ts'
import { archiveEntries } from './libarchive.ts'
import type { Reader } from './reader.ts'
import { nameReader, readZip, type Zip, type ZipEntry } from './zip.ts'

export const readArchive: Reader = async ({ bytes, ext }): Promise<Listing> => {
  const entries: readonly NamedEntry[] = isZip(ext)
    ? readZip(bytes).entries
    : ext === 'tar'
      ? tarEntries(bytes)
      : await listed(bytes)
  return {
    kind: 'listing',
    entries: entries.slice(0, mostListed).map(({ path, size, packed, modified, encrypted, crc, rawName }) => ({
      path,
      size,
      packed,
      modified,
      encrypted,
      ...(crc !== undefined && !path.endsWith('/') && { crc }),
      ...(rawName !== undefined && { rawName: rawName.toString('base64') }),
    })),
    cut: entries.length > mostListed,
  }
}

/** An entry, with the raw bytes of a path whose encoding is not declared. */
type NamedEntry = Omit<ListedEntry, 'rawName'> & { readonly rawName?: Buffer | undefined }

/**
 * Returns one file of an archive, by the path in its listing, with names decoded in an encoding; undefined if it does
 * not exist.
 */
export async function readEntry(bytes: Buffer, ext: string, path: string, names?: string): Promise<Buffer | undefined> {
  const check = ({ size, encrypted }: NamedEntry): void => {
    if (encrypted) throw new Refused('sourceEncrypted')
    if (size > largestEntry) throw new Refused('conversionUnsupported', 'it is too large')
  }
  if (isZip(ext)) {
    const zip = readZip(bytes, names)
    const entry = zip.entries.findLast((one) => one.path === path)
    if (entry === undefined) return undefined
    check(entry)
    return wholeOf(zip, entry)
  }
  if (ext === 'tar') {
    const entry = tarEntries(bytes, names).findLast((one) => one.path === path)
    if (entry === undefined) return undefined
    check(entry)
    return wholeAt(bytes, entry)
  }
  for await (const entry of archiveEntries(bytes)) {
    if (entry.path !== path) continue
    check(entry)
    return entry.bytes()
  }
  return undefined
}

/** One unpacked file: its bytes, or why there are none. */
export interface Unpacked {
  readonly path: string
  /** Milliseconds since 1970; 0 if the archive does not tell. */
  readonly modified: number
  readonly bytes: Buffer | Refusal
}

/** Yields everything in an archive, one file after another. A folder has a path that ends with a slash and no bytes. */
export async function* unpack(bytes: Buffer, ext: string, names?: string): AsyncGenerator<Unpacked> {
  let [count, left] = [0, mostUnpacked]
  const take = ({ path, modified, size, encrypted }: NamedEntry, read: () => Buffer): Unpacked => {
    count += 1
    if (count > mostListed) throw new Refused('conversionUnsupported', 'it holds too much')
    const why = path.endsWith('/')
      ? undefined
      : encrypted
        ? 'sourceEncrypted'
        : size > Math.min(largestEntry, left)
          ? 'conversionUnsupported'
          : undefined
    if (why !== undefined) return { path, modified, bytes: why }
    try {
      const found = path.endsWith('/') ? Buffer.alloc(0) : read()
      left -= found.length
      return { path, modified, bytes: found }
    } catch (error) {
      // An error affects this entry only; the next one is read.
      return { path, modified, bytes: error instanceof Refused ? error.code : 'conversionFailed' }
    }
  }
  if (isZip(ext)) {
    const zip = readZip(bytes, names)
    // Of several entries with one path the last one counts.
    for (const entry of new Map(zip.entries.map((one) => [one.path, one])).values())
      yield take(entry, () => wholeOf(zip, entry))
  } else if (ext === 'tar') {
    for (const entry of new Map(tarEntries(bytes, names).map((one) => [one.path, one])).values())
      yield take(entry, () => wholeAt(bytes, entry))
  } else {
    for await (const entry of archiveEntries(bytes)) yield take(entry, () => entry.bytes())
  }
}

/** The bytes of an entry, checked against its size and CRC. */
function wholeOf(zip: Zip, { path, crc, size }: ZipEntry): Buffer {
  const found = zip.bytes(path)
  if (found === undefined) throw new Refused('conversionFailed', 'a path that is none')
  if (found.length !== size || crc32(found) !== crc) throw new Refused('conversionFailed', 'it is damaged')
  return found
}

function wholeAt(bytes: Buffer, { at, size }: { readonly at: number; readonly size: number }): Buffer {
  if (at + size > bytes.length) throw new Refused('conversionFailed', 'it is cut off')
  return bytes.subarray(at, at + size)
}

const isZip = (ext: string): boolean => ['zip', 'jar', 'war'].includes(ext)

async function listed(bytes: Buffer): Promise<NamedEntry[]> {
  const entries: NamedEntry[] = []
  for await (const entry of archiveEntries(bytes)) if (entries.push(entry) > mostListed) break
  return entries
}

interface TarEntry extends NamedEntry {
  readonly at: number
}

function tarEntries(bytes: Buffer, names?: string): TarEntry[] {
  const found = [...tarHeads(bytes)]
  const read = nameReader(
    found.map(({ name }) => name),
    names,
  )
  return found.map(({ name, ...entry }) => ({
    ...entry,
    path: read(name),
    rawName: name.every((byte) => byte < 0x80) ? undefined : name,
  }))
}

function* tarHeads(bytes: Buffer): Generator<Omit<TarEntry, 'path' | 'rawName'> & { readonly name: Buffer }> {
  if (bytes.toString('latin1', 257, 262) !== 'ustar') throw new Refused('conversionFailed', 'no tar')
  const upToZero = (one: Buffer): Buffer => one.subarray(0, one.indexOf(0) < 0 ? one.length : one.indexOf(0))
  let longName: Buffer | undefined
  for (let at = 0; at + 512 <= bytes.length; ) {
    const field = (from: number, length: number): Buffer => upToZero(bytes.subarray(at + from, at + from + length))
    const number = (from: number): number => Number.parseInt(field(from, 12).toString('latin1'), 8) || 0
    if (bytes[at] === 0) return
    const size = number(124)
    const type = String.fromCharCode(bytes[at + 156] ?? 0)
    if (type === 'L') longName = upToZero(bytes.subarray(at + 512, at + 512 + size))
    else if (/[05\0]/.test(type)) {
      const [prefix, short] = [field(345, 155), field(0, 100)]
      const name = longName ?? (prefix.length === 0 ? short : Buffer.concat([prefix, Buffer.from('/'), short]))
      longName = undefined
      yield { name, size, packed: size, modified: number(136) * 1000, encrypted: false, at: at + 512 }
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
}
