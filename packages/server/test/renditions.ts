// Renditions as the server answers them, for tests.
import { gunzipSync } from 'node:zlib'
import type { Rendition, RenditionHead } from '@cloudoc/contract'

export interface UnpackedRendition {
  readonly body: Rendition
  readonly part: (n: number) => Buffer
}

/** Unpacks a rendition as the client does. */
export function unpacked(packed: Buffer): UnpackedRendition {
  const length = packed.readUInt32LE(0)
  const head = JSON.parse(packed.toString('utf8', 4, 4 + length)) as RenditionHead
  const part = (n: number): Buffer => {
    const { at = 0, size = 0, type } = head.parts[n] ?? {}
    const bytes = packed.subarray(4 + length + at, 4 + length + at + size)
    return type === 'json' || type === 'text' ? gunzipSync(bytes) : bytes
  }
  return { body: JSON.parse(part(0).toString()) as Rendition, part }
}

/** What the rendition of a text shows. */
export const textOfRendition = ({ body, part }: UnpackedRendition): string =>
  body.kind === 'text' ? part(body.part).toString() : ''
