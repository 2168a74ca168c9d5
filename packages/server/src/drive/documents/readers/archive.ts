// What is in an archive, as far as it says so without being unpacked.
import type { ListedEntry, Listing } from '@cloudoc/contract'
import { Refused } from '../refusal.ts'
import type { Reader } from './reader.ts'
import { readZip } from './zip.ts'

const mostListed = 10_000

export const readArchive: Reader = ({ bytes, ext }): Listing => {
  const entries = ext === 'tar' ? [...tarEntries(bytes)] : readZip(bytes).entries
  return {
    kind: 'listing',
    entries: entries
      .slice(0, mostListed)
      .map(({ path, size, packed, modified, encrypted }) => ({ path, size, packed, modified, encrypted })),
    cut: entries.length > mostListed,
  }
}

function* tarEntries(bytes: Buffer): Generator<ListedEntry> {
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
      yield { path, size, packed: size, modified: (Number.parseInt(field(136, 12), 8) || 0) * 1000, encrypted: false }
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
}
