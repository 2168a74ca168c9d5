/*
 * An OOXML package (a zip archive) in which single parts are replaced. All other entries, and the data between them,
 * stay byte-identical and compressed as they were (docs/adr/0129). Archives that cannot be patched this way are
 * refused.
 */
import { deflateSync, Inflate, inflateSync } from 'fflate'

/** The error for a file that cannot be edited. `reason` is the suffix of a text key. */
export class NotEditable extends Error {
  readonly reason: 'broken' | 'encrypted' | 'tooLarge' | 'kind'

  constructor(reason: NotEditable['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** The maximum total uncompressed size of the parts of a package, in bytes. */
const mostUnfolded = 300 * 1024 * 1024

interface Entry {
  readonly name: string
  readonly method: number
  readonly flags: number
  readonly sum: number
  readonly packed: number
  readonly size: number
  /** The offset of the local header, of the data, and of the following entry. */
  readonly at: number
  readonly bytesAt: number
  readonly end: number
  /** The central directory record of the entry. */
  readonly line: Uint8Array
}

/** An open package. */
export interface Package {
  readonly names: readonly string[]
  has(name: string): boolean
  bytes(name: string): Uint8Array
  /** The first `length` bytes of a part, as UTF-8 XML. */
  head(name: string, length: number): string
  /** A part as UTF-8 XML text. */
  text(name: string): string
  /** Returns the package with parts replaced or added; undefined deletes a part. */
  patched(changes: ReadonlyMap<string, string | Uint8Array | undefined>): Uint8Array
}

const broken = (why: string): NotEditable => new NotEditable('broken', why)

/** Opens a package; throws `NotEditable`. */
export function openPackage(given: Uint8Array): Package {
  // Slicing a Node `Buffer` does not copy, so wrap it in a `Uint8Array`.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new NotEditable('encrypted', 'locked by a password, or of before 2007')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const entries = readDirectory(bytes, view, end)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  if (byName.size !== entries.length) throw broken('two parts of one name')
  if (entries.reduce((sum, { size }) => sum + size, 0) > mostUnfolded)
    throw new NotEditable('tooLarge', 'unfolds too far')
  const read = (name: string): Uint8Array => {
    const entry = byName.get(name)
    if (entry === undefined) throw broken(`no ${name}`)
    const packed = bytes.subarray(entry.bytesAt, entry.bytesAt + entry.packed)
    const found = entry.method === 0 ? packed : inflateSync(packed, { out: new Uint8Array(entry.size) })
    if (found.length !== entry.size || sumOf(found) !== entry.sum) throw broken(`${name} is damaged`)
    return found
  }
  return {
    names: entries.map(({ name }) => name),
    has: (name) => byName.has(name),
    bytes: read,
    text(name) {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read(name))
      } catch (error) {
        throw error instanceof NotEditable ? error : broken(`${name} is not UTF-8`)
      }
    },
    head(name, length) {
      const entry = byName.get(name)
      if (entry === undefined) throw broken(`no ${name}`)
      const packed = bytes.subarray(entry.bytesAt, entry.bytesAt + Math.min(entry.packed, length))
      let begin: Uint8Array = new Uint8Array()
      if (entry.method === 0) begin = packed
      else {
        const inflating = new Inflate((piece) => {
          if (begin.length === 0) begin = piece
        })
        inflating.push(packed, false)
      }
      return new TextDecoder().decode(begin.subarray(0, length))
    },
    patched: (changes) => patch(bytes, entries, end, changes),
  }
}

/** The offset of the end-of-central-directory record, which a comment may follow. */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at--) {
    if (view.getUint32(at, true) === 0x06054b50 && at + 22 + view.getUint16(at + 20, true) === view.byteLength)
      return at
  }
  throw broken('no archive')
}

