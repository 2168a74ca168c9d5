// What is in an archive, and one file out of it.
import { crc32 } from 'node:zlib'
import type { ListedEntry, Listing } from '@cloudoc/contract'
import { type Refusal, Refused } from '../refusal.ts'
import { largestEntry, mostListed, mostUnpacked } from './archive-limits.ts'
import { meetEntries } from './libarchive.ts'
import type { Reader } from './reader.ts'
import { readZip, type Zip, type ZipEntry } from './zip.ts'

export const readArchive: Reader = async ({ bytes, ext }): Promise<Listing> => {
  const entries = isZip(ext) ? readZip(bytes).entries : ext === 'tar' ? [...tarEntries(bytes)] : await listed(bytes)
  return {
    kind: 'listing',
    entries: entries
      .slice(0, mostListed)
      .map(({ path, size, packed, modified, encrypted }) => ({ path, size, packed, modified, encrypted })),
    cut: entries.length > mostListed,
  }
}

/** One file of an archive, by the path that its listing tells; undefined where there is none. */
export async function readEntry(bytes: Buffer, ext: string, path: string): Promise<Buffer | undefined> {
  const check = ({ size, encrypted }: ListedEntry): void => {
    if (encrypted) throw new Refused('sourceEncrypted')
    if (size > largestEntry) throw new Refused('conversionUnsupported', 'it is too large')
  }
  if (isZip(ext)) {
    const zip = readZip(bytes)
    const entry = zip.entries.findLast((one) => one.path === path)
    if (entry === undefined) return undefined
    check(entry)
    return wholeOf(zip, entry)
  }
  if (ext === 'tar') {
    const entry = [...tarEntries(bytes)].findLast((one) => one.path === path)
    if (entry === undefined) return undefined
    check(entry)
    return wholeAt(bytes, entry)
  }
  for await (const entry of meetEntries(bytes)) {
    if (entry.path !== path) continue
    check(entry)
    return entry.bytes()
  }
  return undefined
}

/** One file of many: its bytes, or why there are none. */
export interface Unpacked {
  readonly path: string
  /** Milliseconds since 1970; 0 where the archive does not say. */
  readonly modified: number
  readonly bytes: Buffer | Refusal
}

/** Everything in an archive, one file after another; a folder, with a slash at its end, has no bytes. */
export async function* unpack(bytes: Buffer, ext: string): AsyncGenerator<Unpacked> {
  let [count, left] = [0, mostUnpacked]
  const take = ({ path, modified, size, encrypted }: ListedEntry, read: () => Buffer): Unpacked => {
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
      // Whatever it stumbles over is this one's fault, and the next one's turn.
      return { path, modified, bytes: error instanceof Refused ? error.code : 'conversionFailed' }
    }
  }
  if (isZip(ext)) {
    const zip = readZip(bytes)
    // Of two of one path the last one counts.
    for (const entry of new Map(zip.entries.map((one) => [one.path, one])).values())
      yield take(entry, () => wholeOf(zip, entry))
  } else if (ext === 'tar') {
    for (const entry of new Map([...tarEntries(bytes)].map((one) => [one.path, one])).values())
      yield take(entry, () => wholeAt(bytes, entry))
  } else {
    for await (const entry of meetEntries(bytes)) yield take(entry, () => entry.bytes())
  }
}

/** The bytes of an entry, which are those that were packed. */
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

async function listed(bytes: Buffer): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = []
  for await (const entry of meetEntries(bytes)) if (entries.push(entry) > mostListed) break
  return entries
}

function* tarEntries(bytes: Buffer): Generator<ListedEntry & { readonly at: number }> {
  if (bytes.toString('latin1', 257, 262) !== 'ustar') throw new Refused('conversionFailed', 'no tar')
  let longName: string | undefined
  for (let at = 0; at + 512 <= bytes.length; ) {
    const field = (from: number, length: number): string => {
      const text = bytes.toString('utf8', at + from, at + from + length)
      return text.slice(0, text.indexOf('\0') < 0 ? undefined : text.indexOf('\0'))
    }
    if (bytes[at] === 0) return
    const size = Number.parseInt(field(124, 12), 8) || 0
    const type = String.fromCharCode(bytes[at + 156] ?? 0)
    if (type === 'L') longName = bytes.toString('utf8', at + 512, at + 512 + size).replace(/\0+$/, '')
    else if (/[05\0]/.test(type)) {
      const prefix = field(345, 155)
      const path = longName ?? (prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`)
      longName = undefined
      const modified = (Number.parseInt(field(136, 12), 8) || 0) * 1000
      yield { path, size, packed: size, modified, encrypted: false, at: at + 512 }
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
}
