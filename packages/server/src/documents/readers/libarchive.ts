// Archives that libarchive reads (RAR, 7z, packed tar, ISO, CAB). It runs as WebAssembly, so that nothing needs to be
// installed.
import type { ListedEntry } from '@cloudoc/contract'
import load from 'libarchive.js/src/webworker/wasm-gen/libarchive.js'
import { Refused } from '../refusal.ts'

/** An entry of the archive; its bytes are readable until the next one is requested. */
export interface ArchiveEntry extends Omit<ListedEntry, 'rawName'> {
  bytes(): Buffer
}

const kindMask = 0o170000
const [folder, plain] = [0o040000, 0o100000]

/** Yields the entries in archive order. */
export async function* archiveEntries(archive: Buffer): AsyncGenerator<ArchiveEntry> {
  const lib = await load({ print() {}, printErr() {}, preRun: [], postRun: [] })
  const open = lib.cwrap('archive_open', 'number', ['number', 'number', 'string', 'string'])
  const next = lib.cwrap('get_next_entry', 'number', ['number'])
  const name = lib.cwrap('archive_entry_pathname_utf8', 'string', ['number'])
  const rawName = lib.cwrap('archive_entry_pathname', 'number', ['number'])
  const sizeOf = lib.cwrap('archive_entry_size', 'number', ['number'])
  const kindOf = lib.cwrap('archive_entry_filetype', 'number', ['number'])
  const isEncrypted = lib.cwrap('archive_entry_is_encrypted', 'number', ['number'])
  const dataOf = lib.cwrap('get_filedata', 'number', ['number', 'number'])
  const problem = lib.cwrap('archive_error_string', 'string', ['number'])
  const allocate = lib.cwrap('malloc', 'number', ['number'])
  const free = lib.cwrap('free', null, ['number'])
  const at = allocate(archive.length) as number
  if (at === 0) throw new Refused('conversionFailed', 'no memory')
  lib.HEAPU8.set(archive, at)
  const opened = open(at, archive.length, null, 'en_US.UTF-8') as number
  let isEmpty = true
  for (;;) {
    const entry = next(opened) as number
    if (entry === 0) break
    isEmpty = false
    const kind = (kindOf(entry) as number) & kindMask
    const path = (name(entry) as string | null) || textAt(lib.HEAPU8, rawName(entry) as number)
    if (path === '' || (kind !== folder && kind !== plain)) continue
    const size = kind === folder ? 0 : Math.max(0, sizeOf(entry) as number)
    yield {
      path: kind === folder && !path.endsWith('/') ? `${path}/` : path,
      size,
      // These formats compress several files as one, so there is no packed size.
      packed: 0,
      modified: 0,
      encrypted: isEncrypted(entry) !== 0,
      bytes() {
        if (size === 0) return Buffer.alloc(0)
        const found = dataOf(opened, size) as number
        if (found <= 0) throw new Refused('conversionFailed', problem(opened) as string)
        const bytes = Buffer.from(lib.HEAPU8.subarray(found, found + size))
        free(found)
        return bytes
      },
    }
  }
  const said = (problem(opened) as string | null) ?? ''
  if (/encrypt|passphrase|password/i.test(said)) throw new Refused('sourceEncrypted', said)
  // A truncated archive is reported without a message.
  if (said !== '' || isEmpty) throw new Refused('conversionFailed', said)
}

/** A name that is not UTF-8 was written by a Chinese Windows. */
function textAt(memory: Uint8Array, at: number): string {
  return at === 0 ? '' : new TextDecoder('gb18030').decode(memory.subarray(at, memory.indexOf(0, at)))
}