function readDirectory(bytes: Uint8Array, view: DataView, end: number): Entry[] {
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const start = at
  if (view.getUint16(end + 8, true) !== count || count === 0xffff || start > end) throw broken('an archive in pieces')
  const found: Omit<Entry, 'end'>[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw broken('a directory that breaks off')
    const [nameLength, extra, comment] = [28, 30, 32].map((more) => view.getUint16(at + more, true)) as [
      number,
      number,
      number,
    ]
    const [sum, packed, size] = [16, 20, 24].map((more) => view.getUint32(at + more, true)) as [number, number, number]
    const head = view.getUint32(at + 42, true)
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    if ((flags & 1) !== 0) throw new NotEditable('encrypted', 'its parts are locked')
    if (method !== 0 && method !== 8) throw broken(`${name} is packed in another way`)
    if (head + 30 > start || view.getUint32(head, true) !== 0x04034b50)
      throw broken(`${name} is not where it should be`)
    const bytesAt = head + 30 + view.getUint16(head + 26, true) + view.getUint16(head + 28, true)
    if (bytesAt + packed > start) throw broken(`${name} breaks off`)
    const line = bytes.subarray(at, at + 46 + nameLength + extra + comment)
    found.push({ name, method, flags, sum, packed, size, at: head, bytesAt, line })
    at += line.length
  }
  const heads = found.map((entry) => entry.at).sort((a, b) => a - b)
  const next = new Map(heads.map((head, i) => [head, heads[i + 1] ?? start]))
  return found.map((entry) => {
    const until = next.get(entry.at) ?? start
    if (entry.bytesAt + entry.packed > until) throw broken(`${entry.name} lies on another part`)
    return { ...entry, end: until }
  })
}

function patch(
  bytes: Uint8Array,
  entries: readonly Entry[],
  end: number,
  changes: ReadonlyMap<string, string | Uint8Array | undefined>,
): Uint8Array {
  const inPlace = [...entries].sort((a, b) => a.at - b.at)
  const pieces: Uint8Array[] = [bytes.subarray(0, inPlace[0]?.at ?? 0)]
  let length = pieces[0]?.length ?? 0
  const lines = new Map<string, Uint8Array>()
  const put = (piece: Uint8Array): void => {
    pieces.push(piece)
    length += piece.length
  }
  for (const entry of inPlace) {
    const change = changes.get(entry.name)
    if (change === undefined && changes.has(entry.name)) continue
    const line = entry.line.slice()
    const write = new DataView(line.buffer)
    write.setUint32(42, length, true)
    lines.set(entry.name, line)
    if (change === undefined) {
      put(bytes.subarray(entry.at, entry.end))
      continue
    }
    const content = typeof change === 'string' ? new TextEncoder().encode(change) : change
    const packed = entry.method === 0 ? content : deflateSync(content, { level: 6 })
    // The sizes are now in the local header, so no data descriptor follows the data.
    const flags = entry.flags & ~8
    const head = bytes.slice(entry.at, entry.bytesAt)
    const headView = new DataView(head.buffer)
    for (const [place, writer] of [
      [6, headView],
      [8, write],
    ] as const)
      writer.setUint16(place, flags, true)
    for (const [place, writer] of [
      [14, headView],
      [16, write],
    ] as const) {
      writer.setUint32(place, sumOf(content), true)
      writer.setUint32(place + 4, packed.length, true)
      writer.setUint32(place + 8, content.length, true)
    }
    put(head)
    put(packed)
  }
  const known = new Set(entries.map(({ name }) => name))
  for (const [name, content] of changes) {
    if (known.has(name) || content === undefined) continue
    const { head, packed, line } = newEntry(name, content, length)
    lines.set(name, line)
    put(head)
    put(packed)
  }
  const directoryAt = length
  const names = [...entries.map(({ name }) => name), ...[...lines.keys()].filter((name) => !known.has(name))]
  for (const name of names) {
    const line = lines.get(name)
    if (line !== undefined) put(line)
  }
  const tail = bytes.slice(end)
  const tailView = new DataView(tail.buffer)
  tailView.setUint16(8, lines.size, true)
  tailView.setUint16(10, lines.size, true)
  tailView.setUint32(12, length - directoryAt, true)
  tailView.setUint32(16, directoryAt, true)
  put(tail)
  const made = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    made.set(piece, at)
    at += piece.length
  }
  return made
}

