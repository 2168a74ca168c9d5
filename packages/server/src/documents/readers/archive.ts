// Lists an archive and extracts single files.
import { crc32 } from 'node:zlib'
import type { ListedEntry, Listing } from '@cloudoc/contract'
import { type Refusal, Refused } from '../refusal.ts'
import { largestEntry, mostListed, mostUnpacked } from './archive-limits.ts'
import { type ArchiveEntry, archiveEntries } from './libarchive.ts'
import type { Reader } from './reader.ts'
import { type TarEntry, tarEntries } from './tar.ts'
import { readZip, type Zip, type ZipEntry } from './zip.ts'

export const readArchive: Reader = async ({ bytes, ext }): Promise<Listing> => {
  const entries: readonly NamedEntry[] = isZip(ext)
    ? readZip(bytes).entries
    : ext === 'tar'
      ? tarEntries(bytes)
      : await listed(bytes, ext)
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
    if (size > largestEntry) throw new Refused('archiveTooLarge')
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
  for await (const entry of packedEntries(bytes, ext)) {
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
    if (count > mostListed) throw new Refused('archiveTooLarge')
    const why = path.endsWith('/')
      ? undefined
      : encrypted
        ? 'sourceEncrypted'
        : size > Math.min(largestEntry, left)
          ? 'archiveTooLarge'
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
    for await (const entry of packedEntries(bytes, ext)) yield take(entry, () => entry.bytes())
  }
}

/** The bytes of an entry, checked against its size and CRC. */
function wholeOf(zip: Zip, { path, crc, size }: ZipEntry): Buffer {
  const found = zip.bytes(path)
  if (found === undefined) throw new Refused('conversionFailed', 'a path that is none')
  if (found.length !== size || crc32(found) !== crc) throw new Refused('conversionFailed', 'it is damaged')
  return found
}

function wholeAt(bytes: Buffer, { at, size, isSparse }: TarEntry): Buffer {
  if (isSparse) throw new Refused('conversionUnsupported', 'it has holes')
  if (at + size > bytes.length) throw new Refused('conversionFailed', 'it is cut off')
  return bytes.subarray(at, at + size)
}

const isZip = (ext: string): boolean => ['zip', 'jar', 'war'].includes(ext)

/** The extensions of a packed file, which is an archive only if a tar was packed. */
const packedExts: ReadonlySet<string> = new Set(['gz', 'bz2', 'xz'])

async function* packedEntries(bytes: Buffer, ext: string): AsyncGenerator<ArchiveEntry> {
  let isEmpty = true
  try {
    for await (const entry of archiveEntries(bytes)) {
      isEmpty = false
      yield entry
    }
  } catch (error) {
    if (isEmpty && packedExts.has(ext) && error instanceof Refused && error.code === 'conversionFailed')
      throw new Refused('conversionUnsupported', error.message)
    throw error
  }
}

async function listed(bytes: Buffer, ext: string): Promise<NamedEntry[]> {
  const entries: NamedEntry[] = []
  for await (const entry of packedEntries(bytes, ext)) if (entries.push(entry) > mostListed) break
  return entries
}
