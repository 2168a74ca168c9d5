// OLE containers, the file format before 2007: streams by name.
import { CFB } from '@e965/xlsx'
import { Refused } from '../refusal.ts'
import type { Reader } from './reader.ts'
import { isOle } from './zip.ts'

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
