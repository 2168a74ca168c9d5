// A rendition on its way to the store: its body and its parts, in the format described in
// contract/documents/renditions.ts.
import { gzipSync } from 'node:zlib'
import type { PartNumber, Rendition, RenditionHead, RenditionPart } from '@cloudoc/contract'
import { Refused } from './refusal.ts'

/** Maximum total bytes of all parts. */
export const mostBytes = 256 * 1024 * 1024

/** Collects the parts of a rendition as its reader meets them. */
export interface Parts {
  json(value: unknown): PartNumber
  text(text: string): PartNumber
  bytes(type: Exclude<RenditionPart['type'], 'json' | 'text'>, bytes: Uint8Array): PartNumber
}

export interface Container extends Parts {
  /** Returns the whole as one object, with its body first. */
  pack(body: Rendition): Buffer
}

export function createContainer(): Container {
  const parts: { type: RenditionPart['type']; bytes: Uint8Array }[] = [{ type: 'json', bytes: Buffer.alloc(0) }]
  let size = 0
  const add = (type: RenditionPart['type'], bytes: Uint8Array): PartNumber => {
    size += bytes.length
    if (size > mostBytes) throw new Refused('conversionFailed', 'what is to be shown is too large')
    return parts.push({ type, bytes }) - 1
  }
  return {
    json: (value) => add('json', gzipSync(JSON.stringify(value))),
    text: (text) => add('text', gzipSync(text)),
    bytes: add,
    pack(body) {
      parts[0] = { type: 'json', bytes: gzipSync(JSON.stringify(body)) }
      return packParts(parts)
    },
  }
}

/** The parts of a rendition in order, the body first, as one object. */
export function packParts(
  parts: readonly { readonly type: RenditionPart['type']; readonly bytes: Uint8Array }[],
): Buffer {
  let at = 0
  const places = parts.map(({ type, bytes }): RenditionPart => {
    at += bytes.length
    return { at: at - bytes.length, size: bytes.length, type }
  })
  const head = Buffer.from(JSON.stringify({ parts: places, body: 0 } satisfies RenditionHead))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...parts.map(({ bytes }) => bytes)])
}
