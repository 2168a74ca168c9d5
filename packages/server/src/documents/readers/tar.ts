// Reads the headers of a tar: of POSIX with pax records, of GNU, and of Unix version 7.
import type { ListedEntry } from '@cloudoc/contract'
import { Refused } from '../refusal.ts'
import { nameReader } from './zip.ts'

/** An entry of a tar, with the raw bytes of a path whose encoding is not declared. */
export interface TarEntry extends Omit<ListedEntry, 'rawName'> {
  readonly rawName: Buffer | undefined
  /** Where the bytes of the entry start. */
  readonly at: number
  /** The bytes are stored with holes, which are not read. */
  readonly isSparse: boolean
}

const block = 512
const blocksOf = (size: number): number => Math.ceil(size / block) * block
const upToZero = (one: Buffer): Buffer => one.subarray(0, one.indexOf(0) < 0 ? one.length : one.indexOf(0))

/** Returns the entries of a tar, with undeclared names decoded in an encoding, a guessed one by default. */
export function tarEntries(bytes: Buffer, names?: string): TarEntry[] {
  const found = [...tarHeads(bytes)]
  const read = nameReader(
    found.flatMap(({ rawName }) => rawName ?? []),
    names,
  )
  return found.map((entry) => {
    const { path, rawName, isFolder, ...rest } = entry
    const shown = path ?? (rawName === undefined ? '' : read(rawName))
    return {
      ...rest,
      path: isFolder && !shown.endsWith('/') ? `${shown}/` : shown,
      rawName: rawName?.some((byte) => byte >= 0x80) === true ? rawName : undefined,
    }
  })
}

type Head = Omit<TarEntry, 'path'> & {
  /** The path in UTF-8 that a pax record declares. */
  readonly path: string | undefined
  readonly isFolder: boolean
}

type Records = ReadonlyMap<string, Buffer>

function* tarHeads(bytes: Buffer): Generator<Head> {
  let longName: Buffer | undefined
  let shared: Records = new Map()
  let own: Records = new Map()
  for (let at = 0; at + block <= bytes.length; ) {
    const head = bytes.subarray(at, at + block)
    // The archive ends with empty blocks.
    if (head[0] === 0 && head.every((byte) => byte === 0)) return
    if (!isHead(head)) throw new Refused('conversionFailed', at === 0 ? 'no tar' : 'it is damaged')
    const type = String.fromCharCode(head[156] ?? 0)
    const isAbout = 'LKxgX'.includes(type)
    const stored = isAbout ? undefined : (own.get('size') ?? shared.get('size'))
    const size = stored === undefined ? numberIn(head.subarray(124, 136)) : Number(stored.toString('latin1'))
    if (!Number.isSafeInteger(size) || size < 0) throw new Refused('conversionFailed', 'a size that cannot be')
    const from = at + block
    const data = bytes.subarray(from, from + size)
    if (type === 'L') longName = upToZero(data)
    else if (type === 'x' || type === 'X') own = recordsOf(data)
    else if (type === 'g') shared = new Map([...shared, ...recordsOf(data)])
    else if (type !== 'K') {
      const records = new Map([...shared, ...own])
      // A file; the types that are left out are links and devices. S is a file with holes.
      if (/[057S\0]/.test(type)) yield headOf(head, type, { size, at: from, records, longName })
      longName = undefined
      own = new Map()
    }
    at = from + blocksOf(size)
  }
}

function headOf(
  head: Buffer,
  type: string,
  { size, at, records, longName }: { size: number; at: number; records: Records; longName: Buffer | undefined },
): Head {
  const short = upToZero(head.subarray(0, 100))
  // GNU and version 7 have other fields where POSIX has the prefix.
  const prefix = head.toString('latin1', 257, 263) === 'ustar\0' ? upToZero(head.subarray(345, 500)) : Buffer.alloc(0)
  const stored = longName ?? (prefix.length === 0 ? short : Buffer.concat([prefix, Buffer.from('/'), short]))
  const declared = records.get('GNU.sparse.name') ?? records.get('path')
  // BINARY says that the writer did not know the encoding either.
  const isText = records.get('hdrcharset')?.toString('latin1') !== 'BINARY'
  const time = records.get('mtime')
  const seconds = time === undefined ? numberIn(head.subarray(136, 148)) : Number(time.toString('latin1'))
  const isSparse = type === 'S' || [...records.keys()].some((key) => key.startsWith('GNU.sparse.'))
  const name = declared ?? stored
  return {
    path: declared !== undefined && isText ? declared.toString('utf8') : undefined,
    rawName: declared !== undefined && isText ? undefined : name,
    // Before POSIX a folder was a name that ends with a slash.
    isFolder: type === '5' || name.at(-1) === 0x2f,
    size: type === '5' ? 0 : size,
    packed: size,
    modified: Number.isFinite(seconds) ? Math.round(seconds * 1000) : 0,
    encrypted: false,
    at,
    isSparse,
  }
}

/** Returns whether a block is a header: its sum is right. Some old writers added up signed bytes. */
function isHead(head: Buffer): boolean {
  const stored = Number.parseInt(upToZero(head.subarray(148, 156)).toString('latin1').trim(), 8)
  let [unsigned, signed] = [0, 0]
  for (const [n, byte] of head.entries()) {
    const counted = n >= 148 && n < 156 ? 0x20 : byte
    unsigned += counted
    signed += counted > 127 ? counted - 256 : counted
  }
  return stored === unsigned || stored === signed
}

/** Returns a number in octal digits, or in binary where the first bit is set, as GNU writes large and negative ones. */
function numberIn(field: Buffer): number {
  const first = field[0] ?? 0
  if (first < 0x80) return Number.parseInt(upToZero(field).toString('latin1').trim(), 8) || 0
  return [...field.subarray(1)].reduce((sum, byte) => sum * 256 + byte, first === 0xff ? -1 : first & 0x7f)
}

/** Returns the pax records of a header. A record is its length, a space, key=value and a line end. */
function recordsOf(data: Buffer): Records {
  const records = new Map<string, Buffer>()
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at)
    const length = space < 0 ? Number.NaN : Number(data.toString('latin1', at, space))
    const record = data.subarray(space + 1, at + length - 1)
    const equals = record.indexOf(0x3d)
    if (!(length > 0) || at + length > data.length || equals < 0)
      throw new Refused('conversionFailed', 'a pax header that cannot be')
    const value = record.subarray(equals + 1)
    // An empty value takes an earlier one back.
    if (value.length > 0) records.set(record.toString('utf8', 0, equals), value)
    at += length
  }
  return records
}
