// OLE containers, the file format before 2007: streams by name.
import { extNameOf } from '@cloudoc/domain'
import { CFB } from '@e965/xlsx'
import { Refused } from '../refusal.ts'
import type { Reader } from './reader.ts'
import { isOle, nameReader, readZip } from './zip.ts'

export interface OleFile {
  /** The bytes of a stream; undefined if there is none of that name. */
  stream(name: string): Buffer | undefined
}

export function openOle(bytes: Buffer): OleFile {
  let file: unknown
  try {
    file = CFB.read(bytes, { type: 'buffer' })
  } catch (error) {
    throw new Refused('conversionFailed', String(error))
  }
  const stream = (name: string): Buffer | undefined => {
    const content = CFB.find(file, name)?.content
    return content && Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  }
  if (stream('EncryptedPackage') !== undefined) throw new Refused('sourceEncrypted')
  return { stream }
}

/** A file in an object that an office document embeds, and the extension of its format. */
export interface EmbeddedFile {
  readonly name: string
  readonly ext: string
  readonly bytes: Buffer
}

/** The streams by which a file is found to be a document before 2007. */
const documentStreams: readonly (readonly [stream: string, ext: string])[] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
]

/** The document that an embedded object is or contains; undefined if it is of a kind that is not known. */
export function embeddedIn(bytes: Buffer): EmbeddedFile | undefined {
  const ext = extByContent(bytes)
  if (ext !== undefined || !isOle(bytes)) return ext === undefined ? undefined : { name: '', ext, bytes }
  const file = openOle(bytes)
  for (const [stream, kind] of documentStreams)
    if (file.stream(stream) !== undefined) return { name: '', ext: kind, bytes }
  // A formula contains no text of its own: the document has its picture.
  if (file.stream('Equation Native') !== undefined) return { name: '', ext: 'txt', bytes: Buffer.alloc(0) }
  const native = file.stream('\u0001Ole10Native')
  if (native !== undefined) return packagedFile(native)
  for (const stream of ['Package', 'CONTENTS']) {
    const inner = file.stream(stream)
    const kind = inner && extByContent(inner)
    if (inner !== undefined && kind !== undefined) return { name: '', ext: kind, bytes: inner }
  }
  return undefined
}

/** The extension of an Office package or a PDF by its bytes. */
function extByContent(bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return 'pdf'
  if (bytes.length < 4 || bytes.readUInt32BE(0) !== 0x504b0304) return undefined
  const { entries } = readZip(bytes)
  const has = (folder: string): boolean => entries.some(({ path }) => path.startsWith(folder))
  return has('word/') ? 'docx' : has('xl/') ? 'xlsx' : has('ppt/') ? 'pptx' : has('content.xml') ? 'odt' : 'zip'
}

/** A file that was inserted as a package ([MS-OLEDS] 2.3.6): its names and its bytes. */
function packagedFile(native: Buffer): EmbeddedFile | undefined {
  let at = 6
  const text = (): string => {
    const end = native.indexOf(0, at)
    if (end < 0) throw new Refused('conversionFailed', 'a name without end')
    const raw = native.subarray(at, end)
    at = end + 1
    return nameReader([raw])(raw)
  }
  const label = text()
  const path = text()
  at += 4
  if (at + 4 > native.length) return undefined
  at += 4 + native.readUInt32LE(at)
  if (at + 4 > native.length) return undefined
  const size = native.readUInt32LE(at)
  const name = (path.split(/[\\/]/).at(-1) || label).trim()
  return { name, ext: extNameOf(name).toLowerCase(), bytes: native.subarray(at + 4, at + 4 + size) }
}

/**
 * Reads files that have an old extension but another format: programs open such files by their content, and many that
 * write a `.doc` write another format. Undefined for an OLE container.
 */
export async function readerOfOther(bytes: Buffer, zipped: () => Promise<Reader>): Promise<Reader | undefined> {
  if (isOle(bytes)) return undefined
  if (bytes.readUInt16BE(0) === 0x504b) return zipped()
  const start = bytes.toString('latin1', 0, 1024).trimStart()
  if (start.startsWith('{\\rtf')) return (await import('./rtf.ts')).readRtf
  if (/<(!doctype html|html|head|body|table|meta)\b/i.test(start)) return (await import('./html.ts')).readHtmlFile
  return undefined
}