/** Builds a new entry: its local header, its data and its central directory record. */
function newEntry(
  name: string,
  content: string | Uint8Array,
  at: number,
): { readonly head: Uint8Array; readonly packed: Uint8Array; readonly line: Uint8Array } {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const packed = deflateSync(bytes, { level: 6 })
  const title = new TextEncoder().encode(name)
  /** The fields common to both headers: version, flags (UTF-8 names), method, date, checksum, sizes, name length. */
  const fill = (view: DataView, from: number): void => {
    view.setUint16(from, 20, true)
    view.setUint16(from + 2, 0x800, true)
    view.setUint16(from + 4, 8, true)
    // The earliest date of the zip format.
    view.setUint16(from + 8, 0x21, true)
    view.setUint32(from + 10, sumOf(bytes), true)
    view.setUint32(from + 14, packed.length, true)
    view.setUint32(from + 18, bytes.length, true)
    view.setUint16(from + 22, title.length, true)
  }
  const head = new Uint8Array(30 + title.length)
  const headView = new DataView(head.buffer)
  headView.setUint32(0, 0x04034b50, true)
  fill(headView, 4)
  head.set(title, 30)
  const line = new Uint8Array(46 + title.length)
  const lineView = new DataView(line.buffer)
  lineView.setUint32(0, 0x02014b50, true)
  lineView.setUint16(4, 20, true)
  fill(lineView, 6)
  lineView.setUint32(42, at, true)
  line.set(title, 46)
  return { head, packed, line }
}

const table = Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum >>> 0
})

function sumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0)
  return (sum ^ 0xffffffff) >>> 0
}

/** The name of the relationships part of a part. */
export function relationsFile(part: string): string {
  const cut = part.lastIndexOf('/') + 1
  return `${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`
}

/** The internal relationship targets of a part, by id, with the last segment of their type. */
export function relationsOf(
  office: Package,
  part: string,
): Map<string, { readonly kind: string; readonly part: string }> {
  const cut = part.lastIndexOf('/') + 1
  const file = relationsFile(part)
  const found = new Map<string, { readonly kind: string; readonly part: string }>()
  if (!office.has(file)) return found
  for (const [tag] of office.text(file).matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)) {
    const [id, target, kind, mode] = ['Id', 'Target', 'Type', 'TargetMode'].map((name) => attributeOf(tag, name))
    if (id === undefined || target === undefined || mode === 'External') continue
    const path: string[] = target.startsWith('/') ? [] : part.slice(0, cut).split('/').slice(0, -1)
    for (const step of target.split('/')) {
      if (step === '..') path.pop()
      else if (step !== '' && step !== '.') path.push(step)
    }
    found.set(id, { kind: kind?.slice(kind.lastIndexOf('/') + 1) ?? '', part: path.join('/') })
  }
  return found
}

/** A signature covers the unmodified package, so edits would invalidate it. */
export const isSigned = (office: Package): boolean => office.names.some((name) => name.startsWith('_xmlsignatures/'))

/** The main part of a package. */
export function mainPart(office: Package, usual: string): string {
  return [...relationsOf(office, '').values()].find(({ kind }) => kind === 'officeDocument')?.part ?? usual
}

const patterns = new Map<string, RegExp>()

/** The unescaped value of an attribute in a tag. */
export function attributeOf(tag: string, name: string): string | undefined {
  let pattern = patterns.get(name)
  if (pattern === undefined) patterns.set(name, (pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)))
  const found = pattern.exec(tag)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : unescape(value)
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Unescapes XML text. */
export function unescape(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex?: string, dec?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    return String.fromCodePoint(hex === undefined ? Number(dec) : Number.parseInt(hex, 16))
  })
}

/** Escapes text for XML; removes characters that XML does not allow. */
export function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Deletes a part, its relationship and its content type. */
export function dropPart(office: Package, main: string, part: string, changes: Map<string, string | undefined>): void {
  changes.set(part, undefined)
  const relations = relationsFile(main)
  const name = part.slice(part.lastIndexOf('/') + 1)
  const without = (file: string, element: string, attribute: string): void => {
    const xml = changes.get(file) ?? office.text(file)
    const pattern = new RegExp(`<(?:\\w+:)?${element}\\s[^>]*/>`, 'g')
    changes.set(
      file,
      xml.replace(pattern, (tag) => {
        const target = attributeOf(tag, attribute) ?? ''
        return target === name || target.endsWith(`/${name}`) ? '' : tag
      }),
    )
  }
  without(relations, 'Relationship', 'Target')
  without('[Content_Types].xml', 'Override', 'PartName')
}
